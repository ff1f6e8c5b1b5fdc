import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import type { ResponseInputItem, ResponseOutputItem, Tool } from 'openai/resources/responses/responses';
import type { ScriptedFailure, Stage } from '../../src/testing/index.ts';
import { objectsIn, openaiClient, postResponses } from './support/openai-running.ts';
import { eventsIn } from './support/raw-client.ts';
import type { Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const tools: Tool[] = [
  { type: 'function', name: 'read', parameters: { type: 'object' }, strict: false },
  { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'regex', definition: '.*' } },
];
const include = ['reasoning.encrypted_content' as const];
const asking = { model: 'model-a', instructions: 'be brief', input: 'hello', tools, store: false, include };
const streaming = { ...asking, stream: true };

const full = {
  thinking: 'I look first.',
  text: 'Réading now 👩‍🚀',
  calls: [
    { name: 'read', arguments: { path: 'a/b.ts', deep: { list: [1, null, 'é👩‍🚀'] } } },
    { name: 'read', id: 'own_id' },
    { name: 'patch', arguments: { input: '*** begin\n"é"' } },
  ],
};

/** What an output holds, in the order of its items. */
const told = (output: ResponseOutputItem[]) =>
  output.map((item) => {
    if (item.type === 'reasoning') return item.summary.map(({ text }) => text).join();
    if (item.type === 'message')
      return item.content.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join();
    if (item.type === 'function_call') return item.arguments;
    return item.type === 'custom_tool_call' ? item.input : item.type;
  });
const fullTold = ['I look first.', 'Réading now 👩‍🚀', JSON.stringify(full.calls[0]?.arguments), '{}', '*** begin\n"é"'];

test('the official client reads a streamed response: reasoning, text, parallel calls, custom calls, usage', async (context) => {
  const server = await serve(context, { turns: [full] });
  const stream = openaiClient(server).responses.stream(asking);
  const deltas: string[] = [];
  stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
  stream.on('response.reasoning_summary_text.delta', ({ delta }) => deltas.push(delta));
  stream.on('response.function_call_arguments.delta', ({ delta }) => deltas.push(delta));
  stream.on('response.custom_tool_call_input.delta', ({ delta }) => deltas.push(delta));
  const response = await stream.finalResponse();
  assert.deepEqual(told(response.output), fullTold);
  assert.equal(deltas.join(''), fullTold.join(''));
  assert.deepEqual([response.status, response.model, response.incomplete_details], ['completed', 'model-a', null]);
  const [reasoning, message, first, second, custom] = response.output;
  assert.ok(reasoning?.type === 'reasoning' && (reasoning.encrypted_content?.length ?? 0) > 80);
  assert.ok(message?.type === 'message' && message.phase === 'commentary' && message.status === 'completed');
  assert.ok(first?.type === 'function_call' && /^call_\w{24}$/.test(first.call_id) && /^fc_\w+$/.test(first.id ?? ''));
  assert.ok(second?.type === 'function_call' && second.call_id === 'own_id');
  assert.ok(custom?.type === 'custom_tool_call' && custom.name === 'patch' && /^ctc_\w+$/.test(custom.id ?? ''));
  const { usage } = response;
  assert.ok(usage && usage.input_tokens > 0 && usage.output_tokens > 0);
  assert.equal(usage.total_tokens, usage.input_tokens + usage.output_tokens);
});

test('the official client reads the same response whole, with the same ids', async (context) => {
  const server = await serve(context, { turns: [full] });
  const client = openaiClient(server);
  const whole = await client.responses.create(asking);
  assert.deepEqual(told(whole.output), fullTold);
  assert.equal(whole.output_text, 'Réading now 👩‍🚀');
  const events: { type: string; response?: unknown }[] = [];
  for await (const event of await client.responses.create({ ...asking, stream: true })) events.push(event);
  const { output_text: _, ...response } = whole;
  assert.deepEqual(events.at(-1)?.response, JSON.parse(JSON.stringify(response)));
});

test('events come in the wire’s order, numbered, and named as their type', async (context) => {
  const server = await serve(context, { turns: [full] });
  const { text, headers } = await postResponses(server.url, streaming);
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
  const names = eventsIn(text).map(({ name, data }, index) => {
    assert.deepEqual([data['type'], data['sequence_number']], [name, index]);
    return name.replace(/^response\./, '');
  });
  const squeezed = names.filter((name, index) => name !== names[index - 1]);
  const item = (...inner: string[]) => ['output_item.added', ...inner, 'output_item.done'];
  const call = item('function_call_arguments.delta', 'function_call_arguments.done');
  assert.deepEqual(squeezed, [
    'created',
    'in_progress',
    ...item(
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
    ),
    ...item('content_part.added', 'output_text.delta', 'output_text.done', 'content_part.done'),
    ...call,
    ...call,
    ...item('custom_tool_call_input.delta', 'custom_tool_call_input.done'),
    'completed',
  ]);
});

