import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthenticationError, BadRequestError, InternalServerError, NotFoundError, RateLimitError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ScriptedFailure, Stage } from '../../src/testing/index.ts';
import { dataIn, deltasIn, objectsIn, openaiClient, postChat } from './support/openai-running.ts';
import type { Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const tools = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }];
const hello: ChatCompletionMessageParam[] = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'hello' },
];
const asking = { model: 'model-a', tools, messages: hello };
const streaming = { ...asking, stream: true, stream_options: { include_usage: true } };
const joined = (text: string, key: string): string =>
  deltasIn(text)
    .map((delta) => (delta[key] ?? '') as string)
    .join('');

const full = {
  thinking: 'I look first.',
  text: ['Réading ', 'now 👩‍🚀'],
  calls: [
    { name: 'read', arguments: { path: 'a/b.ts', deep: { list: [1, null, 'é👩‍🚀'] } } },
    { name: 'read', id: 'own_id' },
  ],
};

test('the official client reads a streamed reply: text, parallel calls, stop, usage', async (context) => {
  const server = await serve(context, { turns: [full] });
  const stream = openaiClient(server).chat.completions.stream({ ...asking, stream_options: { include_usage: true } });
  const deltas: string[] = [];
  stream.on('content', (delta) => deltas.push(delta));
  const completion = await stream.finalChatCompletion();
  const { message, finish_reason: finish } = completion.choices[0]!;
  assert.equal(finish, 'tool_calls');
  assert.equal(message.content, 'Réading now 👩‍🚀');
  assert.equal(deltas.join(''), 'Réading now 👩‍🚀');
  const [first, second] = message.tool_calls ?? [];
  assert.ok(first?.type === 'function' && second?.type === 'function');
  assert.match(first.id, /^call_\w{24}$/);
  assert.equal(second.id, 'own_id');
  assert.deepEqual(JSON.parse(first.function.arguments), full.calls[0]?.arguments);
  assert.deepEqual([first.function.name, second.function.arguments], ['read', '{}']);
  assert.equal(completion.model, 'model-a');
  const { usage } = completion;
  assert.ok(usage && usage.prompt_tokens > 0 && usage.completion_tokens > 0);
  assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
});

test('the official client reads the same reply whole, with the same ids and the reasoning beside it', async (context) => {
  const server = await serve(context, { turns: [full] });
  const client = openaiClient(server);
  const whole = await client.chat.completions.create(asking);
  const streamed = await client.chat.completions.stream(asking).finalChatCompletion();
  assert.equal(whole.id, streamed.id);
  const { message, finish_reason: finish } = whole.choices[0]!;
  assert.equal(finish, 'tool_calls');
  assert.equal(message.content, 'Réading now 👩‍🚀');
  assert.deepEqual(message.tool_calls, streamed.choices[0]?.message.tool_calls);
  assert.equal((message as unknown as Json)['reasoning_content'], 'I look first.');
  assert.ok((whole.usage?.total_tokens ?? 0) > 0);
});

test('reasoning arrives in deltas before the text, and the order of chunks is the wire’s', async (context) => {
  const server = await serve(context, { turns: [full] });
  const { text, headers } = await postChat(server.url, streaming);
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(joined(text, 'reasoning_content'), 'I look first.');
  const kinds = deltasIn(text).map((delta) => Object.keys(delta).join());
  const squeezed = kinds.filter((kind, index) => kind !== kinds[index - 1]);
  assert.deepEqual(squeezed, ['role,content,refusal', 'reasoning_content', 'content', 'tool_calls', '']);
  const calls = deltasIn(text).flatMap((delta) => (delta['tool_calls'] ?? []) as Json[]);
  assert.deepEqual(
    calls.filter((call) => call['id'] !== undefined).map((call) => [call['index'], call['type']]),
    [
      [0, 'function'],
      [1, 'function'],
    ],
  );
  const chunks = objectsIn(text);
  assert.deepEqual(chunks.at(-1)?.['choices'], []);
  assert.ok(chunks.slice(0, -1).every((chunk) => chunk['usage'] === null));
  assert.equal(dataIn(text).at(-1), '[DONE]');
});

test('usage comes in a stream only where it is asked for', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  const { stream_options: _, ...body } = streaming;
  const silent = await postChat(server.url, body);
  assert.doesNotMatch(silent.text, /usage/);
  assert.equal(dataIn(silent.text).at(-1), '[DONE]');
  const asked = await postChat(server.url, streaming);
  assert.match(asked.text, /"usage":\{"prompt_tokens"/);
});

