import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anthropic, anthropicText, folderOf, lines } from './support/recordings.ts';

const script = fileURLToPath(new URL('../../scripts/conformance-streams.mjs', import.meta.url));
const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

test('the exit code tells whether all is exact', async (context) => {
  const good = await folderOf(context, {
    'anthropic/a.txt': lines(anthropic),
    'anthropic/b.txt': lines(anthropicText),
  });
  const fine = run(good);
  assert.equal(fine.status, 0, fine.stderr);
  assert.equal(
    fine.stdout,
    'exact      anthropic/a.txt (anthropic)\nexact      anthropic/b.txt (anthropic)\n2 recordings: 2 exact, 0 differing, 0 failed\n',
  );
  const differing = await folderOf(context, {
    'anthropic/a.txt': lines(anthropicText),
    'anthropic/a.expected.json': '{"stop":"calls"}',
  });
  assert.equal(run(differing).status, 1);
  assert.equal(run(await folderOf(context, { 'a.txt': 'no' })).status, 1);
});

test('the report comes as JSON where that is asked', async (context) => {
  const folder = await folderOf(context, { 'anthropic/a.txt': lines(anthropicText) });
  const { status, stdout } = run('--json', folder);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), {
    files: [{ file: 'anthropic/a.txt', wire: 'anthropic', replies: 1, verdict: 'exact', differences: [] }],
    totals: { exact: 1, differing: 0, failed: 0 },
  });
});

test('nothing to play is told apart from a bad recording', async (context) => {
  const empty = await folderOf(context, { 'a.md': '' });
  const wrong: [string[], RegExp][] = [
    [[], /usage/],
    [[empty, empty], /usage/],
    [[empty, '--fast'], /usage/],
    [[`${empty}/nowhere`], /no such file/],
  ];
  for (const [args, words] of wrong) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2);
    assert.match(stderr, words);
  }
  const none = run(empty);
  assert.equal(none.status, 2);
  assert.match(none.stdout, /^0 recordings/);
});

test('what can’t be read, or is of another wire than it says, has failed; the rest is played', async (context) => {
  const folder = await folderOf(context, {
    'anthropic/a.txt': lines(anthropicText),
    'anthropic/deep/er/b.txt': `\uFEFF${lines(anthropicText).replaceAll('\n', '\r\n')}`,
    'gemini/c.txt': lines(anthropicText),
    'gemini/d.txt/e.md': '',
    'anthropic/half.txt': lines(anthropicText).slice(0, -20),
  });
  symlinkSync('/dev/zero', join(folder, 'f.txt'));
  symlinkSync('nowhere', join(folder, 'g.txt'));
  execFileSync('mkfifo', [join(folder, 'h.sse')]);
  const { status, stdout } = run(folder);
  assert.equal(status, 1);
  assert.deepEqual(
    stdout
      .split('\n')
      .slice(0, 8)
      .map((line) => line.replaceAll(folder, 'FOLDER')),
    [
      'exact      anthropic/a.txt (anthropic)',
      'exact      anthropic/deep/er/b.txt (anthropic)',
      'exact      anthropic/half.txt (anthropic)',
      'failed     f.txt (unknown wire): it is no file',
      "failed     g.txt (unknown wire): ENOENT: no such file or directory, stat 'FOLDER/g.txt'",
      'failed     gemini/c.txt (gemini): its events are of another wire: anthropic',
      'failed     h.sse (unknown wire): it is no file',
      '7 recordings: 3 exact, 0 differing, 4 failed',
    ],
  );
});
