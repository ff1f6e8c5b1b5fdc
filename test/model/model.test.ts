import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createModel, loadWire } from '../../src/model/index.ts';
import {
  against,
  answer,
  ask,
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
} from './loopback.ts';

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
        source: { provider: 'anthropic', wire: 'anthropic', model: 'test-model' },
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
    await own.options.transport.prepareConnection(new URL(server.url));
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

describe('a model that can’t be', () => {
  test('a base URL that is none', async (t) => {
    const { options } = await rig(t, 'http://127.0.0.1:1');
    const story = new Story();
    story.say('x');
    for (const baseUrl of ['', 'api.example.com', 'ftp://x', 'file:///etc'])
      await assert.rejects(
        createModel({
          ...options,
          link: async (target) => ({ ...(await options.link(target)), baseUrl }),
        }).prepare(story.view, ask),
        { code: 'config-invalid' },
      );
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
