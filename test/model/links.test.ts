import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReinsError, type Route } from '../../src/core/index.ts';
import { loadWire, type Link } from '../../src/model/index.ts';
import { answer, ask, failureOf, request, rig, serve, setup, Story, textReply } from './loopback.ts';

const nowhere = 'http://127.0.0.1:1';

/** A link whose key is given by a function. */
function linkWith(baseUrl: string, headers: Link['headers']) {
  return { link: async ({ wire }: { wire: string }) => ({ wire: await loadWire(wire), baseUrl, headers }) };
}

describe('a key that can’t be had', () => {
  test('is a failure of the request, which is prepared and recorded all the same, and costs nothing', async (t) => {
    const missing = new ReinsError('key-missing', 'The command printed nothing.');
    const own = await rig(t, nowhere, { model: linkWith(nowhere, () => Promise.reject(missing)) });
    const { outcome, prepared } = await request(own);
    assert.deepEqual(failureOf(outcome), {
      class: 'auth',
      code: 'key-missing',
      message: 'The command printed nothing.',
      cost: 0,
    });
    assert.ok(prepared.body.length > 0 && prepared.data.fingerprint.length === 64);
  });

  test('is told without anything that could be one', async (t) => {
    const telling = new ReinsError('config-invalid', 'sk-ant-0123456789abcdef is no key');
    const own = await rig(t, nowhere, { model: linkWith(nowhere, () => Promise.reject(telling)) });
    assert.equal(failureOf((await request(own)).outcome).message, '[key] is no key');
  });

  test('is a cancel where it was a cancel that ended the wait', async (t) => {
    const cancel = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const headers = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new ReinsError('request-cancelled', 'gone')));
        waiting.resolve();
      });
    const own = await rig(t, nowhere, { model: linkWith(nowhere, headers) });
    const running = request(own, new Story(), cancel.signal);
    await waiting.promise;
    cancel.abort();
    const { class: kind, code, cost } = failureOf((await running).outcome);
    assert.deepEqual([kind, code, cost], ['cancelled', 'request-cancelled', 0]);
  });

  test('of a defect is a defect', async (t) => {
    const own = await rig(t, nowhere, { model: linkWith(nowhere, () => Promise.reject(new TypeError('oops'))) });
    await assert.rejects(request(own), TypeError);
  });

  test('is asked for anew by each request, and none that was sent is ever repeated', async (t) => {
    const keys = ['first.key/0123456789', 'second.key/0123456789'];
    const server = await serve(t, (_, response) => response.writeHead(500).end(keys.join(' ')));
    let count = 0;
    const headers = () => ({ 'x-api-key': keys[count++] ?? '' });
    const own = await rig(t, server.url, { model: linkWith(server.url, headers) });
    await request(own);
    const second = failureOf((await request(own)).outcome);
    assert.deepEqual(
      server.received.map((received) => received.headers['x-api-key']),
      keys,
    );
    assert.equal(second.message, '[key] [key]');
  });
});

test('what a model refuses is left out for that target only: another role keeps its own settings', async (t) => {
  const { abilities } = setup();
  const able = { abilities: { ...abilities, efforts: ['low', 'high'], sampling: true } };
  const reviewer: Route = { ...setup(), ...able, settings: { effort: 'low', topP: 0.5 }, when: { role: 'reviewer' } };
  const server = await serve(t, (received, response) => {
    if (!received.body.includes('"output_config"')) return answer(response, textReply('Hello.'));
    response.writeHead(400, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'no effort here' } }));
  });
  const own = await rig(t, server.url);
  const story = new Story(setup({ ...able, settings: { effort: 'high', temperature: 0.3 }, routes: [reviewer] }));
  story.say('go');
  const refused = failureOf((await request(own, story)).outcome);
  assert.ok(refused.retryAt !== undefined, 'asked again at once');
  const { outcome } = await request(own, story);
  assert.equal(outcome.kind, 'reply');
  const route = { to: 'anthropic/test-model', role: 'reviewer', because: 'the role is reviewer' } as const;
  const prepared = await own.model.prepare(story.view, { ...ask, route });
  const bodies = [server.received[1]?.body ?? '', Buffer.from(prepared.body).toString()].map(
    (body) => JSON.parse(body) as { [key: string]: unknown },
  );
  assert.deepEqual(
    bodies.map((body) => [body['temperature'], body['top_p'], body['output_config']]),
    [
      [0.3, undefined, undefined],
      [undefined, 0.5, { effort: 'low' }],
    ],
  );
});

test('a success that is no 200 counts as read, and an error page doesn’t', async (t) => {
  for (const [status, isRead] of [
    [201, true],
    [206, true],
    [302, false],
    [503, false],
  ] as const) {
    const server = await serve(t, (_, response) => {
      response.writeHead(status, { 'content-type': 'text/event-stream' });
      response.end('data: {}\n\n');
    });
    const failure = failureOf((await request(await rig(t, server.url))).outcome);
    assert.deepEqual([status, (failure.cost ?? 0) > 0], [status, isRead]);
  }
});

test('a stream by its beginning, whatever its type says', async (t) => {
  for (const [type, beginning, isStream] of [
    ['application/json', '', true],
    ['text/html', ': hello\n\n', true],
    ['application/json', '\n', true],
    ['application/json', '{"data": ', false],
  ] as const) {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-type': type });
      const events = textReply('Hello.').map((event) => `data: ${JSON.stringify(event)}\n\n`);
      response.end(beginning + events.join(''));
    });
    const { outcome } = await request(await rig(t, server.url));
    assert.equal(outcome.kind, isStream ? 'reply' : 'failure', type + beginning);
  }
});