test('reasoning is handed out sealed only where that is asked for', async (context) => {
  const turns = [{ blocks: [{ thinking: 'open' }, { redacted: 'secret' }, { text: 'x' }] }];
  const server = await serve(context, { turns });
  const client = openaiClient(server);
  const sealed = (await client.responses.create(asking)).output;
  assert.deepEqual(told(sealed), ['open', '', 'x']);
  assert.ok(
    sealed.slice(0, 2).every((item) => item.type === 'reasoning' && typeof item.encrypted_content === 'string'),
  );
  const bare = await client.responses.create({ ...asking, include: [] });
  assert.doesNotMatch(JSON.stringify(bare), /encrypted_content/);
  assert.doesNotMatch(JSON.stringify([sealed, bare]), /secret/);
  assert.equal((bare.output[2] as { phase?: string }).phase, 'final_answer');
});

test('responses: usage is what the turn says, and none is none', async (context) => {
  const usage = { input: 7, cacheRead: 11, cacheWrite: 13, output: 17, reasoning: 5 };
  const server = await serve(context, {
    turns: [{ text: 'x', usage }],
    anyTurn: [{ when: { contains: 'none' }, text: 'x', usage: 'none' }],
  });
  const client = openaiClient(server);
  assert.deepEqual((await client.responses.create(asking)).usage, {
    input_tokens: 31,
    input_tokens_details: { cached_tokens: 11, cache_write_tokens: 13 },
    output_tokens: 17,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 48,
  });
  assert.equal((await client.responses.create({ ...asking, input: 'none' })).usage, null);
});

for (const [stop, status, reason] of [
  ['end', 'completed'],
  ['pause', 'completed'],
  ['length', 'incomplete', 'max_output_tokens'],
  ['overflow', 'incomplete', 'max_output_tokens'],
  ['refusal', 'incomplete', 'content_filter'],
  ['steered', 'incomplete', 'steered'],
] as const) {
  test(`responses: the stop ${stop} is ${status} ${reason ?? ''} on the wire`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', stop }] });
    const client = openaiClient(server);
    const streamed = await client.responses.stream(asking).finalResponse();
    for (const response of [await client.responses.create(asking), streamed]) {
      assert.deepEqual([response.status, response.incomplete_details?.reason], [status, reason]);
      assert.deepEqual(told(response.output), ['x']);
      const [message] = response.output;
      assert.ok(message?.type === 'message' && message.status === status);
      assert.equal(message.content[0]?.type, stop === 'refusal' ? 'refusal' : 'output_text');
    }
    const last = eventsIn((await postResponses(server.url, streaming)).text).at(-1)?.name;
    assert.equal(last, `response.${status}`);
  });
}

test('a refusal without a word says its explanation', async (context) => {
  const server = await serve(context, { turns: [{ stop: 'refusal', stopDetail: 'not that' }] });
  const { text } = await postResponses(server.url, streaming);
  const deltas = eventsIn(text).filter(({ name }) => name === 'response.refusal.delta');
  assert.equal(deltas.map(({ data }) => data['delta'] as string).join(''), 'not that');
});

test('the text for a custom tool is its input, its only text, or all arguments', async (context) => {
  const patches = [{ input: 'a', more: 1 }, { patch: 'b' }, { patch: 5 }, { a: 'x', b: 'y' }];
  const calls = patches.map((given) => ({ name: 'patch', arguments: given }));
  const server = await serve(context, { turns: [{ calls: [...calls, { name: 'patch', malformed: '{"c' }] }] });
  const { output } = await openaiClient(server).responses.create(asking);
  assert.deepEqual(told(output), ['a', 'b', '{"patch":5}', '{"a":"x","b":"y"}', '{"c']);
});

