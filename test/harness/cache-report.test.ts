import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cacheReport, type Damage, type Event, type EventData, type Kind } from '../../src/harness/index.ts';

function event<K extends Kind>(kind: K, id: string, data: EventData[K]): Event {
  return { id, parent: null, at: 1, kind, data } as Event;
}

const source = { provider: 'anthropic', wire: 'anthropic', model: 'm' };

function request(id: string, data: Partial<EventData['request']> = {}): Event {
  const bytes = { fingerprint: 'f', base: null, kept: 0, tail: 'tail', bytes: 100, extends: true };
  return event('request', id, { turn: 1, attempt: 1, source, ...bytes, reserved: { input: 1, output: 1 }, ...data });
}

function reply(of: string, data: Partial<EventData['reply']> = {}): Event {
  const bare = { source, parts: [], stop: 'end' as const, firstByte: 1, elapsed: 1 };
  return event('reply', `${of}-reply`, { request: of, ...bare, ...data });
}

function failure(of: string, data: Partial<EventData['failure']> = {}): Event {
  const bare = { class: 'retryable' as const, code: 'provider-overloaded', message: 'busy' };
  return event('failure', `${of}-failure`, { request: of, ...bare, ...data });
}

const miss = { at: 12, of: 'the tool read', tokens: 900, cost: 0.01 };

describe('each request against the one before', () => {
  test('the first begins, later ones extend or break, and what could not be compared is unknown', async () => {
    const { requests } = await cacheReport([
      request('a'),
      request('b', { base: 'a' }),
      request('c', { base: 'b', extends: false, broke: 'tools', miss }),
      request('d', { base: null, extends: false }),
    ]);
    assert.deepEqual(
      requests.map(({ number, prefix, before }) => [number, prefix, before]),
      [
        [1, 'first', undefined],
        [2, 'extends', 1],
        [3, 'broke', 2],
        [4, 'unknown', undefined],
      ],
    );
    assert.deepEqual(requests[2]?.broke, { part: 'tools', ...miss });
    assert.equal(requests[1]?.broke, undefined);
  });

  test('what a compaction broke is told apart, and what was asked for its summary is counted', async () => {
    const gone = { why: 'window' as const, elided: [], before: 2, after: 1 };
    const source = { provider: 'a', wire: 'w', model: 'm' };
    const { requests, totals } = await cacheReport([
      request('a'),
      event('aside', 's', { purpose: 'summary', source, blob: 'b', bytes: 1, reserved: { input: 1, output: 1 } }),
      event('aside-end', 't', { aside: 's', text: 'So.', cost: 0.02, elapsed: 1 }),
      event('compaction', 'c', gone),
      request('b', { base: 'a', extends: false, broke: 'messages', miss }),
      request('d', { base: 'b', extends: false, broke: 'messages', miss }),
    ]);
    assert.deepEqual(
      requests.map(({ broke }) => broke?.compaction),
      [undefined, 'window', undefined],
    );
    assert.deepEqual(totals.asides, { questions: 1, cost: 0.02, unpriced: 0 });
  });

  test('a log of the first format says the part alone', async () => {
    const { requests, totals } = await cacheReport([
      request('a'),
      request('b', { base: 'a', extends: false, broke: 'system' }),
    ]);
    assert.deepEqual(requests[1]?.broke, { part: 'system' });
    assert.deepEqual(totals.lost, { tokens: 0, cost: 0, unpriced: 1 });
  });

  test('after a rewind it is the one before on the path, not in the file', async () => {
    const { requests } = await cacheReport([request('a'), request('b', { base: 'a' }), request('c', { base: 'a' })]);
    assert.deepEqual(
      requests.map(({ before }) => before),
      [undefined, 1, 1],
    );
  });

  test('the model, its route and what is left out are told', async () => {
    const route = { to: 'openai/x', from: 'anthropic/m', because: 'anthropic/m failed: provider-overloaded' };
    const leftOut = [{ tool: 'patch', why: 'its schema can’t be cast' }];
    const routed = { source: { provider: 'openai', wire: 'openai-responses', model: 'x' }, route, leftOut };
    const [first, second] = (await cacheReport([request('a'), request('b', { base: 'a', ...routed })])).requests;
    assert.equal(first?.model, 'anthropic/m');
    assert.deepEqual([second?.model, second?.route, second?.leftOut], ['openai/x', route, leftOut]);
  });

  test('the bytes of a request are not kept in the report', async () => {
    assert.doesNotMatch(JSON.stringify(await cacheReport([request('a', { tail: 'confidential' })])), /confidential/);
  });
});

