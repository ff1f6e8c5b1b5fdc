/** The contract of the port `Summariser`: what stands in place of older turns, and what counts when no model can say it. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Draft, Event, Summariser, SummaryOrder, View } from '../../src/core/index.ts';
import { parts } from '../harness/long-talk.ts';

export interface SummariserUnderTest {
  summariser: Summariser;
  view: View;
  record: (draft: Draft) => Promise<Event>;
  /** Records a reply, and gives its id. */
  reply: (text: string) => Promise<string>;
  /** The last reply of the path. */
  tail: string;
}

/** What a model is to say: a summary with all its parts, and what is none. */
export const usable = parts;
export const unusable = 'All is well.';

const never = new AbortController().signal;

/** Runs the suite; the factory makes a summariser over a path of some turns, whose model says this. */
export function testSummariserContract(
  name: string,
  make: (t: TestContext, said: string) => Promise<SummariserUnderTest>,
): void {
  const orderOf = ({ view, tail }: SummariserUnderTest): SummaryOrder => ({ view, tail, most: 2_000, window: 100_000 });

  describe(`${name} keeps the contract of a summariser`, () => {
    test('a summary stands in what is shown', async (t) => {
      const subject = await make(t, usable);
      const made = await subject.summariser.summarise(orderOf(subject), never);
      assert.equal(made.problem, undefined);
      assert.equal(made.summary?.text, usable);
      assert.ok(made.shown.includes(usable));
      assert.ok(Array.isArray(made.files.read) && Array.isArray(made.files.changed));
    });

    test('where there is none it says why, and does not reject', async (t) => {
      const subject = await make(t, unusable);
      const made = await subject.summariser.summarise(orderOf(subject), never);
      assert.ok(made.problem !== undefined && made.problem !== '');
      assert.equal(made.summary, undefined);
      assert.notEqual(made.shown.trim(), '');
    });

    test('an earlier one stays where no new one is made', async (t) => {
      const subject = await make(t, unusable);
      const gist = {
        tail: subject.tail,
        kept: [],
        shown: 'before',
        summary: { text: 'What was before.', asides: [] },
        files: { read: ['a'], changed: [] },
      };
      await subject.record({ kind: 'compaction', data: { why: 'manual', elided: [], gist, before: 2, after: 1 } });
      const tail = await subject.reply('Three.');
      const made = await subject.summariser.summarise({ ...orderOf(subject), tail }, never);
      assert.equal(made.summary?.text, 'What was before.');
      assert.ok(made.problem !== undefined && made.shown.includes('What was before.'));
    });

    test('an aborted signal gives what there is, soon', { timeout: 20_000 }, async (t) => {
      const subject = await make(t, usable);
      const made = await subject.summariser.summarise(orderOf(subject), AbortSignal.abort());
      assert.ok(made.problem !== undefined);
      assert.notEqual(made.shown.trim(), '');
    });
  });
}
