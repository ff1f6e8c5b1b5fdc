import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  type APIError,
} from '@anthropic-ai/sdk';
import type { ScriptedFailure, Stage, Turn } from '../../src/testing/index.ts';
import { eventsIn, post, saying, textIn, type RawAnswer } from './support/raw-client.ts';
import { officialClient, serve } from './support/running.ts';

const full: Turn = {
  thinking: 'thinking',
  text: 'abcdefgh',
  calls: [{ name: 'read', arguments: { path: 'abcdefgh' } }],
};

/** How much of the full reply came, by the deltas and events in it. */
function came(answer: RawAnswer) {
  const events = eventsIn(answer.text);
  const joined = (key: string) =>
    events.map(({ data }) => (data['delta'] as { [key: string]: string } | undefined)?.[key] ?? '').join('');
  return {
    thinking: joined('thinking'),
    text: joined('text'),
    call: joined('partial_json'),
    stopped: events.some(({ name }) => name === 'message_delta'),
    ended: events.some(({ name }) => name === 'message_stop'),
  };
}

/** What has come when a reply ends at a stage. */
const until: { [S in Stage]?: Partial<ReturnType<typeof came>> } = {
  'after-headers': { thinking: '', text: '' },
  'in-thinking': { thinking: 'thin', text: '' },
  'in-text': { thinking: 'thinking', text: 'abcd', call: '' },
  'in-call': { text: 'abcdefgh', call: '{"path":"a', stopped: false },
  'before-end': { call: '{"path":"abcdefgh"}', stopped: true, ended: false },
};

for (const stage of Object.keys(until) as Stage[]) {
  for (const how of ['close', 'reset', 'end'] as const) {
    test(`cut ${stage}, ${how}: what came before it has come, nothing after it`, async (context) => {
      const server = await serve(context, { turns: [{ ...full, failures: [{ cut: stage, how }] }] });
      const cut = await post(server.url, saying('a'));
      assert.equal(cut.status, 200);
      assert.partialDeepStrictEqual(came(cut), until[stage]!);
      assert.equal(cut.complete, how === 'end');
      assert.equal(cut.error, how === 'end' ? undefined : 'ECONNRESET');
      assert.equal(await server.requests[0]!.finished, 'failed');
      const next = await post(server.url, saying('a'));
      assert.ok(next.complete && came(next).ended, 'the next attempt gets the reply');
    });
  }

  test(`silence ${stage}: the connection stays open and nothing more comes`, async (context) => {
    const server = await serve(context, { turns: [{ ...full, failures: [{ silence: stage }] }] });
    const stopped = Promise.withResolvers<void>();
    const answer = post(server.url, saying('a'), {
      onText: (text, abort) => {
        if (until[stage]!.text !== undefined && textIn(text) !== until[stage]!.text) return;
        if (until[stage]!.stopped && !came({ text } as RawAnswer).stopped) return;
        abort();
        stopped.resolve();
      },
    });
    const request = await server.waitForRequest(1);
    if (stage !== 'after-headers') await stopped.promise;
    assert.equal(request.outcome, undefined, 'it is still being answered');
    if (stage === 'after-headers') await server.close();
    assert.equal(await request.finished, 'failed');
    assert.ok(!(await answer).complete);
  });

  test(`an error in the stream ${stage} is an event, and ends it`, async (context) => {
    const failures: ScriptedFailure[] = [{ streamError: stage, error: 'api_error', message: 'oops' }];
    const server = await serve(context, { turns: [{ ...full, failures }] });
    const answer = await post(server.url, saying('a'));
    assert.ok(answer.complete);
    assert.deepEqual(eventsIn(answer.text).at(-1)?.data, {
      type: 'error',
      error: { type: 'api_error', message: 'oops' },
    });
    assert.partialDeepStrictEqual(came(answer), until[stage]!);
  });
}

for (const how of ['close', 'reset'] as const) {
  test(`cut before-headers, ${how}: there is no answer`, async (context) => {
    const server = await serve(context, { turns: [{ ...full, failures: [{ cut: 'before-headers', how }] }] });
    const { status, error } = await post(server.url, saying('a'));
    assert.deepEqual({ status, error }, { status: undefined, error: 'ECONNRESET' });
  });
}

for (const [how, end] of [
  ['close', 'end'],
  ['reset', 'ECONNRESET'],
] as const) {
  test(`${how} is ${end} for the socket, after what came before`, async (context) => {
    const server = await serve(context, { turns: [{ ...full, failures: [{ cut: 'in-text', how }] }] });
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const body = JSON.stringify(saying('a'));
    const head = 'POST /v1/messages HTTP/1.1\r\nHost: a\r\nanthropic-version: 1\r\n';
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const seen = await new Promise((resolve) => {
      socket.on('end', () => resolve('end'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    socket.destroy();
    assert.equal(seen, end);
    assert.match(text, /"text":"abcd"/);
  });
}

test('close ends the connection without any answer', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', failures: [{ close: true }] }] });
  assert.equal((await post(server.url, saying('a'))).status, undefined);
  assert.equal(textIn((await post(server.url, saying('a'))).text), 'x');
});

test('silence before the headers holds the request open', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', failures: [{ silence: 'before-headers' }] }] });
  const controller = new AbortController();
  const asked = officialClient(server).messages.create(
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'a' }] },
    { signal: controller.signal },
  );
  const request = await server.waitForRequest(1);
  controller.abort();
  await assert.rejects(asked, APIUserAbortError);
  assert.equal(await request.finished, 'failed');
});