describe('what the provider reported', () => {
  test('gives the share of hits, of all input however it is billed', async () => {
    const usage = { input: 10, cacheRead: 60, cacheWrite: 30, output: 5 };
    const [row] = (await cacheReport([request('a'), reply('a', { usage, cost: 0.5 })])).requests;
    assert.deepEqual([row?.outcome, row?.hits, row?.cost, row?.usage], ['reply', 0.6, 0.5, usage]);
  });

  for (const [what, usage] of [
    ['nothing', undefined],
    ['no cache', { input: 10, output: 5 }],
    ['no input', { cacheRead: 10, output: 5 }],
    ['no tokens at all', { input: 0, cacheRead: 0 }],
  ] as const) {
    test(`is never made up: ${what}`, async () => {
      const { requests, totals } = await cacheReport([request('a'), reply('a', usage === undefined ? {} : { usage })]);
      assert.equal(requests[0]?.hits, undefined);
      assert.deepEqual(totals.reported, { requests: 0, input: 0, cacheRead: 0 });
    });
  }

  test('an attempt that failed has its outcome, and its cost is marked where it is an estimate', async () => {
    const { requests, totals } = await cacheReport([
      request('a'),
      failure('a', { cost: 0.2, estimated: true }),
      request('b', { attempt: 2, base: 'a' }),
      failure('b', { cost: 0 }),
      request('c', { attempt: 3, base: 'b' }),
    ]);
    assert.deepEqual(
      requests.map(({ outcome, cost, estimated }) => [outcome, cost, estimated]),
      [
        ['failure', 0.2, true],
        ['failure', 0, undefined],
        ['none', undefined, undefined],
      ],
    );
    assert.deepEqual(totals.cost, { known: 0.2, estimated: 0.2, unpriced: 1 });
  });
});

describe('the totals', () => {
  test('add up hits, breaks and costs, each of what is known', async () => {
    const { totals } = await cacheReport([
      request('a'),
      reply('a', { usage: { input: 100, cacheRead: 0, cacheWrite: 0 }, cost: 1 }),
      request('b', { base: 'a' }),
      reply('b', { usage: { input: 20, cacheRead: 80 }, cost: 2 }),
      request('c', { base: 'b', extends: false, broke: 'system', miss }),
      reply('c', { usage: { output: 3 } }),
      request('d', { base: 'c', extends: false, broke: 'messages', miss: { at: 1, of: 'x', tokens: 100 } }),
    ]);
    assert.deepEqual(totals, {
      requests: 4,
      extends: 1,
      broke: 2,
      unknown: 0,
      reported: { requests: 2, input: 200, cacheRead: 80, hits: 0.4 },
      lost: { tokens: 1000, cost: 0.01, unpriced: 1 },
      cost: { known: 3, estimated: 0, unpriced: 2 },
      asides: { questions: 0, cost: 0, unpriced: 0 },
    });
  });

  test('an outcome of a request that is lost counts nowhere, and damage is counted', async () => {
    const damage: Damage = { damage: 'no JSON', line: 3, bytes: 9 };
    const report = await cacheReport([damage, reply('gone', { cost: 9 }), request('a'), damage]);
    assert.deepEqual([report.requests.length, report.damaged, report.totals.cost.known], [1, 2, 0]);
  });

  test('a log without requests has none', async () => {
    const { requests, totals } = await cacheReport([]);
    assert.deepEqual([requests, totals.requests, totals.reported.hits], [[], 0, undefined]);
  });
});
