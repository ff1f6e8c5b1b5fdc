import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import Anthropic, { AuthenticationError } from '@anthropic-ai/sdk';
import { startModelServer } from '../../src/testing/index.ts';
import { eventsIn, post, saying, textIn } from './support/raw-client.ts';
import { officialClient, serve } from './support/running.ts';

const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
const hello = [{ role: 'user' as const, content: 'hello' }];
const asking = { model: 'model-a', max_tokens: 500, tools, messages: hello };

test('the official client reads a streamed reply: thinking, text, calls, stop, usage', async (context) => {
  const args = { path: 'a/b.ts', deep: { list: [1, null, 'é👩‍🚀'] } };
  const server = await serve(context, {
    turns: [{ thinking: 'I look first.', text: ['Réading ', 'now 👩‍🚀'], calls: [{ name: 'read', arguments: args }] }],
  });
  const stream = officialClient(server).messages.stream(asking);
  const deltas: string[] = [];
  stream.on('text', (delta) => deltas.push(delta));
  const message = await stream.finalMessage();
  assert.deepEqual(
    message.content.map((block) => block.type),
    ['thinking', 'text', 'text', 'tool_use'],
  );
  const [thinking, first, second, call] = message.content;
  assert.ok(thinking?.type === 'thinking' && thinking.thinking === 'I look first.' && thinking.signature.length > 40);
  assert.ok(first?.type === 'text' && first.text === 'Réading ');
  assert.ok(second?.type === 'text' && second.text === 'now 👩‍🚀');
  assert.ok(call?.type === 'tool_use' && call.name === 'read' && /^toolu_01\w+$/.test(call.id));
  assert.deepEqual(call.input, args);
  assert.equal(deltas.join(''), 'Réading now 👩‍🚀');
  assert.equal(message.stop_reason, 'tool_use');
  assert.equal(message.model, 'model-a');
  assert.ok(message.usage.input_tokens > 0 && message.usage.output_tokens > 0);
});

test('the official client reads the same reply whole, with the same ids', async (context) => {
  const turns = [{ thinking: 'hm', text: 'hi', calls: [{ name: 'read', arguments: { path: 'x' } }] }];
  const server = await serve(context, { turns });
  const client = officialClient(server);
  const whole = await client.messages.create(asking);
  const streamed = await client.messages.stream(asking).finalMessage();
  assert.deepEqual(whole.content, streamed.content);
  assert.equal(whole.id, streamed.id);
  assert.equal(whole.stop_reason, 'tool_use');
});

test('a conversation with results goes through the official client, turn by turn', async (context) => {
  const server = await serve(context, {
    turns: [
      {
        thinking: 'a',
        calls: [
          { name: 'read', arguments: { path: 'a' } },
          { name: 'read', id: 'own_id' },
        ],
      },
      {
        text: 'done',
        expect: {
          results: [
            { name: 'read', contains: 'A' },
            { name: 'read', error: true },
          ],
        },
      },
    ],
  });
  const client = officialClient(server);
  const first = await client.messages.create(asking);
  const ids = first.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  assert.equal(ids[1], 'own_id');
  const results = ids.map((id, index) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: index === 0 ? 'A' : 'no such file',
    is_error: index === 1,
  }));
  const messages = [
    ...hello,
    { role: 'assistant' as const, content: first.content as never },
    { role: 'user' as const, content: results },
  ];
  const second = await client.messages.create({ ...asking, messages });
  assert.deepEqual(second.content, [{ type: 'text', text: 'done' }]);
  assert.deepEqual(
    server.requests.map((request) => request.place),
    ['turn 1', 'turn 2'],
  );
  assert.deepEqual(server.refusals, []);
});

for (const [stop, word] of Object.entries({
  end: 'end_turn',
  length: 'max_tokens',
  pause: 'pause_turn',
  refusal: 'refusal',
  overflow: 'model_context_window_exceeded',
  stop_sequence: 'stop_sequence',
})) {
  test(`the stop ${stop} is ${word} on the wire`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', stop, stopDetail: 'because' }] });
    const message = await officialClient(server).messages.stream(asking).finalMessage();
    assert.equal(message.stop_reason, word);
    assert.equal(message.stop_details?.explanation, stop === 'refusal' ? 'because' : undefined);
  });
}

