import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlanItem } from '../../src/core/index.ts';
import { createPlanTool } from '../../src/tools/builtin/plan/index.ts';
import { toolSession, type SessionOptions } from './session.ts';

/** A session that knows its plan as a real one does: from its own log. */
async function planSession(options: SessionOptions = {}) {
  let current: () => readonly PlanItem[] | undefined = () => undefined;
  const session = await toolSession({ ...options, tools: [createPlanTool(() => current())] });
  current = () => session.recorder.view.plan?.items;
  const plan = (items: string[]) => session.call('plan', { items });
  return { session, plan, current: () => current(), [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

const item = (text: string, state: PlanItem['state']): PlanItem => ({ text, state });

describe('a plan', () => {
  test('is shown as it was set, and stands in the facts of the result', async () => {
    await using session = await planSession();
    const result = await session.plan(['[x] Read the code', '[>] Write the test', '[ ] Fix it']);
    assert.equal(result.outcome, 'ok');
    assert.equal(result.text, '[x] Read the code\n[>] Write the test\n[ ] Fix it');
    const items = [item('Read the code', 'done'), item('Write the test', 'doing'), item('Fix it', 'open')];
    assert.deepEqual(result.facts, { plan: items });
    assert.deepEqual(session.current(), items);
  });

  test('replaces the one before as a whole', async () => {
    await using session = await planSession();
    await session.plan(['[ ] a', '[ ] b']);
    assert.equal((await session.plan(['[>] b'])).text, '[>] b');
    assert.deepEqual(session.current(), [item('b', 'doing')]);
  });

  test('that is set as it was is said to be unchanged', async () => {
    await using session = await planSession();
    await session.plan(['[ ] a', '[>] b']);
    assert.equal((await session.plan([' [ ]  a ', '[>] b'])).text, 'The plan is unchanged.');
    assert.equal((await session.plan(['[x] a', '[>] b'])).text, '[x] a\n[>] b');
  });

  test('can be empty', async () => {
    await using session = await planSession();
    await session.plan(['[ ] a']);
    const result = await session.plan([]);
    assert.deepEqual([result.outcome, result.text, result.facts], ['ok', 'The plan is empty.', { plan: [] }]);
  });

  for (const [line, expected] of [
    ['Without a mark', item('Without a mark', 'open')],
    ['[X] large', item('large', 'done')],
    ['- [x] as in a list', item('as in a list', 'done')],
    ['[>]close', item('close', 'doing')],
    ['[docs] are a word', item('[docs] are a word', 'open')],
    ['[ ] [x] twice', item('[x] twice', 'open')],
    ['[ ] é 日 __proto__', item('é 日 __proto__', 'open')],
  ] as const) {
    test(`takes ${JSON.stringify(line)}`, async () => {
      await using session = await planSession();
      await session.plan([line]);
      assert.deepEqual(session.current(), [expected]);
    });
  }

  const lines = (count: number) => Array.from({ length: count }, (_, index) => `[ ] item ${index}`);
  const refused: [name: string, items: string[], why: RegExp][] = [
    ['more than 50 items', lines(51), /at most 50 items, and this has 51/],
    [
      'a text of more than 200 characters',
      ['[ ] a', `[ ] ${'x'.repeat(201)}`],
      /items\[1\] has 201 characters, and 200 are/,
    ],
    ['two things at a time', ['[>] a', '[>] b'], /2 items are marked \[>\]/],
    ['an item without a text', ['[x]  '], /items\[0\] has no text/],
    ['an item of nothing', [''], /items\[0\] has no text/],
    ['a line break', ['[ ] a\nb'], /items\[0\] has a line break/],
    ['a line break that looks like none', ['[ ] a\u2028b'], /items\[0\] has a line break/],
    ['an unknown mark', ['[~] a'], /items\[0\] begins with \[~\]; it is \[ \] open/],
    ['a mark from a prototype', ['[] a'], /items\[0\] begins with \[\]/],
  ];
  for (const [name, items, why] of refused) {
    test(`doesn’t take ${name}, and stays as it was`, async () => {
      await using session = await planSession();
      await session.plan(['[ ] before']);
      const result = await session.plan(items);
      assert.equal(result.outcome, 'error');
      assert.match(result.text, why);
      assert.match(result.text, /The plan is as it was\.$/);
      assert.deepEqual(session.current(), [item('before', 'open')]);
    });
  }

  test('takes just 50 items, and a text of just 200 characters', async () => {
    await using session = await planSession();
    assert.equal((await session.plan(lines(50))).outcome, 'ok');
    assert.equal((await session.plan([`[ ] ${'x'.repeat(200)}`])).outcome, 'ok');
  });

  test('is set in every mode without a question, and changes no file', async () => {
    for (const mode of ['plan', 'ask', 'edit', 'unsafe'] as const) {
      await using session = await planSession({ policy: { mode } });
      const result = await session.plan(['[ ] a']);
      assert.deepEqual([result.outcome, result.changes, result.mayHaveChanged], ['ok', undefined, undefined]);
      assert.equal(session.session.verdicts()[0]?.decision, 'allow');
    }
  });

  test('that is set twice in one reply is the later one', async () => {
    await using session = await planSession();
    await session.session.callAll([
      ['plan', { items: ['[ ] first'] }],
      ['plan', { items: ['[ ] second'] }],
    ]);
    assert.deepEqual(session.current(), [item('second', 'open')]);
  });
});
