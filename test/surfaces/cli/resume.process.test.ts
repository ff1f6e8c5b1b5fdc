import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { pickFrom } from '../../../src/surfaces/cli/session-picker.ts';
import { openTerminalInput } from '../../../src/surfaces/cli/terminal-input.ts';
import { linesOf, openBench, type Bench } from './command-line.ts';
import { never } from './stream-terminal.ts';

async function worked(bench: Bench, words: string[], task: string, folder?: string) {
  const model = bench.scenario({ turns: [1, 2, 3, 4].map((turn) => ({ text: `Done ${turn}.` })) });
  const ended = await bench.reins([...words, '--json', '--check', 'none', '--model', model, task], {
    ...(folder !== undefined && { folder }),
  });
  const outcome = linesOf(ended.out).at(-1);
  return { ...ended, session: String(outcome?.['session']), log: String(outcome?.['log']) };
}

test('a session is gone on with by a part of its id or title, from any folder, and renamed', async (context) => {
  const bench = openBench(context);
  const first = await worked(bench, ['run'], 'mend the parser');
  const second = await worked(bench, ['run'], 'write the docs');
  assert.notEqual(first.session, second.session);

  for (const part of ['PARSER', first.session.slice(-6)]) {
    const again = await worked(bench, ['resume', part], 'more', tmpdir());
    assert.deepEqual([again.exit, again.session], [0, first.session], again.err);
  }
  const last = await worked(bench, ['resume', '--last'], 'and more');
  assert.deepEqual([last.exit, last.session], [0, first.session], last.err);

  const named = await bench.reins(['title', second.session, 'The manual']);
  assert.deepEqual(
    [named.exit, named.out],
    [0, `Recorded in session ${second.session}, which nobody is driving now.\n`],
  );
  assert.equal((await bench.reins(['title', 'manual'])).out, 'The manual\n');
  const listed = linesOf((await bench.reins(['sessions', '--json'])).out);
  assert.deepEqual(
    listed.map(({ id, title, named: isNamed }) => [id, title, isNamed]),
    [
      [second.session, 'The manual', true],
      [first.session, 'mend the parser', false],
    ],
  );
  assert.equal(readFileSync(second.log, 'utf8').includes('"kind":"title"'), true);

  const unclear = await bench.reins(['resume', '2026', 'x']);
  assert.equal(unclear.exit, 2);
  assert.match(unclear.err, new RegExp(`2 sessions .*\n.*The manual.*\n.*mend the parser`));
  for (const [words, said] of [
    [['resume'], /Which session\? Give an ID, or --last/],
    [['resume', '--last', 'a', 'b'], /exclude each other/],
    [['resume', 'nothing'], /No session has “nothing”/],
    [['title'], /Which session/],
    [['title', 'manual', 'two\nlines'], /A title is one line/],
  ] as const) {
    const refused = await bench.reins([...words]);
    assert.equal(refused.exit, 2, words.join(' '));
    assert.match(refused.err, said);
  }
});

const summary = (id: string, lastAt: number, title: string) => {
  return {
    id,
    title,
    named: false,
    workspace: '/w',
    task: title,
    startedAt: 0,
    lastAt,
    state: 'completed',
    damaged: false,
  };
};

describe('the list to choose a session from', () => {
  const pick = async (typed: string) => {
    const keyboard = new PassThrough();
    let shown = '';
    const err = {
      isTerminal: true,
      hasColors: false,
      gone: never,
      width: () => 120,
      write(text: string | Uint8Array) {
        shown += String(text);
        if (shown.endsWith('> ')) keyboard.write(typed);
        if (typed === '' && shown.endsWith('> ')) keyboard.end();
      },
      ready: () => Promise.resolve(),
      flush: () => Promise.resolve(),
    };
    const sessions = [summary('old', 1, 'first'), summary('young', 2, 'second\u001b[2J')];
    return { picked: await pickFrom(sessions, { input: openTerminalInput(keyboard as never), err }), shown };
  };

  test('shows the latest first, harmless', async () => {
    const { shown } = await pick('\n');
    assert.match(
      shown,
      /^\? Which session\?\n {2}1: .* {2}young {2}completed {2}second.*\n {2}2: .* {2}old {2}completed {2}first\n/,
    );
    assert.equal(shown.includes('\u001b'), false);
  });

  for (const [name, typed, id] of [
    ['Enter, for the first', '\n', 'young'],
    ['a number', '2\n', 'old'],
    ['a number that isn’t there, then one that is', '0\n9\n1\n', 'young'],
    ['words, to be found', 'sec\n', 'sec'],
    ['arrow keys as nothing', '\u001b[A\u001bOB\u001b[1;5C2\n', 'old'],
    ['the end of the input, for none', '', undefined],
  ] as const) {
    test(`takes ${name}`, async () => assert.equal((await pick(typed)).picked, id));
  }
});
