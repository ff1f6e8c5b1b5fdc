import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { linesOf, openBench } from './command-line.ts';

const asks = (command: string) => ({ calls: [{ name: 'shell', arguments: { command } }] });

test('a run waits, shows its question elsewhere, and goes on with an edited command', async (context) => {
  const bench = openBench(context);
  const model = bench.scenario({ turns: [asks('touch one'), { text: 'Done.' }] });
  const words = ['run', '--json', '--mode', 'ask', '--check', 'none', '--on-ask', 'wait', '--model', model];
  const waiting = linesOf((await bench.reins([...words, 'make a file'])).out).at(-1);
  assert.deepEqual([waiting?.['outcome'], waiting?.['exit']], ['waiting', 9]);
  const id = String(waiting?.['session']);
  const [shown, data] = await Promise.all([bench.reins(['answer', id]), bench.reins(['answer', id, '--json'])]);
  assert.match(shown.out, /touch one\n[^]*asked because [^]*edit --command/);
  const [question] = linesOf(data.out);
  assert.equal(question?.['command'], 'touch one');
  assert.deepEqual(waiting?.['questions'], [question]);
  const answered = await bench.reins(['answer', id, 'edit', '--command', 'touch two']);
  assert.equal(answered.exit, 0, answered.err);
  const { out, err } = await bench.reins([...words, '--resume', id]);
  assert.equal(linesOf(out).at(-1)?.['outcome'], 'completed', err);
  assert.deepEqual(
    ['one', 'two'].map((name) => existsSync(join(bench.workspace, name))),
    [false, true],
  );
});

test('what is no answer is said', async (context) => {
  const bench = openBench(context);
  for (const [words, said] of [
    [['x', 'edit'], /edit needs the command/],
    [['x', 'yes', '--command', 'ls'], /--command goes with edit/],
    [['x', 'edit', '--command', 'ls', '--always'], /allowed once/],
    [['x', 'yes', '--json'], /--json shows the questions/],
  ] as const) {
    const { exit, err } = await bench.reins(['answer', ...words]);
    assert.equal(exit, 2);
    assert.match(err, said);
  }
});