test('usage is what the turn says, and none is none', async (context) => {
  const usage = { input: 7, cacheRead: 11, cacheWrite: 13, output: 17, reasoning: 5 };
  const server = await serve(context, {
    turns: [{ text: 'x', usage }],
    anyTurn: [{ when: { contains: 'none' }, text: 'x', usage: 'none' }],
  });
  const completion = await openaiClient(server).chat.completions.create(asking);
  assert.deepEqual(completion.usage, {
    prompt_tokens: 31,
    prompt_tokens_details: { cached_tokens: 11, cache_write_tokens: 13 },
    completion_tokens: 17,
    completion_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 48,
  });
  const silent = await postChat(server.url, { ...streaming, messages: [{ role: 'user', content: 'none' }] });
  assert.equal(objectsIn(silent.text).filter((chunk) => chunk['usage'] !== null).length, 0);
});

test('estimated usage follows a cache that needs no marks, or those that are given', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  const read = async (messages: unknown[]) => {
    const { text } = await postChat(server.url, { model: 'model-a', messages });
    const { usage } = JSON.parse(text) as { usage: { prompt_tokens_details: { cached_tokens: number } } };
    return usage.prompt_tokens_details.cached_tokens;
  };
  const long = { role: 'user', content: 'x'.repeat(8000) };
  assert.equal(await read([long]), 0);
  assert.ok((await read([long, { role: 'assistant', content: 'x' }, { role: 'user', content: 'y' }])) > 1900);
  const part = (text: string, mark: object) => ({ role: 'user', content: [{ type: 'text', text, ...mark }] });
  const mark = { cache_control: { type: 'ephemeral' } };
  const changing = (end: string) => [part('m'.repeat(8000), mark), part(end, {})];
  assert.equal(await read(changing('a')), 0);
  assert.ok((await read(changing('b'))) > 1900);
});

for (const [stop, word] of Object.entries({
  end: 'stop',
  length: 'length',
  pause: 'stop',
  refusal: 'content_filter',
  overflow: 'length',
  error: 'error',
})) {
  test(`chat: the stop ${stop} is ${word} on the wire`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', stop, stopDetail: 'because' }] });
    const client = openaiClient(server);
    const whole = (await client.chat.completions.create(asking)).choices[0]!;
    const streamed = (await client.chat.completions.stream(asking).finalChatCompletion()).choices[0]!;
    assert.deepEqual([whole.finish_reason, streamed.finish_reason], [word, word]);
    const detail = stop === 'refusal' ? 'because' : null;
    assert.deepEqual([whole.message.refusal, streamed.message.refusal], [detail, detail]);
  });
}

test('a conversation goes through the official client, turn by turn, to the right places of the script', async (context) => {
  const server = await serve(context, {
    turns: [
      { thinking: 'a', calls: [{ name: 'read', arguments: { path: 'a' } }, { name: 'read' }] },
      {
        expect: {
          results: [
            { name: 'read', contains: 'A' },
            { name: 'read', error: false },
          ],
        },
        text: 'done',
      },
      {
        expect: { contains: ['the mode changed', 'more'], lacks: 'hello', system: 'be brief', tools: ['read'] },
        text: 'all',
      },
    ],
  });
  const client = openaiClient(server);
  const first = (await client.chat.completions.create(asking)).choices[0]!.message;
  const results = (first.tool_calls ?? []).map(({ id }, index) => {
    return { role: 'tool' as const, tool_call_id: id, content: index === 0 ? 'A' : '' };
  });
  const after = [...hello, first, ...results];
  const second = (await client.chat.completions.create({ ...asking, messages: after })).choices[0]!.message;
  assert.equal(second.content, 'done');
  const more: ChatCompletionMessageParam[] = [
    { role: 'developer', content: 'the mode changed' },
    { role: 'user', content: 'more' },
  ];
  const third = await client.chat.completions.create({ ...asking, messages: [...after, second, ...more] });
  assert.equal(third.choices[0]?.message.content, 'all');
  assert.deepEqual(
    server.requests.map((request) => request.place),
    ['turn 1', 'turn 2', 'turn 3'],
  );
  assert.deepEqual(
    server.requests[2]?.question.messages.map(({ role, blocks }) => [role, blocks]),
    [
      ['user', 1],
      ['assistant', 3],
      ['user', 2],
      ['assistant', 1],
      ['user', 2],
    ],
  );
  assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
});