test('a conversation goes through the official client, item by item, to the right places of the script', async (context) => {
  const server = await serve(context, {
    turns: [
      { thinking: 'a', text: 'I look.', calls: [{ name: 'read', arguments: { path: 'a' } }, { name: 'patch' }] },
      {
        expect: {
          results: [
            { name: 'read', contains: 'A' },
            { name: 'patch', error: false },
          ],
        },
        text: ['done', 'now'],
      },
      {
        expect: {
          contains: ['the mode changed', 'more'],
          lacks: 'hello',
          system: ['be brief', 'and kind'],
          tools: ['read', 'patch'],
        },
        text: 'all',
      },
    ],
  });
  const client = openaiClient(server);
  const start: ResponseInputItem[] = [
    { role: 'developer', content: 'and kind' },
    { role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
  ];
  const ask = async (input: ResponseInputItem[]) => (await client.responses.create({ ...asking, input })).output;
  const first = await ask(start);
  const outputs = first.flatMap((item): ResponseInputItem[] => {
    if (item.type === 'function_call') {
      const image = { type: 'input_image' as const, image_url: 'https://a.invalid/b.png', detail: 'auto' as const };
      return [
        { type: 'function_call_output', call_id: item.call_id, output: [{ type: 'input_text', text: 'A' }, image] },
      ];
    }
    return item.type === 'custom_tool_call'
      ? [{ type: 'custom_tool_call_output', call_id: item.call_id, output: '' }]
      : [];
  });
  const after = [...start, ...(first as ResponseInputItem[]), ...outputs];
  const second = await ask(after);
  assert.deepEqual(told(second), ['done', 'now']);
  const more: ResponseInputItem[] = [
    { role: 'developer', content: 'the mode changed' },
    { role: 'user', content: 'more' },
  ];
  assert.deepEqual(told(await ask([...after, ...(second as ResponseInputItem[]), ...more])), ['all']);
  assert.deepEqual(
    server.requests.map((request) => request.place),
    ['turn 1', 'turn 2', 'turn 3'],
  );
  assert.deepEqual(
    server.requests[2]?.question.messages.map(({ role, blocks, images }) => [role, blocks, images]),
    [
      ['user', 1, 0],
      ['assistant', 4, 0],
      ['user', 2, 1],
      ['assistant', 2, 0],
      ['user', 2, 0],
    ],
  );
  assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
});

test('a response that is stored can be gone on from, and its items be referred to', async (context) => {
  const server = await serve(context, {
    turns: [
      { thinking: 'a', calls: [{ name: 'read', id: 'c' }] },
      { expect: { results: [{ name: 'read', contains: 'A' }], anywhere: 'hello' }, text: 'done', repeat: 2 },
    ],
  });
  const client = openaiClient(server);
  const stored = { ...asking, store: true, include: [] };
  const first = await client.responses.create(stored);
  const output: ResponseInputItem = { type: 'function_call_output', call_id: 'c', output: 'A' };
  const next = await client.responses.create({ ...stored, previous_response_id: first.id, input: [output] });
  assert.deepEqual([next.output_text, next.previous_response_id], ['done', first.id]);
  const references = first.output.map(({ id }): ResponseInputItem => ({ type: 'item_reference', id: id ?? '' }));
  const input = [{ role: 'user' as const, content: 'hello' }, ...references, output];
  assert.equal((await client.responses.create({ ...stored, input })).output_text, 'done');
  assert.deepEqual([server.refusals, server.prefixBreaks], [[], []]);
});

test('input tokens are counted, and counting is no turn', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] });
  const client = openaiClient(server);
  const short = await client.responses.inputTokens.count({ model: 'm', input: 'a' });
  const long = await client.responses.inputTokens.count({ model: 'm', input: 'a', instructions: 'x'.repeat(4000) });
  assert.ok(long.input_tokens - short.input_tokens > 990);
  assert.equal(server.requests.length, 0);
});

test('a block of the wire is an item as it is; whatever else a request is, it is read', async (context) => {
  const opaque = { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' };
  const server = await serve(context, {
    turns: [{ blocks: [{ opaque }, { text: 'a' }], repeat: 'forever' }],
    strict: false,
  });
  const { output } = await openaiClient(server).responses.create(asking);
  assert.deepEqual(output[0], opaque);
  await postResponses(server.url, {
    input: [5, null, { role: 'odd' }, {}],
    max_output_tokens: 7,
    tools: 'no',
    include: 1,
  });
  assert.partialDeepStrictEqual(server.requests[1]?.question, { maxOutput: 7, model: '', system: '' });
});

test('responses: a stream that is given is sent as it is, with its end told from its terminal event', async (context) => {
  const raw = [
    { type: 'response.output_text.delta', delta: 'a' },
    { type: 'response.completed', response: {} },
    ': end\n\n',
  ];
  const server = await serve(context, { turns: [{ raw, failures: [{ cut: 'before-end' }] }] });
  const cut = await postResponses(server.url, streaming);
  assert.ok(!cut.complete && cut.text.includes('"a"') && !cut.text.includes('completed'));
  const { text } = await postResponses(server.url, streaming);
  assert.deepEqual(
    eventsIn(text).map(({ name }) => name),
    ['response.output_text.delta', 'response.completed', ''],
  );
});

const kinds: [number, new (...args: never[]) => Error, string | null][] = [
  [400, BadRequestError, null],
  [401, AuthenticationError, 'invalid_api_key'],
  [404, NotFoundError, 'model_not_found'],
  [429, RateLimitError, 'rate_limit_exceeded'],
  [500, InternalServerError, null],
  [529, InternalServerError, 'server_is_overloaded'],
];
for (const [status, kind, code] of kinds) {
  test(`responses: for status ${status} the official client throws ${kind.name}`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', failures: [{ status, message: 'why' }] }] });
    await assert.rejects(openaiClient(server).responses.create(asking), (error: APIError) => {
      assert.ok(error instanceof kind);
      assert.deepEqual([error.status, error.code], [status, code]);
      return true;
    });
  });
}