test('usage is what the turn says, and none is none', async (context) => {
  const usage = { input: 7, cacheRead: 11, cacheWrite: 13, cacheWriteHour: 3, output: 17, reasoning: 5 };
  const server = await serve(context, {
    turns: [{ text: 'x', usage }],
    anyTurn: [{ when: { contains: 'none' }, text: 'x', usage: 'none' }],
  });
  const message = await officialClient(server).messages.create(asking);
  assert.partialDeepStrictEqual(message.usage, {
    input_tokens: 7,
    cache_read_input_tokens: 11,
    cache_creation_input_tokens: 13,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 3 },
    output_tokens: 17,
    output_tokens_details: { thinking_tokens: 5 },
  });
  const silent = await post(server.url, saying('none'));
  assert.doesNotMatch(silent.text, /usage/);
});

test('estimated usage follows the cache marks of the requests', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  const client = officialClient(server);
  const system = [{ type: 'text' as const, text: 's'.repeat(8000), cache_control: { type: 'ephemeral' as const } }];
  const first = await client.messages.create({ ...asking, system });
  const second = await client.messages.create({ ...asking, system });
  const changed = await client.messages.create({ ...asking, system, tools: [] });
  assert.equal(first.usage.cache_read_input_tokens, 0);
  assert.ok((first.usage.cache_creation_input_tokens ?? 0) > 2000);
  assert.equal(second.usage.cache_read_input_tokens, first.usage.cache_creation_input_tokens);
  assert.equal(second.usage.cache_creation_input_tokens, 0);
  assert.equal(second.usage.input_tokens, first.usage.input_tokens);
  assert.equal(changed.usage.cache_read_input_tokens, 0);
  const short = await client.messages.create({ ...asking, system: [{ ...system[0]!, text: 'short' }] });
  assert.equal(short.usage.cache_creation_input_tokens, 0, 'too short to be cached');
});

test('tokens are counted, and counting is no turn', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] });
  const client = officialClient(server);
  const { max_tokens: _, ...body } = asking;
  const short = await client.messages.countTokens(body);
  const long = await client.messages.countTokens({ ...body, system: 'x'.repeat(4000) });
  assert.ok(long.input_tokens - short.input_tokens > 990);
  assert.equal(server.requests.length, 0);
});

test('every answer has an id and limits; errors have the provider’s shape', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] });
  const good = await post(server.url, saying('hi'));
  assert.equal(good.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(good.headers['anthropic-ratelimit-requests-remaining'], '3999');
  const bad = await post(server.url, saying(''));
  assert.equal(bad.status, 400);
  const error = JSON.parse(bad.text) as { type: string; error: { type: string }; request_id: string };
  assert.equal(error.type, 'error');
  assert.equal(error.error.type, 'invalid_request_error');
  assert.equal(error.request_id, bad.headers['request-id']);
  assert.notEqual(good.headers['request-id'], bad.headers['request-id']);
});

test('the order of events is the wire’s', async (context) => {
  const server = await serve(context, { turns: [{ text: 'abc', calls: [{ name: 'read' }] }] });
  const { text } = await post(server.url, saying('hi'));
  const names = eventsIn(text).map(({ name, data }) => {
    assert.equal(name, data['type']);
    return name;
  });
  const squeezed = names.filter((name, index) => name !== names[index - 1]);
  assert.deepEqual(squeezed, [
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
});

test('requests are recorded exactly, and keys are not', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  const body = JSON.stringify(saying('hällo')).replace('"stream":true', '"stream" : true');
  await post(server.url, body, { headers: { 'x-api-key': 'secret-key-0', authorization: 'Bearer secret-key-1' } });
  const [request] = server.requests;
  assert.ok(request);
  assert.equal(request.bytes.toString(), body);
  assert.deepEqual(request.body, JSON.parse(body));
  assert.equal(request.question.messages[0]?.text, 'hällo');
  assert.equal(request.headers['x-api-key'], 'withheld');
  assert.equal(request.headers['anthropic-version'], '2023-06-01');
  assert.doesNotMatch(JSON.stringify(request), /secret-key/);
  assert.equal(await request.finished, 'replied');
});

test('requests are not kept when that is asked', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] }, { record: false });
  assert.equal(textIn((await post(server.url, saying('a'))).text), 'x');
  assert.equal(server.requests.length, 0);
});

test('only the right key is let in, however it is given', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] }, { key: 'right' });
  const status = async (headers: { [name: string]: string }) =>
    (await post(server.url, saying('a'), { headers })).status;
  assert.equal(await status({}), 401);
  assert.equal(await status({ 'x-api-key': 'wrong' }), 401);
  assert.equal(await status({ 'x-api-key': 'right' }), 200);
  assert.equal(await status({ authorization: 'Bearer right' }), 200);
  const client = new Anthropic({ baseURL: server.url, apiKey: 'wrong', maxRetries: 0 });
  await assert.rejects(client.messages.create(asking), AuthenticationError);
});

