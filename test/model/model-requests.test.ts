import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { EventData } from '../../src/core/index.ts';
import { loadWire } from '../../src/model/index.ts';
import { answer, ask, failureOf, rates, request, rig, serve, setup, Story, textReply } from './loopback.ts';

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
    const paused = wire.encode({
      setup: setup(),
      target: setup(),
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'a' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'b' }], source },
      ],
      maxOutput: 1,
      image: () => undefined,
      cacheKey: '',
    });
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