test('images are counted, limits are read, whatever else the request is', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] }, { strict: false });
  const image = { type: 'image_url', image_url: { url: 'https://a.invalid/b.png' } };
  await postChat(server.url, {
    messages: [{ role: 'user', content: [image, { type: 'text', text: 'a' }] }],
    max_tokens: 5,
  });
  await postChat(server.url, {
    messages: [5, null, { role: 'odd' }],
    max_completion_tokens: 7,
    tools: 'no',
    stream_options: 1,
  });
  const [first, second] = server.requests.map(({ question }) => question);
  assert.partialDeepStrictEqual(first, { maxOutput: 5, messages: [{ images: 1, text: 'a' }] });
  assert.partialDeepStrictEqual(second, { maxOutput: 7, model: '', messages: [] });
});

test('sealed reasoning and blocks of the wire come in deltas and in the whole message', async (context) => {
  const opaque = {
    annotations: [{ type: 'url_citation' }],
    reasoning_details: [{ type: 'reasoning.text', text: 'open' }],
  };
  const server = await serve(context, { turns: [{ blocks: [{ redacted: 'secret' }, { opaque }, { text: 'a' }] }] });
  const { text } = await postChat(server.url, streaming);
  const details = deltasIn(text).flatMap((delta) => (delta['reasoning_details'] ?? []) as Json[]);
  assert.deepEqual(
    details.map((detail) => detail['type']),
    ['reasoning.encrypted', 'reasoning.text'],
  );
  assert.doesNotMatch(text, /secret/);
  const { message } = (await openaiClient(server).chat.completions.create(asking)).choices[0]!;
  assert.deepEqual((message as unknown as Json)['reasoning_details'], details);
  assert.deepEqual(message.annotations, opaque.annotations);
});

test('malformed arguments arrive as they are written, in pieces', async (context) => {
  const server = await serve(context, { turns: [{ calls: [{ name: 'read', malformed: '{"path": "a' }], chunk: 3 }] });
  const calls = deltasIn((await postChat(server.url, streaming)).text).flatMap(
    (delta) => (delta['tool_calls'] ?? []) as { function: { arguments: string } }[],
  );
  assert.deepEqual(
    calls.map((call) => call.function.arguments),
    ['', '{"p', 'ath', '": ', '"a'],
  );
});

test('a stream that is given is sent as it is, with its end told from its finish reason', async (context) => {
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const raw = [': comment\n\n', { choices: [{ index: 0, delta: { content: 'a' } }] }, end, 'data: [DONE]\n\n'];
  const server = await serve(context, { turns: [{ raw, failures: [{ cut: 'before-end' }] }] });
  const cut = await postChat(server.url, streaming);
  assert.ok(!cut.complete && cut.text.includes('"a"') && !cut.text.includes('stop'));
  const { text } = await postChat(server.url, streaming);
  assert.equal(
    text,
    `: comment\n\ndata: ${JSON.stringify(raw[1])}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`,
  );
});

test('any path that ends like the API’s is one', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] });
  const body = { model: 'm', messages: [{ role: 'user', content: 'a' }] };
  assert.equal((await postChat(server.url, body, { path: '/api/v4/chat/completions?api-version=1' })).status, 200);
  assert.equal((await postChat(server.url, body, { path: '/v1/completions' })).status, 404);
  assert.equal((await postChat(server.url, '', { method: 'GET' })).status, 404);
});

const kinds: [ScriptedFailure & { status: number }, new (...args: never[]) => Error, object][] = [
  [{ status: 400 }, BadRequestError, { type: 'invalid_request_error', code: null }],
  [{ status: 400, error: 'context_length_exceeded' }, BadRequestError, { code: 'context_length_exceeded' }],
  [{ status: 401 }, AuthenticationError, { type: 'invalid_request_error', code: 'invalid_api_key' }],
  [{ status: 404 }, NotFoundError, { type: 'invalid_request_error', code: 'model_not_found' }],
  [{ status: 429 }, RateLimitError, { type: 'requests', code: 'rate_limit_exceeded' }],
  [{ status: 429, error: 'tokens' }, RateLimitError, { type: 'tokens', code: 'rate_limit_exceeded' }],
  [
    { status: 429, error: 'insufficient_quota' },
    RateLimitError,
    { type: 'insufficient_quota', code: 'insufficient_quota' },
  ],
  [{ status: 500 }, InternalServerError, { type: 'server_error', code: null }],
  [{ status: 503 }, InternalServerError, { type: 'service_unavailable_error', code: 'server_is_overloaded' }],
];
for (const [failure, kind, shape] of kinds) {
  test(`chat: for status ${failure.status} ${'error' in failure ? failure.error : ''} the official client throws ${kind.name}`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', failures: [{ ...failure, message: 'why' }] }] });
    await assert.rejects(openaiClient(server).chat.completions.create(asking), (error: BadRequestError) => {
      assert.ok(error instanceof kind);
      assert.match(error.message, /why/);
      for (const [key, value] of Object.entries(shape)) assert.equal((error as unknown as Json)[key], value, key);
      return true;
    });
  });
}

