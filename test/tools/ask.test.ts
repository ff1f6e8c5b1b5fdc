import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Approver, Question } from '../../src/core/index.ts';
import { recordingApprover } from '../../src/testing/index.ts';
import { askTool } from '../../src/tools/builtin/ask/index.ts';
import { toolSession, type SessionOptions } from './session.ts';

const askSession = (approver: Approver | undefined, options: SessionOptions = {}) =>
  toolSession({ ...options, tools: [askTool], ...(approver === undefined ? {} : { approver }) });

const question = 'Which database?';
const options = ['SQLite', 'PostgreSQL'];

describe('a question to the person', () => {
  test('is put with its options and the default, and answered by one of them', async () => {
    const approver = recordingApprover([], ['PostgreSQL']);
    await using session = await askSession(approver);
    const result = await session.call('ask', { question, options, default: 'PostgreSQL' });
    const [{ call, ...asked } = {} as Question] = approver.asked;
    assert.equal(call, result.call);
    assert.deepEqual(asked, { question, options, fallback: 'PostgreSQL' });
    assert.deepEqual([result.outcome, result.text], ['ok', 'Answer (by script): "PostgreSQL"']);
    assert.deepEqual(result.facts, { asked: { question, choice: 'PostgreSQL', by: 'script' } });
    assert.deepEqual([result.changes, result.mayHaveChanged], [undefined, undefined]);
  });

  test('can be answered in own words', async () => {
    await using session = await askSession(recordingApprover([], ['  None, "keep" files\nfor now ']));
    const result = await session.call('ask', { question, options });
    assert.equal(result.text, String.raw`Answer (by script, in their own words): "None, \"keep\" files\nfor now"`);
  });

  test('is answered by the default where the answer is empty', async () => {
    await using session = await askSession(recordingApprover([], [' ']));
    assert.equal((await session.call('ask', { question, options })).text, 'Answer (by script): "SQLite"');
  });

  const nobody: [string, Approver | undefined][] = [
    ['nobody can be asked', undefined],
    ['nobody is there', recordingApprover([], [undefined])],
  ];
  for (const [name, approver] of nobody) {
    test(`counts its default at once where ${name}`, async () => {
      await using session = await askSession(approver);
      const given = await session.call('ask', { question, options, default: 'PostgreSQL' });
      assert.deepEqual(
        [given.outcome, given.text],
        ['ok', 'Nobody is there to answer, so the default counts: "PostgreSQL".'],
      );
      assert.deepEqual(given.facts, { asked: { question, choice: 'PostgreSQL', by: 'default' } });
      const first = await session.call('ask', { question, options });
      assert.deepEqual(first.facts, { asked: { question, choice: 'SQLite', by: 'default' } });
    });
  }

  test('that can’t be put counts its default, and says why', async () => {
    const broken: Approver = {
      ...recordingApprover(),
      choose: () => Promise.reject(new Error('the terminal is gone')),
    };
    await using session = await askSession(broken);
    const result = await session.call('ask', { question, options });
    assert.equal(result.outcome, 'ok');
    assert.match(
      result.text,
      /^The question could not be put \(the terminal is gone\), so the default counts: "SQLite"\.$/,
    );
  });

  test('that is cancelled is a cancelled call, and no default counts', async () => {
    const waiting: Approver = {
      ...recordingApprover(),
      choose: () => {
        session.cancel();
        return new Promise(() => undefined);
      },
    };
    const session = await askSession(waiting);
    await using _ = session;
    const result = await session.call('ask', { question, options });
    assert.equal(result.outcome, 'cancelled');
    assert.match(result.text, /The question was not answered\.$/);
    assert.equal(result.facts, undefined);
  });

  test('passes in every mode without being asked about', async () => {
    for (const mode of ['plan', 'ask', 'edit', 'unsafe'] as const) {
      const approver = recordingApprover([], ['SQLite']);
      await using session = await askSession(approver, { policy: { mode } });
      assert.equal((await session.call('ask', { question, options })).outcome, 'ok');
      assert.deepEqual(approver.questions, []);
    }
  });

  test('waits for the one before it', async () => {
    const open: string[] = [];
    let most = 0;
    const approver = recordingApprover([], async (asked) => {
      open.push(asked.question);
      most = Math.max(most, open.length);
      await new Promise((resolve) => setImmediate(resolve));
      open.pop();
      return asked.options[0];
    });
    await using session = await askSession(approver);
    await session.callAll(['a', 'b', 'c'].map((name) => ['ask', { question: name, options }]));
    assert.deepEqual(
      approver.asked.map((asked) => asked.question),
      ['a', 'b', 'c'],
    );
    assert.equal(most, 1);
  });

  const refused: [name: string, args: { question: string; options: string[]; default?: string }, why: RegExp][] = [
    ['an empty question', { question: ' ', options }, /^question is empty\./],
    [
      'a question of 2,001 characters',
      { question: 'x'.repeat(2_001), options },
      /2,001 characters, 2,000 characters are/,
    ],
    ['one option', { question, options: ['a'] }, /must be 2 to 6 options, not 1/],
    ['seven options', { question, options: 'a b c d e f g'.split(' ') }, /must be 2 to 6 options, not 7/],
    ['an empty option', { question, options: ['a', ''] }, /options\[1\] is empty/],
    ['an option of 201 characters', { question, options: ['a', 'x'.repeat(201)] }, /options\[1\] has 201 characters/],
    ['the same option twice', { question, options: ['a', 'b', 'a'] }, /options\[2\] stands there twice/],
    ['a default that is none of them', { question, options, default: 'Oracle' }, /default must be one of the options/],
  ];
  for (const [name, args, why] of refused) {
    test(`isn’t put with ${name}`, async () => {
      const approver = recordingApprover([], ['a']);
      await using session = await askSession(approver);
      const result = await session.call('ask', args);
      assert.equal(result.outcome, 'error');
      assert.match(result.text, why);
      assert.match(result.text, /Nothing was asked\.$/);
      assert.deepEqual(approver.asked, []);
    });
  }

  test('is put with two and six options, and with the longest texts', async () => {
    const approver = recordingApprover([], (asked) => asked.options[0]);
    await using session = await askSession(approver);
    for (const given of [['a', 'b'], 'a b c d e f'.split(' '), ['x'.repeat(200), 'b']]) {
      const result = await session.call('ask', { question: 'x'.repeat(2_000), options: given });
      assert.equal(result.outcome, 'ok');
    }
  });
});