test('what is no request is answered as such', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] }, { strict: false });
  assert.equal((await post(server.url, saying('a'), { path: '/v1/other' })).status, 404);
  assert.equal((await post(server.url, '', { method: 'GET' })).status, 404);
  for (const body of ['{"model":', '[]', 'null', Buffer.from([0x7b, 0xff, 0x7d])]) {
    assert.equal((await post(server.url, body)).status, 400);
  }
  assert.equal((await post(server.url, saying('a'), { path: '/v1/messages?beta=true' })).status, 200);
});

test('a handler answers with replies and failures; one that throws is told so, for good', async (context) => {
  const answers = [
    { text: 'one' },
    { status: 529 },
    { reply: { text: 'cut off here' }, failure: { cut: 'in-text' as const } },
  ];
  const server = await serve(context, ({ number, question }) => {
    if (number > answers.length) throw new Error(`nothing for ${question.messages[0]?.text}`);
    return answers[number - 1]!;
  });
  assert.equal(textIn((await post(server.url, saying('a'))).text), 'one');
  assert.equal((await post(server.url, saying('a'))).status, 529);
  const cut = await post(server.url, saying('a'));
  assert.ok(!cut.complete && 'cut off here'.startsWith(textIn(cut.text)) && textIn(cut.text) !== '');
  const thrown = await post(server.url, saying('a'));
  assert.equal(thrown.status, 400);
  assert.match(thrown.text, /nothing for a/);
  assert.equal(server.refusals[0]?.rule, 'handler');
});

test('a failure that never comes is refused, not ignored', async (context) => {
  const server = await serve(context, () => ({ reply: { text: 'x' }, failure: { cut: 'in-call' } }));
  assert.equal((await post(server.url, saying('a'))).status, 400);
});

test('who waits for a request gets it when it comes, or is told that it did not', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 'forever' }] });
  const second = server.waitForRequest(2);
  await post(server.url, saying('first'));
  await post(server.url, saying('second'));
  assert.equal((await second).question.messages[0]?.text, 'second');
  assert.equal((await server.waitForRequest(1)).number, 1);
  await assert.rejects(server.waitForRequest(3, 1), /Request 3 did not come within 1 ms; there are 2/);
});

test('a held reply waits at its stage until it is released', async (context) => {
  const server = await serve(context, { turns: [{ text: 'abcdef' }] });
  const early = server.hold(1);
  const middle = server.hold(1, 'in-text');
  let seen = '';
  const answer = post(server.url, saying('a'), { onText: (text) => (seen = text) });
  await early.reached;
  assert.equal(seen, '');
  early.release();
  const request = await middle.reached;
  assert.equal(request.outcome, undefined);
  middle.release();
  const { text } = await answer;
  assert.equal(textIn(text), 'abcdef');
  assert.equal(await request.finished, 'replied');
});

test('a hold holds back the rest and nothing else', async (context) => {
  const server = await serve(context, { turns: [{ text: 'abcdef', repeat: 2 }] });
  server.hold(1, 'in-text');
  const before = Promise.withResolvers<string>();
  void post(server.url, saying('a'), {
    onText: (text) => {
      if (textIn(text) !== '') before.resolve(textIn(text));
    },
  });
  assert.equal(await before.promise, 'abc');
  assert.equal(textIn((await post(server.url, saying('b'))).text), 'abcdef');
});

test('a hold at a stage that never comes says so', async (context) => {
  const server = await serve(context, { turns: [{ text: 'abcdef' }] });
  const never = server.hold(1, 'in-call');
  const refused = server.hold(2);
  await post(server.url, saying('a'));
  await assert.rejects(never.reached, /Request 1 ended \(replied\) before in-call/);
  await post(server.url, saying(''));
  await assert.rejects(refused.reached, /Request 2 ended \(refused\) before before-headers/);
});

test('a client that goes away while it sends harms nobody', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }] });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"model"');
  await once(socket, 'connect');
  socket.destroy();
  await once(socket, 'close');
  assert.equal(textIn((await post(server.url, saying('a'))).text), 'x');
  assert.equal(server.requests.length, 1);
});

test('a client that goes away ends its request', async (context) => {
  const server = await serve(context, { turns: [{ text: 'abcdef', delay: 60_000 }] });
  void post(server.url, saying('a'), { onText: (_text, abort) => abort() });
  const request = await server.waitForRequest(1);
  assert.equal(await request.finished, 'aborted');
});