test('responses: a wrong key, a bad request and limits have the provider’s shape', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] }, { key: 'right' });
  await assert.rejects(openaiClient(server, 'wrong').responses.create(asking), AuthenticationError);
  const client = openaiClient(server, 'right');
  const { response } = await client.responses.create(asking).withResponse();
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
  assert.equal(response.headers.get('x-ratelimit-limit-tokens'), '2000000');
  const bad = client.responses.create({ ...asking, max_output_tokens: 15 });
  await assert.rejects(bad, (error: APIError) => {
    assert.deepEqual([error.status, error.code, error.param], [400, 'integer_below_min_value', 'max_output_tokens']);
    return true;
  });
});

const turn = { thinking: 'thinking', text: 'abcdefgh', calls: [{ name: 'read', arguments: { path: 'abcdefgh' } }] };
const stages: { [S in Stage]?: [reasoning: string, text: string, call: string] } = {
  'after-headers': ['', '', ''],
  'in-thinking': ['thin', '', ''],
  'in-text': ['thinking', 'abcd', ''],
  'in-call': ['thinking', 'abcdefgh', '{"path":"a'],
  'before-end': ['thinking', 'abcdefgh', '{"path":"abcdefgh"}'],
};

function came(text: string): string[] {
  const joined = (kind: string) =>
    objectsIn(text)
      .filter((event) => event['type'] === `response.${kind}.delta`)
      .map((event) => event['delta'] as string)
      .join('');
  return [joined('reasoning_summary_text'), joined('output_text'), joined('function_call_arguments')];
}

for (const [stage, until] of Object.entries(stages) as [Stage, string[]][]) {
  test(`responses: cut ${stage}: what came before it has come, nothing after it`, async (context) => {
    const server = await serve(context, { turns: [{ ...turn, failures: [{ cut: stage }] }] });
    const cut = await postResponses(server.url, streaming);
    assert.deepEqual([cut.status, cut.complete], [200, false]);
    assert.deepEqual(came(cut.text), until);
    assert.doesNotMatch(cut.text, /response\.completed/);
    const next = await postResponses(server.url, streaming);
    assert.ok(next.complete && next.text.includes('response.completed'));
  });

  test(`responses: an error in the stream ${stage} ends it, and the official client throws it`, async (context) => {
    const failures: ScriptedFailure[] = [{ streamError: stage, error: 'server_error', message: 'oops', times: 2 }];
    const server = await serve(context, { turns: [{ ...turn, failures }] });
    const { text, complete } = await postResponses(server.url, streaming);
    assert.ok(complete);
    assert.deepEqual(came(text), until);
    const events = objectsIn(text);
    assert.partialDeepStrictEqual(events.at(-1), { type: 'error', code: 'server_error', message: 'oops', param: null });
    const numbers = events.map((event) => event['sequence_number'] as number);
    assert.ok(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!));
    await assert.rejects(openaiClient(server).responses.stream(asking).finalResponse(), /oops/);
  });
}

test('responses: a response that isn’t streamed fails in the same ways', async (context) => {
  const failures: ScriptedFailure[] = [{ cut: 'in-text' }, { streamError: 'in-text' }];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const cut = await postResponses(server.url, asking);
  assert.ok(cut.status === 200 && !cut.complete && cut.text.startsWith('{"id":"resp_'));
  assert.equal((await postResponses(server.url, asking)).status, 529);
  const { output } = JSON.parse((await postResponses(server.url, asking)).text) as { output: Json[] };
  assert.equal(output.length, 1);
});
