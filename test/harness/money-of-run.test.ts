import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createSession, ReinsError, type EventData, type RunSettings } from '../../src/harness/index.ts';
import { serve, type Handler } from '../model/loopback.ts';
import { ground } from './ground.ts';
import { bodyOf, sayIn, wireNames, type Said, type WireName } from './replies.ts';

const rates = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12 };
const limit = (cost: number): RunSettings => ({ limits: { cost } });

/** A provider on a wire, priced, and a second one without a price at the same server. */
async function provider(t: TestContext, wire: WireName, handler: Handler) {
  const server = await serve(t, handler);
  const models = { m: { window: 200_000, maxOutput: 8_000, rates } };
  const free = { wire, baseUrl: server.url };
  const retries = { attempts: 20, brokenStream: 20, firstPause: 1 };
  const user = { model: 'p/m', providers: { p: { ...free, models }, free }, retries };
  return { server, place: await ground(t, { user }) };
}

interface Run {
  settings?: RunSettings;
  resume?: string;
  say?: string;
}

async function run(place: Awaited<ReturnType<typeof ground>>, { settings = {}, resume, say = 'go' }: Run = {}) {
  const { workspace, env } = place;
  const events: { requests: EventData['request'][]; replies: EventData['reply'][]; failures: EventData['failure'][] } =
    { requests: [], replies: [], failures: [] };
  const session = await createSession({
    workspace,
    env,
    ...(resume !== undefined && { resume }),
    settings: { mode: 'plan', ...settings },
    onEvent: (event) => {
      if (event.kind === 'request') events.requests.push(event.data);
      if (event.kind === 'reply') events.replies.push(event.data);
      if (event.kind === 'failure') events.failures.push(event.data);
    },
  });
  try {
    await session.say(say);
    return { outcome: await session.run(), ...events };
  } finally {
    await session.close();
  }
}

