import assert from 'node:assert/strict';
import { createServer as createTcpServer } from 'node:net';
import { describe, test } from 'node:test';
import type { EventData } from '../../src/core/index.ts';
import {
  against,
  answer,
  failureOf,
  listen,
  now,
  rates,
  request,
  rig,
  serve,
  setup,
  sse,
  Story,
  streamHead,
  textReply,
  until,
  type Handler,
} from './loopback.ts';

const calling = [
  { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 1_000_000, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look. ' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' } },
];

describe('a failure', () => {
  const status = (
    code: number,
    headers: { [name: string]: string } = {},
    type = 'api_error',
    message = 'words',
  ): Handler => {
    const body = JSON.stringify({ type: 'error', error: { type, message } });
    return (_, response) => {
      response.writeHead(code, { 'content-type': 'application/json', 'request-id': 'req_9', ...headers });
      response.end(body);
    };
  };
  const cut = (end: (socket: { destroy(): void }) => void): Handler => {
    return (_, response, socket) => {
      streamHead(response);
      response.write(sse(calling), () => end(socket));
    };
  };
  const half = 750; // the first pause of a second, with half of the lot
  type Expected = Partial<EventData['failure']> & { retryIn?: number };
  const input = 1_000_000;
  const shown = 'I look. {"path":"a"}'.length / 4;
  const broken = (input * rates.input + shown * rates.output) / 1_000_000;

  const cases: [string, Handler, Expected][] = [
    ['401', status(401, {}, 'authentication_error'), { class: 'auth', code: 'provider-auth', status: 401, cost: 0 }],
    ['402', status(402, {}, 'billing_error'), { class: 'quota', code: 'provider-quota', status: 402, cost: 0 }],
    ['403', status(403, {}, 'permission_error'), { class: 'auth', code: 'provider-auth', status: 403, cost: 0 }],
    ['404', status(404, {}, 'not_found_error'), { class: 'content', code: 'provider-rejected', status: 404, cost: 0 }],
    [
      '413',
      status(413, {}, 'request_too_large'),
      { class: 'overflow', code: 'context-overflow', status: 413, cost: 0 },
    ],
    [
      '429 in seconds',
      status(429, { 'retry-after': '4' }, 'rate_limit_error'),
      { class: 'wait', code: 'rate-limited', status: 429, retryIn: 4_200, cost: 0 },
    ],
    [
      '429 by date',
      status(429, { 'retry-after': new Date(now + 20_000).toUTCString() }, 'rate_limit_error'),
      { class: 'wait', code: 'rate-limited', retryIn: 21_000, cost: 0 },
    ],
    [
      '500',
      status(500),
      { class: 'retryable', code: 'provider-error', status: 500, retryIn: half, requestId: 'req_9', cost: 0 },
    ],
    [
      '529',
      status(529, {}, 'overloaded_error'),
      { class: 'retryable', code: 'provider-overloaded', status: 529, retryIn: half, cost: 0 },
    ],
    [
      'a redirect',
      status(302, { location: 'http://elsewhere.test/' }),
      { class: 'protocol', code: 'stream-invalid', status: 302, cost: 0 },
    ],
    [
      'an error page',
      (_, response) =>
        response
          .writeHead(502, { 'content-type': 'text/html' })
          .end('<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'),
      { class: 'retryable', code: 'provider-error', message: 'a web page, "502 Bad Gateway"', retryIn: half, cost: 0 },
    ],
    [
      'a page in place of a stream',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Log in</title></html>'),
      { class: 'protocol', code: 'stream-invalid', cost: 0 },
    ],
    [
      'a whole message in place of a stream',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"msg_1","content":[]}'),
      { class: 'protocol', code: 'stream-invalid' },
    ],
    [
      'an error as a success',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'),
      { class: 'retryable', code: 'provider-overloaded', message: 'Overloaded', retryIn: half, cost: 0 },
    ],
    [
      'an error in the stream',
      (_, response) =>
        answer(response, [...calling, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]),
      { class: 'retryable', code: 'provider-overloaded', usage: { input }, retryIn: half, cost: broken },
    ],
    [
      'closed before the headers',
      (_, __, socket) => socket.destroy(),
      { class: 'broken-stream', code: 'stream-cut', retryIn: half },
    ],
    [
      'closed after the headers',
      (_, response, socket) => {
        streamHead(response);
        response.write(':\n\n', () => socket.destroy());
      },
      { class: 'broken-stream', code: 'stream-cut', retryIn: half },
    ],
    [
      'closed in a call',
      cut((socket) => socket.destroy()),
      { class: 'broken-stream', code: 'stream-cut', usage: { input }, retryIn: half, cost: broken },
    ],
    [
      'an orderly end in a call',
      (_, response) => answer(response, calling),
      { class: 'broken-stream', code: 'stream-cut', usage: { input }, retryIn: half, cost: broken },
    ],
    [
      'an orderly end before the terminal event',
      (_, response) => answer(response, textReply('Hello').slice(0, -1)),
      { class: 'broken-stream', code: 'stream-cut', usage: { input: 10, output: 5 }, retryIn: half },
    ],
    [
      'an empty stream',
      (_, response) => answer(response, []),
      { class: 'broken-stream', code: 'stream-cut', retryIn: half },
    ],
    [
      'an empty reply',
      (_, response) => answer(response, [textReply('')[0]!, ...textReply('').slice(4)]),
      { class: 'broken-stream', code: 'empty-reply', usage: { input: 10, output: 5 }, cost: 0.00007, retryIn: half },
    ],
    [
      'nonsense in the stream',
      (_, response) => {
        streamHead(response);
        response.end('event: message_start\ndata: {nonsense\n\n');
      },
      { class: 'broken-stream', code: 'stream-invalid', retryIn: half },
    ],
    [
      'compressed nonsense',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' }).end('nonsense'),
      { class: 'broken-stream', code: 'stream-cut', retryIn: half },
    ],
  ];
  for (const [name, handler, { retryIn, ...expected }] of cases) {
    test(name, async (t) => {
      const { outcome } = await against(t, handler);
      const failure = failureOf(outcome);
      for (const [key, value] of Object.entries(expected))
        assert.deepEqual(failure[key as keyof typeof failure], value, key);
      assert.equal(failure.retryAt, retryIn === undefined ? undefined : now + retryIn);
      assert.notEqual(failure.cost, undefined, 'an attempt on a priced model has a cost');
      assert.ok(failure.message !== '' && failure.message.length <= 2_000);
    });
  }

  test('without an answer costs what its input may have cost', async (t) => {
    const { outcome, prepared } = await against(t, (_, __, socket) => socket.destroy());
    const { input: estimated } = prepared.data.reserved;
    assert.equal(failureOf(outcome).cost, (estimated * rates.cacheWriteHour) / 1_000_000);
  });

  test('to connect costs nothing and is tried four times', async (t) => {
    const server = createTcpServer();
    const port = await listen(t, server);
    await new Promise((resolve) => server.close(resolve));
    const own = await rig(t, `http://127.0.0.1:${port}`);
    const story = new Story();
    const tries: EventData['failure'][] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const { outcome, id } = await request(own, story);
      const data = { request: id, ...failureOf(outcome) };
      tries.push(data);
      story.add({ kind: 'failure', data });
    }
    for (const data of tries)
      assert.deepEqual([data.class, data.code, data.cost], ['unreachable', 'connect-failed', 0]);
    assert.deepEqual(
      tries.map(({ retryAt }) => retryAt !== undefined),
      [true, true, true, false],
    );
    assert.match(tries[3]!.message, /ECONNREFUSED.*No further try: 4 are allowed\.$/);
  });

  test('that asks for a wait beyond the limits says so and isn’t retried', async (t) => {
    const { outcome } = await against(t, status(429, { 'retry-after': '3600' }, 'rate_limit_error', 'Slow down.'));
    const failure = failureOf(outcome);
    assert.equal(failure.retryAt, undefined);
    assert.match(
      failure.message,
      /^Slow down\. The provider asks to wait until 2023-11-14T23:13:20\.000Z, beyond the 15 minutes/,
    );
  });

  test('long after the first one of the turn isn’t retried', async (t) => {
    let time = now;
    const server = await serve(t, (_, response) => response.writeHead(500).end());
    const own = await rig(t, server.url, { model: { clock: { now: () => time } } });
    const story = new Story();
    const first = await request(own, story);
    assert.equal(failureOf(first.outcome).retryAt, now + half);
    story.add({ kind: 'failure', data: { request: first.id, ...failureOf(first.outcome) } });
    time += 15 * 60_000;
    const second = failureOf((await request(own, story)).outcome);
    assert.equal(second.retryAt, undefined);
    assert.match(second.message, /after the 15 minutes/);
  });

  test('times out: no first byte, silence', async (t) => {
    const timeouts = { firstByte: 50, silence: 50 };
    const first = await against(t, () => undefined, { transport: { timeouts } });
    assert.deepEqual(
      [failureOf(first.outcome).class, failureOf(first.outcome).code],
      ['broken-stream', 'first-byte-timeout'],
    );
    const silent = await against(
      t,
      (_, response) => {
        streamHead(response);
        response.write(sse(calling));
      },
      { transport: { timeouts } },
    );
    const failure = failureOf(silent.outcome);
    assert.deepEqual([failure.class, failure.code, failure.cost], ['broken-stream', 'silence-timeout', broken]);
  });

  test('repeats neither the key nor control characters of the provider, and is bounded', async (t) => {
    const message = `\u001b[31mKey top.secret/0123456789 or sk-ant-other-key-12345678 is\nwrong. ${'x'.repeat(5_000)}`;
    const { outcome } = await against(t, status(401, {}, 'authentication_error', message));
    const failure = failureOf(outcome);
    assert.match(failure.message, /^\[31mKey \[key\] or \[key\] is wrong\. x+…$/);
    assert.equal(failure.message.length, 1_800);
  });

  test('reads a refusal only so far', async (t) => {
    let written = 0;
    const { outcome } = await against(t, (_, response, socket) => {
      response.writeHead(500);
      const more = () => {
        if (socket.destroyed) return;
        written += 16_384;
        if (response.write('x'.repeat(16_384))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    assert.equal(failureOf(outcome).status, 500);
    assert.ok(written < 64 * 1024 * 1024);
  });

  const endless: Handler = (_, response, socket) => {
    const text = 'x'.repeat(1_000_000);
    const piece = sse([{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }]);
    streamHead(response);
    response.write(sse(textReply('').slice(0, 2)));
    const more = () => {
      if (socket.destroyed) return;
      if (response.write(piece)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };

  test('ends a reply that never ends', async (t) => {
    const server = await serve(t, endless);
    const story = new Story(setup({ limits: { ...setup().limits, cost: null } }));
    const failure = failureOf((await request(await rig(t, server.url), story)).outcome);
    assert.deepEqual([failure.class, failure.code], ['broken-stream', 'stream-invalid']);
    assert.match(failure.message, /larger than 64 MB/);
  });

  test('ends a reply that goes on beyond the money limit, and counts more than was left', async (t) => {
    const server = await serve(t, endless);
    const cost = 2;
    const story = new Story(setup({ limits: { ...setup().limits, cost } }));
    const failure = failureOf((await request(await rig(t, server.url), story)).outcome);
    assert.deepEqual([failure.class, failure.retryAt, failure.estimated], ['cancelled', undefined, true]);
    assert.match(failure.message, /beyond what the money limit can pay for/);
    assert.ok(failure.cost !== undefined && failure.cost > cost && failure.cost < 4 * cost, String(failure.cost));
  });

  test('of a certificate isn’t tried again', async (t) => {
    const server = await serve(t, (_, response) => response.end());
    const own = await rig(t, server.url.replace('http:', 'https:'));
    const failure = failureOf((await request(own)).outcome);
    assert.deepEqual([failure.class, failure.code, failure.retryAt], ['unreachable', 'connect-failed', undefined]);
  });

  test('by cancel comes at once and counts what may have been spent', async (t) => {
    const cancel = new AbortController();
    const server = await serve(t, (_, response) => {
      streamHead(response);
      response.write(sse(calling));
    });
    const own = await rig(t, server.url);
    const running = request(own, new Story(), cancel.signal);
    await until(() => own.notifications.length > 0);
    cancel.abort();
    const failure = failureOf((await running).outcome);
    assert.deepEqual([failure.class, failure.code, failure.cost], ['cancelled', 'request-cancelled', broken]);
    const unsent = failureOf((await request(own, new Story(), AbortSignal.abort())).outcome);
    assert.deepEqual([unsent.class, unsent.cost], ['cancelled', 0]);
  });
});
