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
    [['x', 'no', '--mode', 'edit'], /--mode goes with yes/],
    [['x', 'yes', '--json'], /--json shows the questions/],
  ] as const) {
    const { exit, err } = await bench.reins(['answer', ...words]);
    assert.equal(exit, 2);
    assert.match(err, said);
  }
});

test('a plan waits for its review, is shown elsewhere, and is carried out in the mode of the answer', async (context) => {
  const bench = openBench(context);
  const write = (path: string) => ({ calls: [{ name: 'write', arguments: { path, content: 'Make b.txt.\n' } }] });
  const model = bench.scenario({
    turns: [write('.reins/plan.md'), { text: 'Ready.' }, write('b.txt'), { text: 'Done.' }],
  });
  const words = ['run', '--check', 'none', '--model', model];
  const planned = await bench.reins([...words, '--profile', 'plan', 'go']);
  assert.deepEqual([planned.exit, planned.out], [9, 'Make b.txt.\n']);
  const [, id = ''] = /answer (\S+) yes --mode ask \(or edit/.exec(planned.err) ?? [];
  assert.match(planned.err, /go on .*answer .* resume /);
  const shown = await bench.reins(['answer', id]);
  assert.match(shown.out, /Accept this plan\?[^]*Make b\.txt\.[^]*no alone rejects it/);
  const wrong = await bench.reins(['answer', id, 'yes', '--mode', 'unsafe']);
  assert.equal(wrong.exit, 2);
  const answered = await bench.reins(['answer', id, 'yes', '--mode', 'edit']);
  assert.equal(answered.exit, 0, answered.err);
  // The profile of the run before says nothing against the answer.
  const { exit, out } = await bench.reins([...words, '--profile', 'plan', '--resume', id]);
  assert.deepEqual([exit, out], [0, 'Done.\n']);
  assert.ok(existsSync(join(bench.workspace, 'b.txt')));
});
