import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer as createTcpServer } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { EventData, ModelOutcome } from '../../src/core/index.ts';
import { createModel, loadWire } from '../../src/model/index.ts';
import {
  answer,
  ask,
  listen,
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

const now = 1_700_000_000_000;

function failureOf(outcome: ModelOutcome) {
  assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
  return outcome.data;
}

/** Sends one request to a server with this handler. */
async function against(t: TestContext, handler: Handler, changes: Parameters<typeof rig>[2] = {}) {
  const server = await serve(t, handler);
  const own = await rig(t, server.url, changes);
  const sent = await request(own);
  return { ...sent, server, rig: own };
}

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

describe('a reply', () => {
  test('comes with usage, cost, times and ids, and is shown as it comes', async (t) => {
    let time = now;
    const {
      outcome,
      id,
      rig: own,
    } = await against(t, (_, response) => answer(response, textReply('Hello')), {
      model: { clock: { now: () => (time += 5) } },
    });
    assert.deepEqual(outcome, {
      kind: 'reply',
      data: {
        source: { wire: 'anthropic', model: 'test-model' },
        parts: [{ type: 'text', text: 'Hello' }],
        stop: 'end',
        stopRaw: 'end_turn',
        usage: { input: 10, output: 5 },
        providerId: 'msg_1',
        cost: (10 * rates.input + 5 * rates.output) / 1_000_000,
        firstByte: 5,
        elapsed: 10,
        requestId: 'req_1',
      },
    });
    assert.deepEqual(own.notifications, [{ type: 'text', delta: 'Hello', request: id }]);
  });

  test('is shown before it is whole', async (t) => {
    const shown = Promise.withResolvers<void>();
    const events = textReply('Hello');
    const server = await serve(t, (_, response) => {
      streamHead(response);
      response.write(sse(events.slice(0, 3)));
      void shown.promise.then(() => response.end(sse(events.slice(3))));
    });
    const own = await rig(t, server.url);
    const story = new Story();
    story.say('hello');
    const prepared = await own.model.prepare(story.view, ask);
    const outcome = await own.model.send(prepared, 'e1', new AbortController().signal, () => shown.resolve());
    assert.equal(outcome.kind, 'reply');
  });

  test('without a rate has no cost, without usage neither', async (t) => {
    const { rates: _, ...unpriced } = setup();
    const server = await serve(t, (_, response) => answer(response, textReply('Hello')));
    const { outcome, prepared } = await request(await rig(t, server.url), new Story(unpriced));
    assert.ok(outcome.kind === 'reply' && !('cost' in outcome.data));
    assert.ok(!('cost' in prepared.data.reserved));
  });

  test('goes to the wire’s path below the base URL, with the endpoint’s headers', async (t) => {
    const server = await serve(t, (_, response) => answer(response, textReply('Hello')));
    const places: [string, string][] = [
      ['', '/v1/messages'],
      ['/', '/v1/messages'],
      ['/v1', '/v1/messages'],
      ['/v1/', '/v1/messages'],
      ['/proxy/anthropic', '/proxy/anthropic/v1/messages'],
      ['/x?api=1', '/x/v1/messages?api=1'],
    ];
    for (const [base, path] of places) {
      await request(await rig(t, server.url + base));
      assert.equal(server.received.at(-1)?.path, path, base);
    }
    const { headers } = server.received[0]!;
    assert.equal(headers['x-api-key'], 'top.secret/0123456789');
    assert.equal(headers['anthropic-version'], '2023-06-01');
    assert.equal(headers['content-type'], 'application/json');
  });

  test('doesn’t wait for a connection that stays open after the terminal event', async (t) => {
    const { outcome } = await against(t, (_, response) => {
      streamHead(response);
      response.write(sse(textReply('Hello')));
    });
    assert.equal(outcome.kind, 'reply');
  });

  test('may lack the blank line after its last event', async (t) => {
    const { outcome } = await against(t, (_, response) => {
      streamHead(response);
      response.end(sse(textReply('Hello')).trimEnd());
    });
    assert.equal(outcome.kind, 'reply');
  });

  test('comes over one connection, turn after turn, that is there before it is needed', async (t) => {
    const server = await serve(t, (_, response) => answer(response, textReply('Hello')));
    const own = await rig(t, server.url);
    await own.model.prepareConnection();
    await until(() => server.connections() === 1);
    const story = new Story();
    for (let turn = 0; turn < 3; turn += 1) {
      story.say(`turn ${turn}`);
      const { outcome, id } = await request(own, story);
      assert.ok(outcome.kind === 'reply');
      story.add({ kind: 'reply', data: { request: id, ...outcome.data } });
    }
    assert.deepEqual(
      server.received.map(({ connection }) => connection),
      [1, 1, 1],
    );
  });
});

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
      { class: 'retryable', code: 'rate-limited', status: 429, retryIn: 4_200, cost: 0 },
    ],
    [
      '429 by date',
      status(429, { 'retry-after': new Date(now + 20_000).toUTCString() }, 'rate_limit_error'),
      { class: 'retryable', code: 'rate-limited', retryIn: 21_000, cost: 0 },
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

  test('ends a reply that never ends', async (t) => {
    const piece = sse([
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(1_000_000) } },
    ]);
    const { outcome } = await against(t, (_, response, socket) => {
      streamHead(response);
      response.write(sse(textReply('').slice(0, 2)));
      const more = () => {
        if (socket.destroyed) return;
        if (response.write(piece)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const failure = failureOf(outcome);
    assert.deepEqual([failure.class, failure.code], ['broken-stream', 'stream-invalid']);
    assert.match(failure.message, /larger than 64 MB/);
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

describe('what the log keeps of a request', () => {
  /** A session of `turns` turns against a server, with the bodies that the server saw and what the log kept. */
  async function session(t: TestContext, turns: number, changes: Parameters<typeof rig>[2] = {}) {
    const server = await serve(t, (_, response) => answer(response, textReply(`Reply ${server.received.length} é`)));
    const own = await rig(t, server.url, changes);
    const story = new Story();
    const requests: { id: string; data: EventData['request'] }[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      story.say(`Turn ${turn}: ${'é👋'.repeat(turn)}`);
      const { prepared, id, outcome } = await request(own, story);
      requests.push({ id, data: prepared.data });
      assert.ok(outcome.kind === 'reply');
      story.add({ kind: 'reply', data: { request: id, ...outcome.data } });
    }
    return { server, own, story, requests };
  }

  /** The bodies, rebuilt from what the log keeps. */
  function rebuild(
    requests: { id: string; data: EventData['request'] }[],
    blobs: Map<string, Buffer>,
  ): Map<string, Buffer> {
    const bodies = new Map<string, Buffer>();
    for (const { id, data } of requests) {
      const base = data.base === null ? Buffer.alloc(0) : bodies.get(data.base)!;
      const tail = data.tailBlob === undefined ? Buffer.from(data.tail) : blobs.get(data.tailBlob)!;
      bodies.set(id, Buffer.concat([base.subarray(0, data.kept), tail]));
    }
    return bodies;
  }

  test('gives the exact bytes back, and grows by what is new', async (t) => {
    const { server, own, requests } = await session(t, 6);
    const bodies = rebuild(requests, own.blobs);
    requests.forEach(({ id, data }, index) => {
      const body = server.received[index]!.body;
      assert.equal(bodies.get(id)!.toString(), body);
      assert.equal(data.bytes, Buffer.byteLength(body));
      assert.equal(data.fingerprint, createHash('sha256').update(body).digest('hex'));
      assert.equal(data.extends, true);
      assert.equal(data.base, index === 0 ? null : requests[index - 1]!.id);
      if (index > 0) assert.ok(data.tail.length < 400, 'the tail holds the last turn only');
    });
  });

  test('without marks and limits, each request on the line extends the one before', async (t) => {
    const { server } = await session(t, 5);
    const wire = await loadWire('anthropic');
    const sequences = server.received.map(({ body }) => wire.canonical(Buffer.from(body))!);
    sequences.slice(1).forEach((sequence, index) => {
      const before = sequences[index]!;
      assert.deepEqual(sequence.tools, before.tools);
      assert.deepEqual(sequence.system, before.system);
      assert.deepEqual(sequence.blocks.slice(0, before.blocks.length), before.blocks);
    });
  });

  test('a new process goes on from the log as if it were the old one', async (t) => {
    const { server, own, story, requests } = await session(t, 3);
    const bodies = rebuild(requests, own.blobs);
    const other = await rig(t, server.url, { model: { previousBody: async (id) => bodies.get(id) } });
    story.say('And on.');
    const resumed = await other.model.prepare(story.view, ask);
    assert.deepEqual(resumed, await own.model.prepare(story.view, ask));
    assert.equal(resumed.data.base, requests.at(-1)!.id);
    assert.equal(resumed.data.extends, true);
    const lost = await (await rig(t, server.url)).model.prepare(story.view, ask);
    assert.deepEqual([lost.data.base, lost.data.kept, lost.data.extends], [null, 0, false]);
    assert.deepEqual(lost.body, resumed.body);
  });

  test('a retry adds nothing, and says so', async (t) => {
    const server = await serve(t, (_, response) => response.writeHead(500).end());
    const own = await rig(t, server.url);
    const story = new Story();
    const first = await request(own, story);
    story.add({ kind: 'failure', data: { request: first.id, ...failureOf(first.outcome) } });
    const second = await request(own, story);
    const { base, kept, tail, attempt } = second.prepared.data;
    assert.deepEqual([base, kept, tail, attempt], [first.id, first.prepared.body.length, '', 2]);
    assert.equal(second.prepared.data.extends, true);
  });

  test('says what broke the sequence', async (t) => {
    const { own, story } = await session(t, 2);
    const { tools, system } = setup();
    const changed: [Parameters<typeof setup>[0], 'tools' | 'system' | undefined][] = [
      [{ tools: [...tools, { name: 'x', description: '', input: { type: 'object' } }] }, 'tools'],
      [{ system: ['Else.', ...system] }, 'system'],
      [{ settings: { temperature: 1 }, limits: { ...setup().limits, outputTokens: 7 } }, undefined],
    ];
    story.say('On.');
    for (const [change, broke] of changed) {
      story.add({ kind: 'setup', data: setup(change) });
      const { data } = await own.model.prepare(story.view, ask);
      assert.deepEqual([data.extends, data.broke], [broke === undefined, broke]);
    }
    const fork = new Story();
    fork.say('Another talk.');
    fork.view.lastRequest = story.view.lastRequest!;
    const { data } = await own.model.prepare(fork.view, ask);
    assert.deepEqual([data.extends, data.broke], [false, 'messages']);
  });

  test('the same words of another role are not the same', async (t) => {
    const wire = await loadWire('anthropic');
    const source = { wire: 'anthropic', model: 'test-model' };
    const paused = wire.encode(
      setup(),
      [
        { role: 'user', parts: [{ type: 'text', text: 'a' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'b' }], source },
      ],
      1,
      source,
    );
    const own = await rig(t, 'http://127.0.0.1:1', { model: { previousBody: async () => paused.body } });
    const story = new Story();
    story.say('a');
    story.say('b');
    story.view.lastRequest = 'paused';
    const { data } = await own.model.prepare(story.view, ask);
    assert.deepEqual([data.base, data.extends, data.broke], ['paused', false, 'messages']);
  });

  test('a large tail goes to a blob, one byte less stays', async (t) => {
    const own = await rig(t, 'http://127.0.0.1:1');
    const empty = new Story();
    empty.say('x');
    const overhead = (await own.model.prepare(empty.view, ask)).body.length - 1;
    for (const [bytes, blobs] of [
      [65_536, 0],
      [65_537, 1],
    ] as const) {
      const story = new Story();
      story.say('x'.repeat(bytes - overhead));
      const { data, body } = await own.model.prepare(story.view, ask);
      assert.equal(body.length, bytes);
      assert.equal(own.blobs.size, blobs);
      assert.equal(data.tail.length, blobs === 0 ? bytes : 0);
      assert.equal(data.tailBlob, blobs === 0 ? undefined : 'blob-1');
    }
    assert.equal(own.blobs.get('blob-1')?.length, 65_537);
  });

  test('the tail never begins within a character', async (t) => {
    const bodies = new Map<string, Uint8Array>();
    const own = await rig(t, 'http://127.0.0.1:1', { model: { previousBody: async (id) => bodies.get(id) } });
    const talk = fc.string({
      unit: fc.constantFrom('a', 'é', 'è', 'ꙮ', 'ꙭ', '👋', '👌', '🖐'),
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(talk, talk, async (before, after) => {
        const first = new Story();
        first.say(before);
        const { body } = await own.model.prepare(first.view, ask);
        bodies.set('base', body);
        const second = new Story();
        second.say(after);
        second.view.lastRequest = 'base';
        const { data, body: whole } = await own.model.prepare(second.view, ask);
        const rebuilt = Buffer.concat([Buffer.from(body).subarray(0, data.kept), Buffer.from(data.tail)]);
        assert.deepEqual(rebuilt, Buffer.from(whole));
        assert.equal(data.fingerprint, createHash('sha256').update(whole).digest('hex'));
      }),
      { numRuns: 200 },
    );
  });

  test('what is reserved covers the input and the output that is offered', async (t) => {
    const own = await rig(t, 'http://127.0.0.1:1');
    const story = new Story();
    story.say('x'.repeat(3_000));
    const { data } = await own.model.prepare(story.view, {
      ...ask,
      turn: 4,
      attempt: 2,
      maxOutput: 500,
      closing: true,
    });
    assert.deepEqual([data.turn, data.attempt, data.closing, data.reserved.output], [4, 2, true, 500]);
    assert.ok(data.reserved.input >= 1_000 && data.reserved.input < 1_300);
    const worst = (data.reserved.input * rates.cacheWriteHour + 500 * rates.output) / 1_000_000;
    assert.ok(Math.abs((data.reserved.cost ?? 0) - worst) < 1e-12);
  });
});

describe('a model that can’t be', () => {
  test('a base URL that is none', async (t) => {
    const { options } = await rig(t, 'http://127.0.0.1:1');
    for (const baseUrl of ['', 'api.example.com', 'ftp://x', 'file:///etc'])
      assert.throws(() => createModel({ ...options, endpoint: { ...options.endpoint, baseUrl } }), {
        code: 'config-invalid',
      });
  });

  test('a request that it didn’t prepare', async (t) => {
    const own = await rig(t, 'http://127.0.0.1:1');
    const story = new Story();
    story.say('x');
    const prepared = await own.model.prepare(story.view, ask);
    const foreign = { ...prepared };
    await assert.rejects(
      own.model.send(foreign, 'e1', new AbortController().signal, () => undefined),
      { code: 'defect' },
    );
  });

  test('a wire that doesn’t exist', async () => {
    await assert.rejects(loadWire('smoke'), { code: 'model-unknown' });
    await assert.rejects(loadWire('constructor'), { code: 'model-unknown' });
  });
});
