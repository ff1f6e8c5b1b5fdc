import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneLines } from '../../../src/surfaces/cli/commands/prune.ts';
import { plainStyle } from '../../../src/surfaces/cli/render/index.ts';
import { bytesIn, sizeText } from '../../../src/surfaces/cli/sizes.ts';
import { linesOf, openBench } from './command-line.ts';

test('reins prune says what would go, and removes it', async (context) => {
  const bench = openBench(context);
  const model = bench.scenario({ turns: [{ text: 'Done.' }] });
  const run = await bench.reins(['run', '--json', '--check', 'none', '--model', model, 'mend the parser']);
  const id = String(linesOf(run.out).at(-1)?.['session']);
  const dry = await bench.reins(['prune', '--keep', '0', '--dry-run']);
  assert.equal(dry.exit, 0, dry.err);
  assert.match(dry.out, new RegExp(`^${id} .*: mend the parser\n1 session would go, freeing .* kB \\(logs .*\\)\n$`));
  assert.equal(linesOf((await bench.reins(['sessions', '--json'])).out).length, 1);
  const wet = await bench.reins(['prune', '--older-than', '0m', '-C', bench.workspace, '--json']);
  const report = JSON.parse(wet.out) as { removed: { session: string }[] };
  assert.deepEqual(
    report.removed.map(({ session }) => session),
    [id],
  );
  assert.equal((await bench.reins(['sessions', '--json'])).out, '');
  for (const [words, said] of [
    [[], /Which sessions\?/],
    [['--keep', 'all'], /--keep takes a whole number/],
    [['--quota', 'much'], /--quota must be a size/],
    [['--older-than', 'long'], /--older-than must be a date/],
  ] as const) {
    const refused = await bench.reins(['prune', ...words]);
    assert.equal(refused.exit, 2);
    assert.match(refused.err, said);
  }
});

test('sizes are read and shown', () => {
  for (const [text, bytes] of [
    ['0', 0],
    ['500', 500],
    ['1.5GiB', 1_610_612_736],
    ['5GB', 5e9],
    ['20kB', 20_000],
  ] as const) {
    assert.equal(bytesIn('quota', text), bytes);
  }
  for (const text of ['', '-1', '5 GB', '5TB', 'GB']) assert.throws(() => bytesIn('quota', text), /--quota must be/);
  assert.deepEqual([0, 999, 1000, 1_250_000, 3e9].map(sizeText), ['0 B', '999 B', '1.0 kB', '1.3 MB', '3.0 GB']);
});

test('what goes is shown harmless, with what stays and why', () => {
  const removed = [{ session: 's', title: 't\u001b[2J', workspace: '/w', lastAt: 0 }];
  const report = {
    dryRun: false,
    removed,
    skipped: [{ session: 'z', why: 'it runs' }],
    kept: { running: 0, waiting: 2, named: 1, new: 0 },
    freed: { logs: 1000, blobs: 0, snapshots: 0 },
    leftovers: 1,
  };
  const lines = pruneLines(report, plainStyle(100));
  assert.equal(
    lines.some((line) => line.includes('\u001b')),
    false,
  );
  assert.deepEqual(lines.slice(1), [
    'left: z (it runs)',
    '1 session gone, freed 1.0 kB (logs 1.0 kB, blobs 0 B, snapshots 0 B)',
    'stays in any case: 2 waiting, 1 named',
    '1 folder of sessions that were cut off while they were made or removed',
  ]);
});
