import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { linesOf, openBench } from './command-line.ts';

test('reins export writes a session for its owner alone, and replaces nothing unasked', async (context) => {
  const bench = openBench(context);
  const model = bench.scenario({ turns: [{ text: 'The parser\u202e is mended.' }] });
  const run = await bench.reins(['run', '--json', '--check', 'none', '--model', model, 'mend the parser']);
  const id = String(linesOf(run.out).at(-1)?.['session']);

  const shown = await bench.reins(['export', '--continue']);
  assert.equal(shown.exit, 0, shown.err);
  assert.match(shown.out, /^# mend the parser\n[\s\S]*\n> mend the parser\n[\s\S]*The parser\u202e is mended\.\n/);

  const file = join(bench.workspace, 'page.html');
  const written = await bench.reins(['export', id, '--format', 'html', '--out', file]);
  assert.equal(written.exit, 0, written.err);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, 'utf8'), /The parser\\u202e is mended/, 'a browser would obey it');
  bench.file('page.html', 'mine');
  const refused = await bench.reins(['export', id, '--out', file]);
  assert.deepEqual([refused.exit, readFileSync(file, 'utf8')], [2, 'mine']);
  assert.match(refused.err, /is there already; --force replaces it/);
  const forced = await bench.reins(['export', id, '--format', 'json', '--out', file, '--force', '--json']);
  assert.equal(forced.exit, 0, forced.err);
  const { size, mode } = statSync(file);
  assert.deepEqual([mode & 0o777, linesOf(forced.out)], [0o600, [{ session: id, format: 'json', file, bytes: size }]]);

  const pipe = join(bench.workspace, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [words, said] of [
    [['export'], /Which session\?.*\nSee `reins help export`\.\n$/],
    [['export', id, '--format', 'atof'], /--format can’t be "atof". Did you mean atif\?/],
    [['title'], /^reins: Which session\? `reins sessions` lists them\.\n$/],
    [['export', id, '--force'], /--force needs --out/],
    [['export', id, '--all-branches'], /--all-branches needs --format json/],
    [['export', id, '--out', join(bench.workspace, 'none', 'x')], /can’t be written: the folder \S+none doesn’t exist/],
    [['export', id, '--out', 'x'.repeat(300), '--force'], /can’t be written: /],
    [['export', id, '--out', pipe, '--force'], /is no file that can be replaced/],
  ] as const) {
    const ended = await bench.reins([...words]);
    assert.deepEqual([ended.exit, ended.out], [2, ''], words.join(' '));
    assert.match(ended.err, said);
  }
  assert.ok(statSync(pipe).isFIFO());
});
