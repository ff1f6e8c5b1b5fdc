/** Small recordings of every wire, one JSON event a line, and folders to put them in. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder with these files, gone when the test ends. */
export async function folderOf(test: TestContext, files: { [name: string]: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reins-recordings-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export const lines = (events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');

/** The same events framed, with a comment and other line ends, as a server may send them. */
export const framed = (events: object[], end = '\n'): string =>
  [': hello', ...events.map((event) => framedEvent(event, end))].join(end + end) + end + end;

function framedEvent(event: object, end: string): string {
  const name = 'type' in event ? `event: ${String(event.type)}${end}` : '';
  return `${name}data: ${JSON.stringify(event)}`;
}

const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];

const messageOf = (stop_reason: string, ...blocks: object[][]) => [
  {
    type: 'message_start',
    message: { id: 'msg_1', usage: { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 } },
  },
  { type: 'ping' },
  ...blocks.flat(),
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

export const anthropic = messageOf(
  'tool_use',
  block(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'hm, ' },
    { type: 'thinking_delta', thinking: 'so' },
    { type: 'signature_delta', signature: 'c2lnbmVk' },
  ),
  block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'I réad ' }, { type: 'text_delta', text: '👩‍🚀.' }),
  block(
    2,
    { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
    { type: 'input_json_delta', partial_json: '{"path":' },
    { type: 'input_json_delta', partial_json: '"a"}' },
  ),
  block(
    3,
    { type: 'tool_use', id: 'toolu_2', name: 'list', input: {} },
    { type: 'input_json_delta', partial_json: '' },
  ),
);

export const anthropicText = messageOf(
  'end_turn',
  block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'done' }),
);

const candidate = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: {
    promptTokenCount: 20,
    cachedContentTokenCount: 8,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 3,
    totalTokenCount: 28,
  },
  modelVersion: 'gemini-x',
  responseId: 'one',
});

export const gemini = [
  candidate([{ text: 'hm, so', thought: true }]),
  candidate([{ text: 'I réad ' }]),
  candidate([{ text: '👩‍🚀.' }]),
  candidate([
    { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2lnbmVk' },
    { functionCall: { name: 'list' } },
  ]),
  candidate([{ text: '' }], { finishReason: 'STOP' }),
];

/** Arguments that come piece by piece, each to its place. */
const geminiPieces = [
  candidate([{ functionCall: { name: 'read', willContinue: true }, thoughtSignature: 'c2lnbmVk' }]),
  candidate([
    {
      functionCall: {
        partialArgs: [{ jsonPath: '$.path', stringValue: 'a/', willContinue: true }],
        willContinue: true,
      },
    },
  ]),
  candidate([
    {
      functionCall: {
        partialArgs: [
          { jsonPath: '$.path', stringValue: 'b' },
          { jsonPath: '$.lines[0]', numberValue: 3 },
          { jsonPath: '$.options.all', boolValue: true },
        ],
        willContinue: true,
      },
    },
  ]),
  candidate([{ functionCall: {} }]),
  candidate([{ text: '' }], { finishReason: 'STOP' }),
];

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

export const chat = [
  chunk({ role: 'assistant', content: '', reasoning_content: 'hm, ' }),
  chunk({ reasoning_content: 'so' }),
  chunk({ content: 'I réad ' }),
  chunk({ content: '👩‍🚀.' }),
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, id: '', function: { arguments: '{"path":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
  chunk({ tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'list', arguments: '{}' } }] }),
  chunk({}, { finish_reason: 'tool_calls' }),
  {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 8,
      total_tokens: 28,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
  },
];

const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm, so' }],
  encrypted_content: 'c2VhbGVk',
};
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'I réad 👩‍🚀.', annotations: [] }],
};
const called = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read',
  arguments: '{"path":"a"}',
  status: 'completed',
};
const other = { ...called, id: 'fc_2', call_id: 'call_2', name: 'list', arguments: '{}' };

const item = (output_index: number, whole: object, begun: object, ...deltas: object[]) => [
  { type: 'response.output_item.added', output_index, item: begun },
  ...deltas.map((delta) => ({ output_index, ...delta })),
  { type: 'response.output_item.done', output_index, item: whole },
];

const responseOf = (output: object[], ...events: object[][]) => [
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  { type: 'response.in_progress', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  ...events.flat(),
  {
    type: 'response.completed',
    response: {
      id: 'resp_1',
      status: 'completed',
      output,
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 8 },
        output_tokens: 8,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 28,
      },
    },
  },
];

export const responses = responseOf(
  [reasoning, message, called, other],
  item(
    0,
    reasoning,
    { ...reasoning, summary: [] },
    {
      type: 'response.reasoning_summary_part.added',
      item_id: 'rs_1',
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    },
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: 'hm, so' },
    { type: 'response.reasoning_summary_text.done', item_id: 'rs_1', summary_index: 0, text: 'hm, so' },
  ),
  item(
    1,
    message,
    { ...message, status: 'in_progress', content: [] },
    {
      type: 'response.content_part.added',
      item_id: 'msg_1',
      content_index: 0,
      part: { type: 'output_text', text: '' },
    },
    { type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta: 'I réad ' },
    { type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta: '👩‍🚀.' },
    { type: 'response.output_text.done', item_id: 'msg_1', content_index: 0, text: 'I réad 👩‍🚀.' },
  ),
  item(
    2,
    called,
    { ...called, status: 'in_progress', arguments: '' },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"path":"a"}' },
    { type: 'response.function_call_arguments.done', item_id: 'fc_1', arguments: '{"path":"a"}' },
  ),
  item(3, other, { ...other, status: 'in_progress', arguments: '' }),
);

const custom = {
  type: 'custom_tool_call',
  id: 'ct_1',
  call_id: 'call_1',
  name: 'patch',
  input: '*** Begin\n',
  status: 'completed',
};

/** A tool that takes plain text. */
const responsesCustom = responseOf(
  [custom],
  item(
    0,
    custom,
    { ...custom, input: '' },
    { type: 'response.custom_tool_call_input.delta', item_id: 'ct_1', delta: '*** Begin\n' },
  ),
);

/** By the folder that tells the wire. */
export const recordings: { [folder: string]: object[][] } = {
  'anthropic-messages': [anthropic, anthropicText],
  gemini: [gemini, geminiPieces],
  'openai-chat': [chat],
  'openai-responses': [responses, responsesCustom],
};
