import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shell } from '../../support/calls.ts';
import { linesOf } from './command-line.ts';
import { openUndoBench } from './undo-bench.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('the audit tells what a command changed, and of a broken log first that it is broken', async (context) => {
  const bench = openUndoBench(context);
  bench.file('a.txt', 'one\n');
  bench.file('gone.txt', 'gone\n');
  await bench.run([
    { calls: [shell('printf two > a.txt; rm gone.txt; printf x > new.txt')] },
    { calls: [shell('rm -rf /')] },
  ]);

  const whole = await bench.reins(['audit', '--json', '--changes']);
  assert.equal(whole.exit, 0, whole.err);
  const [head, call, ...rest] = linesOf(whole.out);
  assert.deepEqual([head?.['type'], head?.['whole'], rest], ['audit', true, []]);
  assert.deepEqual(call?.['changes'], [
    { path: 'a.txt', before: sha256('one\n'), after: sha256('two'), how: 'compared' },
    { path: 'gone.txt', before: sha256('gone\n'), after: null, how: 'compared' },
    { path: 'new.txt', before: null, after: sha256('x'), how: 'compared' },
  ]);
  assert.equal(call?.['exit'], 0);

  const denied = await bench.reins(['audit', '--denied', '--csv']);
  assert.equal(denied.exit, 0);
  assert.match(denied.err, /^the chain holds/);
  assert.match(denied.out, /,rm -rf \/,.*,deny,floor,/);
  assert.equal(denied.out.trimEnd().split('\r\n').length, 2);

  const state = join(bench.environment['XDG_STATE_HOME'] ?? '', 'reins');
  const log = join(state, 'sessions', String(head?.['session']), 'log.jsonl');
  const lines = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, lines.map((line) => line.replace('rm -rf /', 'rm -rf .')).join('\n'));
  rmSync(join(state, 'checkpoints'), { recursive: true });
  const broken = await bench.reins(['audit']);
  assert.equal(broken.exit, 1);
  assert.match(broken.out, /^THE LOG IS NOT WHOLE: \d+ fault/);
  assert.match(broken.out, /rm -rf \./);
  assert.match(broken.out, /not all known: the workspace or its snapshots are gone/);
  const both = await bench.reins(['audit', '--json', '--csv']);
  assert.equal(both.exit, 2);
});