/** So many words, each another one: a text that repeats itself ends a run. */
const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index % 1000} `).join('');

/** Calls twice, then ends; each time with the same claim. */
const talking =
  (wire: WireName, usage: Said['usage']): Handler =>
  (received, response) => {
    const call = { name: 'read', arguments: { path: 'a.txt' } };
    const isLast = received.body.split('"a.txt').length > 2;
    const said: Said = { text: words(400), ...(!isLast && { call }), ...(usage !== undefined && { usage }) };
    sayIn(wire, said)(received, response);
  };

for (const wire of wireNames) {
  describe(`usage that lies, on ${wire},`, () => {
    const unknown: [string, Said['usage']][] = [
      ['of nothing', { input: 0, output: 0 }],
      ['below nothing', { input: -5, output: -5 }],
      ['in words', { input: '100', output: '10' }],
      ['that is none', { input: null, output: [] }],
      ['beyond what a number can hold', { input: 1e308, output: 1e308 }],
      ['beyond what any model takes', { input: 1e12, output: 5 }],
      ['that isn’t there', null],
    ];
    for (const [name, usage] of unknown) {
      test(`${name}, costs what the requests may have cost, marked as estimated`, async (t) => {
        const { place } = await provider(t, wire, talking(wire, usage));
        const { outcome, requests, replies } = await run(place, { settings: limit(20) });
        assert.equal(outcome.outcome, 'completed', outcome.detail);
        assert.ok(replies.every(({ cost }) => cost === undefined));
        const worst = requests.reduce((sum, { reserved }) => sum + (reserved.cost ?? 0), 0);
        assert.ok(outcome.cost !== undefined && Math.abs(outcome.cost - worst) < 1e-9, String(outcome.cost));
        assert.equal(outcome.estimated, outcome.cost);
        const again = await run(place, { resume: outcome.session, settings: limit(20), say: 'on' });
        assert.ok((again.outcome.cost ?? 0) > worst, 'the log says the same when it is read again');
      });
    }

    test('of next to nothing, doesn’t make the next request look small', async (t) => {
      const { place } = await provider(t, wire, talking(wire, { input: 1, output: 1 }));
      const { outcome, requests } = await run(place, { settings: limit(20) });
      assert.ok(outcome.cost !== undefined && outcome.cost < 0.001, 'it costs what was reported');
      const inputs = requests.map(({ reserved }) => reserved.input);
      assert.ok(
        inputs.every((input, index) => index === 0 || input > 0.5 * (inputs[0] ?? 0)),
        inputs.join(),
      );
    });
  });

  describe(`a server on ${wire}`, () => {
    const whole =
      (error: object): Handler =>
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ id: 'x', output: [{ text: 'A whole reply. "error"' }], ...error }));
      };

    test('that sends a whole reply in place of a stream isn’t asked again, and the reply counts', async (t) => {
      const { place, server } = await provider(t, wire, whole({ error: null }));
      const { outcome, failures } = await run(place);
      assert.deepEqual([outcome.code, failures[0]?.class], ['stream-invalid', 'protocol']);
      assert.equal(server.received.length, 1);
      assert.ok((failures[0]?.cost ?? 0) > 0 && failures[0]?.estimated === true);
      assert.ok((outcome.estimated ?? 0) > 0, 'also where no reply ever came');
    });

    test('that sends an error with success as status is asked again, for nothing', async (t) => {
      const error = { type: 'overloaded_error', message: 'busy' };
      let count = 0;
      const { place } = await provider(t, wire, (received, response, socket) => {
        count += 1;
        if (count === 1) return whole({ error })(received, response, socket);
        return sayIn(wire, { text: 'Here.' })(received, response);
      });
      const { outcome, failures } = await run(place);
      assert.deepEqual([outcome.answer, failures[0]?.class, failures[0]?.cost], ['Here.', 'retryable', 0]);
    });

    test('that calls its stream JSON is understood all the same', async (t) => {
      const { place } = await provider(t, wire, (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
        response.end(bodyOf(wire, { text: 'Here.' }));
      });
      assert.equal((await run(place)).outcome.answer, 'Here.');
    });

    test('that breaks every stream is given up when the money is, not when the tries are', async (t) => {
      const body = bodyOf(wire, { text: words(3_000), usage: null });
      const isEnd = /finish_reason|\[DONE\]|message_delta|message_stop|response\.completed/;
      const events = body.replace(',"finishReason":"STOP"', '').split(/(?<=\n\n)/);
      const { place, server } = await provider(t, wire, (_, response, socket) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events.filter((event) => !isEnd.test(event)).join(''), () => socket.destroy());
      });
      const { outcome, requests, failures } = await run(place, { settings: limit(1) });
      assert.deepEqual([outcome.outcome, outcome.code], ['limit', 'limit-cost']);
      assert.ok(server.received.length > 2 && server.received.length < 20);
      assert.ok(failures.every(({ cost, estimated }) => (cost ?? 0) > 0 && estimated === true));
      let before = 0;
      for (const [index, { reserved }] of requests.entries()) {
        assert.ok(before + (reserved.cost ?? Infinity) <= 1 + 1e-9, 'no request could have overrun the limit');
        before += failures[index]?.cost ?? 0;
      }
      assert.ok(outcome.cost !== undefined && Math.abs(outcome.cost - before) < 1e-9);
    });

    test('that repeats the key as the name of the exchange doesn’t get it into the log', async (t) => {
      const key = 'the.secret/0123456789';
      const server = await serve(t, (received, response) => {
        response.setHeader('request-id', key);
        if (received.connection === 1 && server.received.length === 1) response.writeHead(500).end(key);
        else sayIn(wire, { text: 'Here.' })(received, response);
      });
      const providers = { p: { wire, baseUrl: server.url, apiKeyCommand: `echo ${key}` } };
      const place = await ground(t, { user: { model: 'p/m', providers, retries: { firstPause: 1 } } });
      const { outcome, replies, failures } = await run(place);
      assert.equal(outcome.answer, 'Here.');
      assert.deepEqual([failures[0]?.requestId, replies[0]?.requestId], ['[key]', '[key]']);
      assert.doesNotMatch(JSON.stringify([outcome, replies, failures]), /the\.secret/);
    });
  });
}

describe('a session that goes on with a money limit', () => {
  test('is refused where something that it has spent has no price', async (t) => {
    const { place } = await provider(t, 'openai-chat', sayIn('openai-chat', { text: 'Here.' }));
    const first = await run(place, { settings: { model: 'free/m' } });
    assert.equal(first.outcome.cost, undefined);
    const resume = first.outcome.session;
    const asked = { model: 'p/m', limits: { cost: 1 } };
    await assert.rejects(run(place, { resume, settings: asked }), (error) => {
      assert.ok(error instanceof ReinsError);
      return error.code === 'rate-missing' && /what the session has spent has no price/.test(error.message);
    });
    assert.equal((await run(place, { resume, settings: { model: 'p/m' } })).outcome.outcome, 'completed');
  });

  test('counts what the runs before have spent', async (t) => {
    const { place, server } = await provider(
      t,
      'gemini',
      sayIn('gemini', { text: 'Here.', usage: { input: 40_000, output: 2_000 } }),
    );
    const first = await run(place, { settings: limit(1) });
    assert.equal(first.outcome.cost, 0.5);
    const second = await run(place, { resume: first.outcome.session, settings: limit(1), say: 'on' });
    assert.deepEqual([second.outcome.code, second.requests.length], ['limit-cost', 0]);
    assert.equal(server.received.length, 1);
  });
});
