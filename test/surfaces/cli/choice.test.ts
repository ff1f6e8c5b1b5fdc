import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { never, openTerminal } from './stream-terminal.ts';

const question = {
  call: 'c/0',
  question: 'Which database?',
  options: ['SQLite', 'PostgreSQL', 'none'],
  fallback: 'PostgreSQL',
};
const ready = /> $/;

describe('a question of the model on the terminal', () => {
  test('shows its options with their numbers, and which one is the default', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    await Promise.all([approver.choose(question, never), typeWhen(ready, '1\n')]);
    assert.equal(
      shown(),
      '? Which database?\n  1: SQLite\n  2: PostgreSQL (default)\n  3: none\n  a number, your own words, or Enter for the default > ',
    );
  });

  for (const [name, typed, choice] of [
    ['a number', '1\n', 'SQLite'],
    ['a number with blanks and a carriage return', ' 3 \r\n', 'none'],
    ['nothing, for the default', '\n', 'PostgreSQL'],
    ['own words', 'the one that we have\n', 'the one that we have'],
    ['own words with a number in them', '2 of them\n', '2 of them'],
    ['an option in words', 'none\n', 'none'],
    ['a number that isn’t there, then one that is', '0\n4\n99999999999999999999\n2\n', 'PostgreSQL'],
  ] as const) {
    test(`takes ${name}`, async () => {
      const { approver, typeWhen } = openTerminal();
      const [answer] = await Promise.all([approver.choose(question, never), typeWhen(ready, typed)]);
      assert.deepEqual(answer, { by: 'terminal', choice });
    });
  }

  test('says so when there is no such option, and asks again', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    await Promise.all([approver.choose(question, never), typeWhen(ready, '4\n1\n')]);
    assert.match(shown(), /> {3}There is no option 4\.\n {2}a number, .* > $/);
  });

  test('takes a number that is an option and no number of one', async () => {
    const { approver, typeWhen } = openTerminal();
    const numbers = { ...question, options: ['2', '8'], fallback: '2' };
    const [answer] = await Promise.all([approver.choose(numbers, never), typeWhen(ready, '8\n')]);
    assert.equal(answer?.choice, '8');
  });

  test('shows a default that is none of the options', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    await Promise.all([approver.choose({ ...question, fallback: 'ask later' }, never), typeWhen(ready, '\n')]);
    assert.match(shown(), / {2}3: none\n {2}default: ask later\n/);
  });

  test('what was typed before it is no answer to it', async () => {
    const { keyboard, approver, typeWhen } = openTerminal();
    keyboard.write('1\n\n3\n');
    const [answer] = await Promise.all([approver.choose(question, never), typeWhen(ready, 'mine\n')]);
    assert.equal(answer?.choice, 'mine');
  });

  test('and an ask come one after the other', async () => {
    const { approver, until, typeWhen, shown } = openTerminal();
    const chosen = approver.choose(question, never);
    const asked = approver.ask({ call: 'c/1', tool: 'shell', question: 'shell: ls' }, never);
    await until(ready);
    assert.doesNotMatch(shown(), /shell/);
    await typeWhen(ready, '3\n');
    await typeWhen(/\? shell: ls\n.*> $/, 'y\n');
    assert.equal((await chosen)?.choice, 'none');
    assert.equal(typeof (await asked), 'object');
  });

  test('has no answer when it isn’t wanted any more, shown or not', async () => {
    const { approver, until, shown } = openTerminal();
    const abort = new AbortController();
    const answer = approver.choose(question, abort.signal);
    await until(ready);
    abort.abort();
    assert.equal(await answer, undefined);
    assert.match(shown(), /no answer needed here any more/);
    const before = shown();
    assert.equal(await approver.choose(question, abort.signal), undefined);
    assert.equal(shown(), before);
  });

  test('has no answer when the input ends: the default counts', async () => {
    const { keyboard, approver, until, shown } = openTerminal();
    const answer = approver.choose(question, never);
    await until(ready);
    keyboard.end();
    assert.equal(await answer, undefined);
    assert.match(shown(), /\(the default counts\)\n$/);
    assert.equal(await approver.choose(question, never), undefined);
  });

  test('obeys nothing of what it shows', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    const hostile = {
      call: 'c/0',
      question: 'One\n\u001b[2JTwo\u202e',
      options: ['a\n  2: fake\u001b[31m', 'b\u009bx'],
      fallback: 'b\u009bx',
    };
    await Promise.all([approver.choose(hostile, never), typeWhen(ready, '1\n')]);
    assert.match(
      shown(),
      /^\? One\n {2}\\x1b\[2JTwo\\u202e\n {2}1: a ↵ 2: fake\n {2}2: b\\x9bx \(default\)\n {2}a number/,
    );
  });
});
