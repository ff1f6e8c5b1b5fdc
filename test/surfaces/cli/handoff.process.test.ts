import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { write } from '../../support/calls.ts';
import { openBench } from './command-line.ts';

test('a run leaves its report, hands over to the next, and its failures to the ledger', async (context) => {
  const bench = openBench(context);
  const { workspace } = bench;
  const first = bench.scenario({
    turns: [{ calls: [write('new.txt', 'n\n')] }, ...Array.from({ length: 6 }, () => ({ text: 'Done.' }))],
  });
  const run = [
    'run',
    '--mode',
    'edit',
    '--json',
    '--check',
    'false',
    '--report',
    'copy.json',
    '--model',
    first,
    'write it',
  ];
  const { exit, out, err } = await bench.reins(run);
  assert.equal(exit, 3, err);
  assert.match(err, /^ {2}changed {2}new\.txt \| \+1 -0 \+ new$/m);
  assert.match(err, /^ {2}undo {5}\S+ undo \S+ --to 1$/m);
  const outcome = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { report: string; session: string };
  const copy = readFileSync(join(workspace, 'copy.json'), 'utf8');
  assert.equal(copy, readFileSync(outcome.report, 'utf8'));

  assert.equal((await bench.reins(['handoff', '--continue', '--out', 'next.md'])).exit, 0);
  assert.match(readFileSync(join(workspace, 'next.md'), 'utf8'), /^- Make this pass: false$/m);
  const missing = await bench.reins(['handoff', '--continue', '--out', 'none/next.md']);
  assert.match(missing.err, /none\/next\.md can’t be written: the folder none doesn’t exist\./);
  const json = await bench.reins(['handoff', outcome.session, '--json']);
  assert.equal((JSON.parse(json.out) as { state: string }).state, 'unverified');
  const second = await bench.reins([
    'run',
    '--mode',
    'plan',
    '--json',
    '--handoff',
    'next.md',
    '--model',
    bench.scenario({ turns: [{ text: 'I see.' }] }),
  ]);
  assert.match(second.out, /"kind":"input","data":\{"from":"user","text":"Go on with the work[^"]*<handoff>/);

  const dry = await bench.reins(['ledger', 'add', '--from', outcome.session, '--dry-run']);
  assert.match(dry.out, /^1 {3}Said to be done although a check failed: false \(\d times\)$/m);
  const added = await bench.reins(['ledger', 'add', '--from', outcome.session, '--pick', '1']);
  const [id = ''] = added.out.split(' ');
  assert.equal((await bench.reins(['ledger', 'fix', id, '--rung', 'hook'])).exit, 0);
  assert.match((await bench.reins(['ledger'])).out, /seen 1 time, fixed by hook\)\n$/);
  const report = await bench.reins(['ledger', 'report', '--json']);
  assert.deepEqual((JSON.parse(report.out) as { rungs: unknown }).rungs, [
    { rung: 'hook', fixes: 1, failed: 0, recurrences: 0 },
  ]);
});

test('writers side by side lose nothing of each other', async (context) => {
  const bench = openBench(context);
  const { workspace } = bench;
  mkdirSync(join(workspace, '.git'));
  const names = ['one', 'two', 'three', 'four'];
  const ended = await Promise.all(names.map((name) => bench.reins(['ledger', 'add', name])));
  assert.deepEqual(
    ended.map(({ exit }) => exit),
    [0, 0, 0, 0],
  );
  const lines = readFileSync(join(workspace, '.reins', 'ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const symptoms = lines.map((line) => (JSON.parse(line) as { symptom: string }).symptom);
  assert.deepEqual(symptoms.toSorted(), names.toSorted());
});

for (const [words, way] of [
  [['handoff'], /Give an ID, or --continue/],
  [['handoff', 'x', '--continue'], /exclude each other/],
  [['ledger', 'add'], /What went wrong/],
  [['ledger', 'fix', 'x'], /where was it fixed/],
  [['ledger', 'fix', 'x', '--rung', 'prayer'], /--rung can’t be "prayer"/],
  [['ledger', 'report', '--rung', 'lint'], /--rung doesn’t go with ledger report/],
  [['run', '--handoff', 'nowhere.md', 'x'], /The handoff "nowhere\.md" can’t be read/],
] as const) {
  test(`reins ${words.join(' ')} says what is wanted`, async (context) => {
    const { exit, err } = await openBench(context).reins([...words]);
    assert.equal(exit, 2);
    assert.match(err, way);
  });
}
