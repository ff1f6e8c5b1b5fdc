/** Limits hold over everything that a session pays for: replies, failed tries, asides, reviews, other models, and sessions that work for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { offeredOutput, run, spent, useOfTree, type Draft, type Rates, type SetupData } from '../../src/core/index.ts';
import { scriptedCalls } from '../../src/testing/index.ts';
import { kinds, open, results } from './drive.ts';

const rates: Rates = { input: 1, output: 10, cacheRead: 1, cacheWrite: 1, dated: '2026-01-01', source: 'test' };
const limits = (more: Partial<SetupData['limits']>) => ({
  limits: { turns: null, calls: null, minutes: null, cost: null, outputTokens: 1000, ...more },
});
const call = { name: 'echo', arguments: { text: 'a' } };
const source = { wire: 'script', model: 'script' };
const reserved = { input: 1, output: 1, cost: 0.25 };

/** The view after these events, each recorded after the one before. */
async function after(drafts: readonly ((id: string) => Draft)[], setup = limits({ cost: 1 })) {
  const driven = await open({ input: 'x', setup: { ...setup, rates } });
  let id = '';
  for (const draft of drafts) ({ id } = await driven.loop.recorder.record(draft(id)));
  return driven;
}

const aside = (): Draft => ({ kind: 'aside', data: { purpose: 'summary', source, blob: 'b', bytes: 1, reserved } });
const review = (): Draft => ({ kind: 'review', data: { ask: 'a', source, blob: 'b', bytes: 1, reserved } });
const child = (): Draft => ({ kind: 'child', data: { session: 'c' } });

describe('money', () => {
  test('that an aside or a review may cost is reserved, then settled; without an outcome it stays at its worst case', async () => {
    for (const begin of [aside, review]) {
      const out = await after([begin]);
      assert.equal(spent(out.view.ledger), 0.25);
      const ends: ((id: string, cost?: number) => Draft)[] =
        begin === aside
          ? [
              (id, cost) => ({
                kind: 'aside-end',
                data: { aside: id, elapsed: 1, ...(cost !== undefined && { cost }) },
              }),
            ]
          : [
              (id, cost) => ({
                kind: 'review-end',
                data: { review: id, elapsed: 1, ...(cost !== undefined && { cost }) },
              }),
            ];
      for (const end of ends) {
        assert.equal(spent((await after([begin, (id) => end(id, 0.1)])).view.ledger), 0.1);
        assert.equal(spent((await after([begin, (id) => end(id)])).view.ledger), 0.25);
      }
    }
  });

  test('that is out elsewhere clamps what the next turn is offered, and stops the run where too little is left', async () => {
    const free = await after([]);
    const { setup } = free.view;
    assert.ok(setup !== undefined);
    assert.equal(offeredOutput(free.view, setup), 1000);
    const tight = limits({ cost: 0.255 });
    const held = await after([aside], tight);
    const offered = offeredOutput(held.view, setup);
    assert.ok(offered > 0 && offered < 1000, `${offered}`);
    const full = await after([aside], limits({ cost: 0.2501 }));
    const end = await run(full.loop);
    assert.ok('stop' in end && end.stop.code === 'limit-cost', JSON.stringify(end));
    assert.ok(!kinds(full.log).includes('request'));
  });

  test('that a child spent counts as the session’s own; of a child that says nothing it is unknown', async () => {
    const told = await after([
      child,
      () => ({ kind: 'child-end', data: { session: 'c', cost: 0.4, usage: { output: 7 } } }),
    ]);
    assert.deepEqual(
      [spent(told.view.ledger), told.view.ledger.usage.output, told.view.ledger.costUnknown],
      [0.4, 7, false],
    );
    const silent = await after([child, () => ({ kind: 'child-end', data: { session: 'c' } })]);
    assert.ok(silent.view.ledger.costUnknown);
  });
});

describe('turns and calls', () => {
  const forever = [{ calls: [call], repeat: 'forever' as const }];
  const used = (turns: number, calls: number) => async (more: Partial<SetupData['limits']>) => {
    const driven = await open({ input: 'x', turns: forever, setup: limits(more) });
    let seen = 0;
    driven.loop.ports.calls = scriptedCalls({ echo: () => `${(seen += 1)}` });
    const { record } = driven.loop.recorder;
    await record(child());
    await record({ kind: 'child-end', data: { session: 'c', turns, calls, cost: 0 } });
    const end = await run(driven.loop);
    assert.ok('stop' in end);
    return { ...driven, stop: end.stop };
  };

  test('of children count: what they used is not there any more', async () => {
    const turns = await used(7, 0)({ turns: 10 });
    assert.equal(turns.stop.code, 'limit-turns');
    assert.equal(kinds(turns.log).filter((kind) => kind === 'request').length, 3);
    const calls = await used(0, 5)({ calls: 7 });
    assert.equal(calls.stop.code, 'limit-calls');
    assert.equal(results(calls.log).filter(({ outcome }) => outcome === 'ok').length, 2);
    assert.deepEqual(useOfTree(calls.view.ledger).calls, 7);
  });

  test('that bound are a pause over the tree too: a higher limit goes on', async () => {
    const first = await used(7, 0)({ turns: 9 });
    const done = [{ calls: [call] }, { calls: [call] }, { calls: [call] }, { text: 'Done.' }];
    const again = await open({ log: first.log, setup: limits({ turns: 20 }), turns: done });
    const end = await run(again.loop);
    assert.ok('stop' in end && end.stop.reason === 'completed', JSON.stringify(end));
  });
});