const kinds: [number, string, new (...args: never[]) => Error][] = [
  [400, 'invalid_request_error', BadRequestError],
  [401, 'authentication_error', AuthenticationError],
  [403, 'permission_error', PermissionDeniedError],
  [404, 'not_found_error', NotFoundError],
  [429, 'rate_limit_error', RateLimitError],
  [500, 'api_error', InternalServerError],
  [529, 'overloaded_error', InternalServerError],
];
for (const [status, type, kind] of kinds) {
  test(`status ${status} is a ${type} for the official client`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'x', failures: [{ status, message: 'why' }] }] });
    const asked = officialClient(server).messages.create({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'a' }],
    });
    await assert.rejects(asked, (error: APIError) => {
      assert.ok(error instanceof kind);
      assert.equal(error.status, status);
      assert.equal((error.error as { error: { type: string } }).error.type, type);
      return true;
    });
  });
}

test('failures come one an attempt, as often as they say, then the reply', async (context) => {
  const failures: ScriptedFailure[] = [{ status: 529, times: 2 }, { status: 500 }, { reply: { text: 'other' } }];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const answers: (number | string | undefined)[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const answer = await post(server.url, saying('a'));
    answers.push(answer.status === 200 ? textIn(answer.text) : answer.status);
  }
  assert.deepEqual(answers, [529, 529, 500, 'other', 'x', 'x']);
});

test('an endless failure is endless', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', failures: [{ status: 429, times: 'forever' }] }] });
  for (let attempt = 0; attempt < 5; attempt += 1) assert.equal((await post(server.url, saying('a'))).status, 429);
});

test('each turn has its own failures, a repeated one each time', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x', repeat: 2, failures: [{ status: 500 }] }] });
  const once = saying('a');
  const later = {
    ...once,
    messages: [...once.messages, { role: 'assistant', content: 'x' }, { role: 'user', content: 'b' }],
  };
  const statuses = [];
  for (const body of [once, once, later, later]) statuses.push((await post(server.url, body)).status);
  assert.deepEqual(statuses, [500, 200, 500, 200]);
});

test('the time of the next try is told in seconds, milliseconds or as a date', async (context) => {
  const failures: ScriptedFailure[] = [
    { status: 429, retryAfter: 4 },
    { status: 429, retryAfter: 0.25, retryAfterAs: 'milliseconds' },
    { status: 429, retryAfter: 4, retryAfterAs: 'date' },
    { status: 429, headers: { 'x-should-retry': 'false' } },
  ];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const headers = async () => (await post(server.url, saying('a'))).headers;
  assert.equal((await headers())['retry-after'], '4');
  assert.equal((await headers())['retry-after-ms'], '250');
  const before = Date.now();
  const due = Date.parse((await headers())['retry-after'] ?? '');
  assert.ok(due >= before + 4000 && due <= Date.now() + 5000, 'never too early, a second too late at most');
  const last = await headers();
  assert.deepEqual([last['retry-after'], last['x-should-retry']], [undefined, 'false']);
});

test('a status may have any body', async (context) => {
  const failures: ScriptedFailure[] = [
    { status: 502, body: '<html>bad gateway</html>', headers: { 'content-type': 'text/html' } },
    { status: 200, body: { hello: 'world' } },
    { status: 429, error: 'enforced_spend_limit', message: 'too dear' },
  ];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const html = await post(server.url, saying('a'));
  assert.deepEqual(
    [html.status, html.text, html.headers['content-type']],
    [502, '<html>bad gateway</html>', 'text/html'],
  );
  const json = await post(server.url, saying('a'));
  assert.deepEqual([json.status, json.text], [200, '{"hello":"world"}']);
  const own = await post(server.url, saying('a'));
  assert.match(own.text, /"type":"enforced_spend_limit","message":"too dear"/);
});

test('a reply that isn’t streamed fails in the same ways', async (context) => {
  const failures: ScriptedFailure[] = [
    { cut: 'in-text' },
    { cut: 'before-end', how: 'end' },
    { streamError: 'in-text' },
  ];
  const server = await serve(context, { turns: [{ text: 'x', failures }] });
  const whole = saying('a', { stream: false });
  const cut = await post(server.url, whole);
  assert.ok(cut.status === 200 && !cut.complete && cut.text.startsWith('{"id":"msg_01'));
  const short = await post(server.url, whole);
  assert.ok(short.complete);
  assert.throws(() => JSON.parse(short.text), SyntaxError);
  assert.equal((await post(server.url, whole)).status, 529);
  assert.equal((JSON.parse((await post(server.url, whole)).text) as { type: string }).type, 'message');
});

test('a wait comes before the headers, a delay after each event', async (context) => {
  const server = await serve(context, { turns: [{ text: 'abc', wait: 30, delay: 5 }] });
  const began = performance.now();
  const answer = await post(server.url, saying('a'));
  const events = eventsIn(answer.text).length;
  assert.ok(performance.now() - began >= 30 + 5 * events - 5 - events, 'timers may fire a millisecond early');
});