test('a wrong key, a bad request and limits have the provider’s shape', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] }, { key: 'right' });
  await assert.rejects(openaiClient(server, 'wrong').chat.completions.create(asking), AuthenticationError);
  const client = openaiClient(server, 'right');
  const { response } = await client.chat.completions.create(asking).withResponse();
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
  assert.equal(response.headers.get('x-ratelimit-remaining-requests'), '3999');
  assert.match(response.headers.get('x-ratelimit-reset-tokens') ?? '', /^\d+ms$/);
  const bad = client.chat.completions.create({ ...asking, messages: [] });
  await assert.rejects(bad, (error: BadRequestError) => {
    assert.ok(error instanceof BadRequestError);
    assert.deepEqual([error.type, error.code, error.param], ['invalid_request_error', 'empty_array', 'messages']);
    assert.match(error.requestID ?? '', /^req_/);
    return true;
  });
});

const stages: { turn: object; until: { [S in Stage]?: [reasoning: string, text: string, call: string] } } = {
  turn: { thinking: 'thinking', text: 'abcdefgh', calls: [{ name: 'read', arguments: { path: 'abcdefgh' } }] },
  until: {
    'after-headers': ['', '', ''],
    'in-thinking': ['thin', '', ''],
    'in-text': ['thinking', 'abcd', ''],
    'in-call': ['thinking', 'abcdefgh', '{"path":"a'],
    'before-end': ['thinking', 'abcdefgh', '{"path":"abcdefgh"}'],
  },
};

function came(text: string): string[] {
  const calls = deltasIn(text).flatMap((delta) => (delta['tool_calls'] ?? []) as { function: { arguments: string } }[]);
  const pieces = calls.map((call) => call.function.arguments);
  return [joined(text, 'reasoning_content'), joined(text, 'content'), pieces.join('')];
}

for (const [stage, until] of Object.entries(stages.until) as [Stage, string[]][]) {
  test(`chat: cut ${stage}: what came before it has come, nothing after it`, async (context) => {
    const server = await serve(context, { turns: [{ ...stages.turn, failures: [{ cut: stage }] }] });
    const cut = await postChat(server.url, streaming);
    assert.deepEqual([cut.status, cut.complete], [200, false]);
    assert.deepEqual(came(cut.text), until);
    assert.doesNotMatch(cut.text, /"finish_reason":"|DONE/);
    const next = await postChat(server.url, streaming);
    assert.ok(next.complete && dataIn(next.text).at(-1) === '[DONE]');
  });

  test(`chat: an error in the stream ${stage} ends it, and the official client throws it`, async (context) => {
    const failures: ScriptedFailure[] = [{ streamError: stage, error: 'server_error', message: 'oops', times: 2 }];
    const server = await serve(context, { turns: [{ ...stages.turn, failures }] });
    const { text, complete } = await postChat(server.url, streaming);
    assert.ok(complete);
    assert.deepEqual(came(text), until);
    assert.partialDeepStrictEqual(objectsIn(text).at(-1), { error: { message: 'oops', type: 'server_error' } });
    const stream = openaiClient(server).chat.completions.stream(asking);
    await assert.rejects(stream.finalChatCompletion(), /oops/);
  });
}

test('chat: a reply that isn’t streamed fails in the same ways', async (context) => {
  const failures: ScriptedFailure[] = [{ cut: 'in-text' }, { streamError: 'in-text' }];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const cut = await postChat(server.url, asking);
  assert.ok(cut.status === 200 && !cut.complete && cut.text.startsWith('{"id":"chatcmpl-'));
  assert.equal((await postChat(server.url, asking)).status, 529);
  assert.match((await postChat(server.url, asking)).text, /"object":"chat.completion"/);
});
