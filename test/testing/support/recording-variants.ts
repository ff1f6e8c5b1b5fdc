/** The ways in which servers depart from the plain form of a stream; each is a whole recording. */

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const end = (finish_reason: string, more: object = {}) => ({ ...chunk({}, { finish_reason }), ...more });
const call = (given: object, more: object = {}) => ({ tool_calls: [{ type: 'function', ...more, function: given }] });
const read = { name: 'read', arguments: '{"path":"a"}' };

const chat: { [name: string]: object[] } = {
  'whole calls without index and id, and an end that doesn’t tell': [
    chunk({ tool_calls: [{ function: read }, { function: { name: 'list', arguments: '{}' } }] }),
    end('stop'),
  ],
  'one index for all calls': [
    chunk(call(read, { index: 0, id: 'a' })),
    chunk(call({ ...read, arguments: '{"path":"b"}' }, { index: 0, id: 'b' })),
    end('tool_calls'),
  ],
  'one index for all calls, and no ids': [
    chunk(call(read, { index: 0 })),
    chunk(call({ ...read, arguments: '{"path":"b"}' }, { index: 0 })),
    end('tool_calls'),
  ],
  'the name again in every piece': [
    chunk(call({ name: 'read', arguments: '' }, { index: 0, id: 'a' })),
    chunk(call({ name: 'read', arguments: '{"path"' }, { index: 0, id: 'a' })),
    chunk(call({ name: 'read', arguments: ':"a"}' }, { index: 0, id: 'a' })),
    end('tool_calls'),
  ],
  'another id in every piece': [
    chunk(call({ name: 'read', arguments: '' }, { index: 0, id: 'a' })),
    chunk(call({ arguments: '{"path"' }, { index: 0, id: 'b' })),
    chunk(call({ arguments: ':"a"}' }, { index: 0, id: 'c' })),
    end('tool_calls'),
  ],
  'pieces of two calls in turn': [
    chunk(call({ name: 'read', arguments: '{"path"' }, { index: 0, id: 'a' })),
    chunk(call({ name: 'read', arguments: '{"path"' }, { index: 2, id: 'b' })),
    chunk(call({ arguments: ':"a"}' }, { index: 0 })),
    chunk(call({ arguments: ':"b"}' }, { index: 2 })),
    end('tool_calls'),
  ],
  'arguments as an object, or none': [
    chunk(call({ name: 'read', arguments: { path: 'a' } }, { index: 0, id: 'a' })),
    chunk(call({ name: 'list', arguments: null }, { index: 1, id: 'b' })),
    end('tool_calls'),
  ],
  'a call that is cut': [chunk(call({ name: 'read', arguments: '{"pa' }, { index: 0, id: 'a' })), end('length')],
  'a call in the older form': [
    chunk({ function_call: { name: 'read', arguments: '{"path"' } }),
    chunk({ function_call: { arguments: ':"a"}' } }),
    end('function_call'),
  ],
  'thoughts between tags': [
    chunk({ content: '\n<thi' }),
    chunk({ content: 'nk>hm, so</thi' }),
    chunk({ content: 'nk>\n\nI read <think>.' }),
    end('stop'),
  ],
  'thoughts that never end': [chunk({ content: '<think>hm, so' }), end('length')],
  'thoughts in the other field, and in details': [
    chunk({ reasoning: 'hm, ', reasoning_details: [{ type: 'reasoning.text', text: 'hm, ', index: 0 }] }),
    chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'so', index: 0 }] }),
    chunk({ content: 'done' }),
    end('stop'),
  ],
  'content in parts': [
    chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm, so' }] }] }),
    chunk({ content: [{ type: 'text', text: 'do' }] }),
    chunk({ content: 'ne' }),
    end('stop'),
  ],
  'a refusal': [chunk({ refusal: 'I can’t ' }), chunk({ refusal: 'do that.' }), end('stop')],
  'a filter': [chunk({ content: 'I' }), end('content_filter')],
  'usage in every chunk, with reasoning beside the output': [
    { ...chunk({ content: 'do' }), usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } },
    {
      ...chunk({ content: 'ne' }, { finish_reason: 'stop' }),
      usage: {
        prompt_tokens: 9,
        completion_tokens: 2,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    },
  ],
  'usage of another name': [
    chunk({ content: 'done' }),
    end('stop', { x_groq: { usage: { prompt_tokens: 9, completion_tokens: 2 } } }),
  ],
  'an end that is a failure': [chunk({ content: 'I' }), end('error')],
  'an error in a choice': [chunk({ content: 'I' }, { error: { code: 502, message: 'no' } })],
  'a second answer': [
    {
      id: 'c',
      choices: [
        { index: 1, delta: { content: 'other' } },
        { index: 0, delta: { content: 'done' } },
      ],
    },
    end('stop'),
  ],
};