test('closing ends every connection, held and silent ones too', async () => {
  const server = await startModelServer({
    turns: [{ text: 'x', failures: [{ silence: 'after-headers', times: 'forever' }] }],
  });
  const held = server.hold(2);
  const silent = post(server.url, saying('a'));
  await server.waitForRequest(1);
  const waiting = post(server.url, saying('b'));
  await held.reached;
  const missing = assert.rejects(server.waitForRequest(3), /closed before request 3/);
  await server.close();
  assert.equal((await waiting).error, 'ECONNRESET');
  assert.ok(!(await silent).complete);
  await missing;
  assert.equal((await post(server.url, saying('c'))).error, 'ECONNREFUSED');
});

test('deltas have the size that is asked for, and writes may tear characters', async (context) => {
  const text = 'añ👩‍🚀'.repeat(20);
  const server = await serve(context, { turns: [{ text, chunk: 7, split: 3 }] });
  const answer = await post(server.url, saying('a'));
  assert.equal(textIn(answer.text), text);
  const sizes = eventsIn(answer.text).flatMap(({ data }) => {
    const delta = data['delta'] as { text?: string } | undefined;
    return delta?.text === undefined ? [] : [Array.from(delta.text).length];
  });
  assert.deepEqual(new Set(sizes.slice(0, -1)), new Set([7]));
  const message = await officialClient(await serve(context, { turns: [{ text, split: 1 }] }))
    .messages.stream(asking)
    .finalMessage();
  assert.deepEqual(message.content, [{ type: 'text', text }]);
});

test('raw events are sent as they are', async (context) => {
  const odd = [
    ': comment\n\n',
    { type: 'content_block_delta', index: 9, delta: { type: 'later_delta' } },
    'data: {broken\n\n',
  ];
  const server = await serve(context, { turns: [{ raw: odd }] });
  const answer = await post(server.url, saying('a'));
  const event =
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":9,"delta":{"type":"later_delta"}}\n\n';
  assert.equal(answer.text, `: comment\n\n${event}data: {broken\n\n`);
});

test('blocks of any kind come in their own order', async (context) => {
  const opaque = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'search', input: { q: 1 } };
  const server = await serve(context, {
    turns: [
      { blocks: [{ text: 'a' }, { redacted: 'secret' }, { opaque }, { call: { name: 'read' } }, { thinking: '' }] },
    ],
  });
  const message = await officialClient(server).messages.create(asking);
  assert.deepEqual(
    message.content.map((block) => block.type),
    ['text', 'redacted_thinking', 'server_tool_use', 'tool_use', 'thinking'],
  );
  assert.deepEqual(message.content[2], opaque);
  assert.doesNotMatch(JSON.stringify(message.content[1]), /secret/);
});

test('malformed arguments arrive as they are written', async (context) => {
  const server = await serve(context, { turns: [{ calls: [{ name: 'read', malformed: '{"path": "a' }] }] });
  const events = eventsIn((await post(server.url, saying('a'))).text);
  const pieces = events.flatMap(({ data }) => {
    const delta = data['delta'] as { partial_json?: string } | undefined;
    return delta?.partial_json ?? [];
  });
  assert.equal(pieces[0], '', 'the first piece is empty, as the provider’s');
  assert.equal(pieces.join(''), '{"path": "a');
});

test('a packed body is taken as it was before, and one that isn’t what it is said to be is no JSON', async (context) => {
  const server = await startModelServer(() => ({ text: 'hi' }));
  context.after(() => server.close());
  const plain = Buffer.from(JSON.stringify(saying('hello é')));
  const packings: { [encoding: string]: Buffer } = {
    gzip: gzipSync(plain),
    'X-Gzip': gzipSync(plain),
    br: brotliCompressSync(plain),
    deflate: deflateSync(plain),
    zstd: zstdCompressSync(plain),
    'gzip, br': brotliCompressSync(gzipSync(plain)),
    identity: plain,
    invented: plain,
  };
  for (const [encoding, bytes] of Object.entries(packings)) {
    const { status } = await post(server.url, bytes, { headers: { 'content-encoding': encoding } });
    assert.equal(status, 200, encoding);
    assert.deepEqual(server.requests.at(-1)?.bytes, plain, encoding);
  }
  const torn = await post(server.url, gzipSync(plain).subarray(0, 20), { headers: { 'content-encoding': 'gzip' } });
  assert.equal(torn.status, 400);
  assert.match(torn.text, /not valid JSON/);
});

test('any path is one: what leads nowhere is refused, and nothing in it is taken for a host', async (context) => {
  const server = await startModelServer(() => ({ text: 'hi' }));
  context.after(() => server.close());
  for (const path of ['//', '//elsewhere/v1/messages', '/%', '/v1/messages/'])
    assert.equal((await post(server.url, saying('hello'), { path })).status, 404, path);
  assert.match(server.refusals[1]?.message ?? '', /POST \/\/elsewhere\/v1\/messages/);
});
