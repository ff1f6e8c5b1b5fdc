import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { proposeMemory } from '../../../src/config/index.ts';
import { openBench } from './command-line.ts';

test('notes are set, shown, decided and taken back, and what is wrong is said', async (t) => {
  const bench = openBench(t);
  const place = { scope: 'project', workspace: bench.workspace, env: bench.environment } as const;
  const file = join(bench.workspace, 'notes.txt');
  writeFileSync(file, 'first \u001b[31mnote\n');
  const set = await bench.reins(['memory', 'set', file]);
  assert.deepEqual([set.exit, /^Version 1:\n[^]*\+first \\x1b\[31mnote$/m.test(set.out)], [0, true]);
  for (const note of ['second', 'third']) proposeMemory(place, { note });
  const inbox = await bench.reins(['memory', 'inbox', '--json']);
  const [, third] = inbox.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { id: string }]));
  assert.equal((await bench.reins(['memory', 'reject', third!.id])).out, 'Rejected.\n');
  assert.match((await bench.reins(['memory', 'accept', '--all'])).out, /^Version 2:\n[^]*\+second$/m);
  assert.match((await bench.reins(['memory', 'revert', '1'])).out, /^-second$/m);
  const { out } = await bench.reins(['memory', '--json']);
  assert.deepEqual(JSON.parse(out), { text: 'first \u001b[31mnote', version: 3, waiting: 0 });
  const wrong = [['forget'], ['set'], ['revert', 'x'], ['accept', 'absent'], ['reject', '--all']];
  const ends = await Promise.all(wrong.map(async (words) => bench.reins(['memory', ...words])));
  assert.deepEqual(
    ends.map(({ exit }) => exit),
    wrong.map(() => 2),
  );
  assert.match(ends[3]!.err, /`reins memory inbox` lists them\.\n$/);
});
