import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksFor, type DefinerChange } from '../../src/core/index.ts';

const changed: DefinerChange = { path: 'test/sum.test.js', kind: 'test' };
const skipped: DefinerChange = { ...changed, how: 'skipped' };
const config: DefinerChange = { path: 'tsconfig.json', kind: 'configuration' };

const asked: [task: string, change: DefinerChange][] = [
  ['Add tests for sum.', changed],
  ['Please write a test that covers the empty list', changed],
  ['Update the snapshot tests', changed],
  ['Change sum to round, and adapt its tests.', changed],
  ['Add a case to test/sum.test.js', changed],
  ['Rewrite test/sum.test.js with vitest', changed],
  ['Remove the flaky tests.', { ...changed, how: 'deleted' }],
  ['Skip the slow tests for now', skipped],
  ['Change tsconfig.json to strict', config],
  ['Raise nothing; change the coverage thresholds', config],
];
for (const [task, change] of asked) test(`"${task}" asks for it`, () => assert.equal(asksFor([task], change), true));

const unasked: [task: string, change: DefinerChange][] = [
  ['Fix the failing test', changed],
  ['Make the tests pass', changed],
  ['Make test/sum.test.js pass', changed],
  ['Change the code so that the tests pass', changed],
  ['Update sum.js to pass its tests', changed],
  ['Refactor sum until all tests are green', changed],
  ['Add a function, and do not change the tests', changed],
  ['Don’t edit the tests. Add a function.', changed],
  ['Add rounding; keep tests untouched', changed],
  ['Update the tests', skipped],
  ['Add tests', { ...changed, how: 'deleted' }],
  ['Add tests', config],
  ['', changed],
];
for (const [task, change] of unasked)
  test(`"${task}" does not ask for it`, () => assert.equal(asksFor([task], change), false));