const response = (status: string, more: object = {}) => ({
  type: status === 'incomplete' ? 'response.incomplete' : 'response.completed',
  response: { id: 'resp_1', status, output: [], usage: { input_tokens: 9, output_tokens: 7 }, ...more },
});
const done = (item: object) => ({ type: 'response.output_item.done', output_index: 0, item });
const message = (...content: object[]) => ({ type: 'message', id: 'm', role: 'assistant', content });
const called = { type: 'function_call', id: 'f', call_id: 'c', name: 'read', arguments: '{"path":"a"}' };

const responses: { [name: string]: object[] } = {
  'a reply that is cut': [
    done(message({ type: 'output_text', text: 'I' })),
    response('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }),
  ],
  'a reply that is filtered': [
    done(message({ type: 'output_text', text: 'I' })),
    response('incomplete', { incomplete_details: { reason: 'content_filter' } }),
  ],
  'a call that is cut': [
    done({ ...called, arguments: '{"pa', status: 'incomplete' }),
    response('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }),
  ],
  'a refusal': [done(message({ type: 'refusal', refusal: 'I can’t do that.' })), response('completed')],
  'items at the end alone': [
    response('completed', { output: [message({ type: 'output_text', text: 'I read.' }), called] }),
  ],
  'deltas alone': [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'r', summary: [] } },
    { type: 'response.reasoning_text.delta', item_id: 'r', output_index: 0, content_index: 0, delta: 'hm, ' },
    { type: 'response.reasoning_text.delta', item_id: 'r', output_index: 0, content_index: 0, delta: 'so' },
    { type: 'response.output_item.added', output_index: 1, item: message() },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 1, content_index: 0, delta: 'I ' },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 1, content_index: 0, delta: 'read.' },
    { type: 'response.output_item.added', output_index: 2, item: { ...called, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 2, delta: '{"path":"a"}' },
    response('completed'),
  ],
  'one place for all items': [
    done(message({ type: 'output_text', text: 'I read.' })),
    done(called),
    done({ ...called, id: 'g', call_id: 'd' }),
    response('completed'),
  ],
  'summaries in parts': [
    done({
      type: 'reasoning',
      id: 'r',
      summary: [
        { type: 'summary_text', text: 'hm,' },
        { type: 'summary_text', text: 'so' },
      ],
    }),
    done(message({ type: 'output_text', text: 'I ' }, { type: 'output_text', text: 'read.' })),
    response('completed'),
  ],
  'items that are the provider’s own': [
    done({ type: 'web_search_call', id: 'w', status: 'completed' }),
    done(message({ type: 'output_text', text: 'done' })),
    response('completed'),
  ],
  'nothing but the provider’s own': [
    done({ type: 'compaction', id: 'k', encrypted_content: 'c2VhbGVk' }),
    response('completed'),
  ],
  'nothing at all': [response('completed')],
  'a failure': [
    { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'no' } } },
  ],
};

const candidate = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});

const gemini: { [name: string]: object[] } = {
  'a reply that is cut': [candidate([{ text: 'I' }]), candidate([{ text: '' }], { finishReason: 'MAX_TOKENS' })],
  'a reply that is stopped': [candidate([{ text: 'I' }]), { candidates: [{ finishReason: 'SAFETY', index: 0 }] }],
  'a prompt that is refused': [
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9 } },
  ],
  'ids of calls': [
    candidate([{ functionCall: { id: 'a', name: 'read', args: { path: 'a' } } }], { finishReason: 'STOP' }),
  ],
  'usage of tools, and cached': [
    {
      ...candidate([{ text: 'done' }], { finishReason: 'STOP' }),
      usageMetadata: {
        promptTokenCount: 9,
        toolUsePromptTokenCount: 3,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 2,
        totalTokenCount: 14,
      },
    },
  ],
  'usage before the end only': [
    {
      ...candidate([{ text: 'do' }]),
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, thoughtsTokenCount: 4 },
    },
    { ...candidate([{ text: 'ne' }], { finishReason: 'STOP' }), usageMetadata: { trafficType: 'ON_DEMAND' } },
  ],
  'parts that are the provider’s own': [
    candidate([
      { executableCode: { language: 'PYTHON', code: '1' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK' } },
    ]),
    candidate([{ text: 'done' }], { finishReason: 'STOP' }),
  ],
  'a signature on a thought and on an empty text': [
    candidate([{ text: 'hm', thought: true, thoughtSignature: 'c2lnbmVk' }, { text: 'done' }]),
    candidate([{ text: '', thoughtSignature: 'c2lnbmVk' }], { finishReason: 'STOP' }),
  ],
  'nothing at all': [candidate([{ text: '' }], { finishReason: 'STOP' })],
  'no reason, and then one': [
    candidate([{ text: 'do' }], { finishReason: 'FINISH_REASON_UNSPECIFIED' }),
    candidate([{ text: 'ne' }], { finishReason: 'STOP' }),
  ],
  'a call that came out wrong': [
    candidate([{ text: 'I read.' }]),
    { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call', index: 0 }] },
  ],
};

/** By the folder that tells the wire, and by what is special. */
export const variants: { [folder: string]: { [name: string]: object[] } } = {
  gemini,
  'openai-chat': chat,
  'openai-responses': responses,
};
