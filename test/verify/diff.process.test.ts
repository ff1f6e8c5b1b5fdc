import assert from 'node:assert/strict';
import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { diffOf, type Diff } from '../../src/verify/index.ts';
import { Repository } from './repository.ts';

/** Applies what a diff says to a clean copy of the first commit, and compares the trees. */
function assertApplies(repository: Repository, diff: Diff, commit: string): void {
  const copy = join(repository.parent(), 'copy');
  repository.do('clone', '--quiet', repository.root, copy);
  execFileSync('git', ['-C', copy, 'checkout', '--quiet', commit]);
  execFileSync('git', ['-C', copy, 'apply', '-'], { input: diff.text });
  execFileSync('diff', ['-r', '--no-dereference', '--exclude=.git', copy, repository.root]);
}

test('the diff applies to the commit before and gives the tree after', async (t) => {
  const repository = new Repository(t, 'workspace').init();
  const commit = repository.commit({ 'a.txt': '1\n2\n', 'gone.txt': 'x\n', 'sp ace/ü.txt': '1' });
  const before = await repository.snapshot();
  repository.write('a.txt', '1\n3\n4\n');
  repository.remove('gone.txt');
  repository.write('sp ace/ü.txt', '2');
  repository.write('new/one line', 'no newline');
  repository.write('new/"quoted"\n', 'a\nb\n');
  repository.write('new/empty', '');
  repository.write('run.sh', '#!/bin/sh\n');
  chmodSync(join(repository.root, 'run.sh'), 0o755);
  symlinkSync('a.txt', join(repository.root, 'link'));
  const changed = (await repository.changed()) ?? [];
  const diff = await diffOf({ workspace: repository.root, git: repository.git, before, changed });
  assertApplies(repository, diff, commit);
  assert.equal(diff.cutLines, 0);
  assert.deepEqual(diff.files, [
    { path: 'a.txt', added: 2, removed: 1 },
    { path: 'gone.txt', added: 0, removed: 1 },
    { path: 'link', added: 1, removed: 0, created: true },
    { path: 'new/"quoted"\n', added: 2, removed: 0, created: true },
    { path: 'new/empty', added: 0, removed: 0, created: true },
    { path: 'new/one line', added: 1, removed: 0, created: true },
    { path: 'run.sh', added: 1, removed: 0, created: true },
    { path: 'sp ace/ü.txt', added: 1, removed: 1 },
  ]);
});

test('what was committed in the run is in the diff, and what differed before is marked', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'a.txt': '1\n', 'dirty.txt': '1\n', 'same.txt': '1\n' });
  repository.write('dirty.txt', '2\n');
  repository.write('untracked.txt', '1\n');
  const before = await repository.snapshot();
  repository.commit({ 'a.txt': '2\n', 'dirty.txt': '3\n', 'new.txt': 'n\n' });
  repository.write('untracked.txt', '2\n');
  const changed = ['a.txt', 'dirty.txt', 'new.txt', 'same.txt', 'untracked.txt'];
  const { files, text } = await diffOf({ workspace: repository.root, git: repository.git, before, changed });
  assert.deepEqual(files, [
    { path: 'a.txt', added: 1, removed: 1 },
    { path: 'dirty.txt', added: 1, removed: 1, alsoBefore: true },
    { path: 'new.txt', added: 1, removed: 0, created: true },
    { path: 'same.txt' },
    { path: 'untracked.txt', added: 1, removed: 0, alsoBefore: true },
  ]);
  assert.match(text, /\+n\n/);
});

test('without a commit, new files are shown and others are named', async (t) => {
  for (const isRepository of [true, false]) {
    const folder = new Repository(t);
    if (isRepository) folder.init();
    folder.write('old.txt', '1');
    const before = await folder.snapshot();
    folder.write('old.txt', '2');
    folder.write('new.txt', 'n\n');
    const changed = ['missing.txt', 'new.txt', 'old.txt'];
    const { files, text } = await diffOf({ workspace: folder.root, git: folder.git, before, changed });
    assert.deepEqual(files, [
      { path: 'missing.txt' },
      { path: 'new.txt', added: 1, removed: 0, created: true },
      { path: 'old.txt', alsoBefore: true },
    ]);
    assert.match(text, /^diff --git a\/new\.txt b\/new\.txt\nnew file mode 100644\n--- \/dev\/null\n/);
    assert.doesNotMatch(text, /old/);
  }
});

test('binary and huge files are named, names of any bytes listed, and special files hold nothing up', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'tracked.bin': 'a\0b' });
  const before = await repository.snapshot();
  repository.write('tracked.bin', 'a\0c');
  repository.write('new.bin', 'a\0b');
  repository.write('huge.txt', 'x\n'.repeat(600_000));
  repository.write(Buffer.from([0xff]), 'raw\n');
  execFileSync('mkfifo', [join(repository.root, 'pipe')]);
  const changed = ['"\\377"', 'huge.txt', 'new.bin', 'pipe', 'tracked.bin'];
  const { files, text } = await diffOf({ workspace: repository.root, git: repository.git, before, changed });
  assert.deepEqual(files, [
    { path: '"\\377"' },
    { path: 'huge.txt', created: true },
    { path: 'new.bin', created: true },
    { path: 'pipe' },
    { path: 'tracked.bin' },
  ]);
  assert.match(text, /Binary files a\/tracked\.bin and b\/tracked\.bin differ/);
  assert.match(text, /Binary file b\/huge\.txt added/);
});

test('a long diff is cut at a line, and says how many are missing', async (t) => {
  const repository = new Repository(t).init();
  repository.commit();
  const before = await repository.snapshot();
  repository.write('a.txt', 'line\n'.repeat(1000));
  const options = { workspace: repository.root, git: repository.git, before, changed: ['a.txt'] };
  const whole = await diffOf(options);
  const lines = whole.text.split('\n').length - 1;
  const { text, cutLines } = await diffOf({ ...options, most: 1000 });
  assert.ok(text.length <= 1000 && text.endsWith('\n'));
  assert.equal(text.split('\n').length - 1 + cutLines, lines);
  assert.equal((await diffOf({ ...options, most: whole.text.length })).cutLines, 0);
});

test('a path is a path, whatever it looks like to git', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ ':(glob)*': '1\n', '--output=pwned': '1\n', 'other.txt': '1\n' });
  const before = await repository.snapshot();
  for (const name of [':(glob)*', '--output=pwned', 'other.txt']) repository.write(name, '2\n');
  const changed = ['--output=pwned', ':(glob)*'];
  const { files, text } = await diffOf({ workspace: repository.root, git: repository.git, before, changed });
  assert.deepEqual(
    files,
    changed.map((path) => ({ path, added: 1, removed: 1 })),
  );
  assert.doesNotMatch(text, /other/);
  assert.equal(existsSync(join(repository.root, 'pwned')), false);
});
