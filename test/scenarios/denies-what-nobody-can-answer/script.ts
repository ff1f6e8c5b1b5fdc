import assert from 'node:assert/strict';
import type { Script } from '../../support/scenario-types.ts';

/** Milliseconds in which a question must have its answer. */
const soon = 1000;

export const checks: Script['checks'] = {
  atOnce: (_place, runs) => {
    const events = runs.flatMap(({ items }) => items.flatMap((item) => ('kind' in item ? [item] : [])));
    const asked = events.filter(({ kind }) => kind === 'ask');
    assert.equal(asked.length, 3);
    for (const { id, at } of asked) {
      const answer = events.find((event) => event.kind === 'answer' && event.data.ask === id);
      assert.ok(answer !== undefined && answer.at - at < soon, `question ${id}`);
    }
  },
};
