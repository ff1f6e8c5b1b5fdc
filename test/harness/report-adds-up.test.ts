import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { foldAll, spent, type Draft, type Event } from '../../src/core/index.ts';
import { outcomeOf } from '../../src/harness/outcome.ts';
import { recordIn, reportOf } from '../../src/harness/run-report/index.ts';

const source = (model: string) => ({ provider: 'p', wire: 'anthropic' as const, model });
const model = fc.constantFrom('a', 'b');
const money = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
const which = fc.nat({ max: 5 });

/** Drafts in any order, with ends that name beginnings which may be missing, ended already, or not priced. */
const drafts = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('request', 'aside', 'review'), model, money, which }),
    fc.record({ do: fc.constantFrom('reply', 'failure', 'aside-end', 'review-end'), model, money, which }),
    fc.record({ do: fc.constantFrom('result', 'undo', 'checkpoint', 'denied'), model, money, which }),
  ),
  { maxLength: 40 },
);

type Step = typeof drafts extends fc.Arbitrary<(infer S)[]> ? S : never;

function draftOf({ do: kind, model: name, money: sum, which: n }: Step, ids: string[]): Draft {
  const cost = sum === undefined ? {} : { cost: sum / 64 };
  const id = ids[ids.length - 1 - n] ?? 'lost';
  const usage = { input: n, output: 1 };
  const reserved = { input: 1, output: 1, ...cost };
  const changes = [{ path: `f${n}`, before: null, after: 'h' }];
  const data: { [kind: string]: object } = {
    request: {
      turn: 1,
      attempt: 1,
      source: source(name),
      fingerprint: '',
      base: null,
      kept: 0,
      tail: '',
      bytes: 1,
      extends: true,
      reserved,
    },
    aside: { purpose: n % 2 === 0 ? 'summary' : 'judge', source: source(name), blob: '', bytes: 1, reserved },
    review: { ask: 'x', source: source(name), blob: '', bytes: 1, reserved },
    reply: { request: id, source: source(name), parts: [], stop: 'end', firstByte: 1, elapsed: 1, usage, ...cost },
    failure: { request: id, class: 'retryable', code: 'x', message: '', usage, ...cost, estimated: n % 2 === 0 },
    'aside-end': { aside: id, usage, ...cost, elapsed: 1 },
    'review-end': { review: id, usage, ...cost, elapsed: 1 },
    result: { call: 'lost/0', tool: 'edit', outcome: 'ok', text: '', changes },
    undo: { calls: [], before: '', after: '', changes, kept: [] },
    checkpoint: { commit: null, files: { [`f${n}`]: sum === undefined ? null : 'h' }, changed: [`f${n}`] },
    verdict: { call: 'lost/0', tool: 'shell', decision: 'deny', by: 'rule', reason: '', arguments: {}, resources: [] },
  };
  const real = kind === 'denied' ? 'verdict' : kind;
  return { kind: real, data: data[real] } as Draft;
}

describe('a report adds up', () => {
  test('whatever happened: its rows to the ledger’s sums, its files to the ledger’s paths', () => {
    fc.assert(
      fc.property(drafts, (steps) => {
        const events: Event[] = [];
        for (const [index, step] of steps.entries()) {
          const ids = events.map(({ id }) => id);
          events.push({ id: `e${index}`, parent: ids.at(-1) ?? null, at: index, ...draftOf(step, ids) });
        }
        const view = foldAll(events, new Set(events.map(({ id }) => id)));
        const outcome = outcomeOf(view, { session: 's', log: 'l', head: 'h' });
        const { changed, denials, spending, undo } = reportOf(outcome, view, recordIn(events));
        assert.deepEqual(
          changed.map(({ path }) => path),
          [...view.ledger.changedPaths].toSorted(),
        );
        assert.equal(denials.length, view.ledger.denials.length);
        assert.equal(undo, undefined);
        // Sixty-fourths add up exactly, in whatever order.
        const sum = (field: 'cost' | 'estimated') => spending.reduce((total, row) => total + (row[field] ?? 0), 0);
        assert.equal(
          spending.some(({ cost }) => cost === undefined),
          view.ledger.costUnknown,
        );
        if (!view.ledger.costUnknown) {
          assert.equal(sum('cost'), spent(view.ledger));
          assert.equal(sum('estimated'), outcome.estimated ?? 0);
        }
        for (const kind of ['input', 'output'] as const) {
          const total = spending.reduce((all, { usage }) => all + (usage[kind] ?? 0), 0);
          assert.equal(total, view.ledger.usage[kind] ?? 0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
