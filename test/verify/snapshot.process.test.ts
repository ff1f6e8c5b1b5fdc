import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, renameSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Repository, verifierOf, viewWith } from './repository.ts';

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

test('a clean repository has its commit and no files, and the first snapshot compares with nothing', async (t) => {
  const repository = new Repository(t).init();
  const commit = repository.commit({ 'a.txt': 'a' });
  assert.deepEqual(await repository.snapshot(), { commit, files: {} });
  assert.deepEqual(await repository.snapshot(), { commit, files: {}, changed: [] });
});

test('modified, staged, new and deleted files are there with the hash of their bytes; ignored ones are not', async (t) => {
  const repository = new Repository(t).init();
  const commit = repository.commit({ 'm.txt': 'm', 's.txt': 's', 'd.txt': 'd', '.gitignore': '*.log\nout/\n' });
  repository.write('m.txt', 'm2');
  repository.write('s.txt', 's2');
  repository.do('add', 's.txt');
  repository.write('new/deep.txt', 'n');
  repository.remove('d.txt');
  repository.write('x.log', 'x');
  repository.write('out/y', 'y');
  const files = { 'd.txt': null, 'm.txt': sha256('m2'), 'new/deep.txt': sha256('n'), 's.txt': sha256('s2') };
  assert.deepEqual(await repository.snapshot(), { commit, files });
});

test('what changed is what differs from the snapshot before, not from the commit', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'dirty.txt': '1', 'clean.txt': '1', 'gone.txt': '1' });
  repository.write('dirty.txt', '2');
  repository.write('untracked.txt', '1');
  await repository.snapshot();
  assert.deepEqual(await repository.changed(), []);
  repository.write('clean.txt', '2');
  assert.deepEqual(await repository.changed(), ['clean.txt']);
  repository.write('clean.txt', '1');
  repository.write('dirty.txt', '1');
  assert.deepEqual(await repository.changed(), ['clean.txt', 'dirty.txt']);
  repository.remove('gone.txt');
  repository.remove('untracked.txt');
  assert.deepEqual(await repository.changed(), ['gone.txt', 'untracked.txt']);
  repository.write('gone.txt', '1');
  assert.deepEqual(await repository.changed(), ['gone.txt']);
});

test('a commit of what was there changes no file; one with other content does', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'a.txt': '1', 'b.txt': '1' });
  repository.write('a.txt', '2');
  repository.write('n.txt', '1');
  await repository.snapshot();
  repository.commit();
  assert.deepEqual(await repository.changed(), []);
  repository.commit({ 'b.txt': '2' });
  assert.deepEqual(await repository.changed(), ['b.txt']);
  repository.do('reset', '--quiet', '--soft', 'HEAD~2');
  assert.deepEqual(await repository.changed(), []);
  repository.do('reset', '--quiet', '--hard');
  assert.deepEqual(await repository.changed(), ['a.txt', 'b.txt', 'n.txt']);
  repository.commit({ 'c.txt': '1' });
  repository.write('untracked.txt', '1');
  assert.deepEqual(await repository.changed(), ['c.txt', 'untracked.txt']);
});

test('a commit that is gone is said, and changes can not be told', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'a.txt': '1' });
  const { commit, files } = await repository.snapshot();
  const asked: string[] = [];
  const run = (args: string[]) => {
    asked.push(...args);
    return repository.git.run(args);
  };
  const verifier = verifierOf(repository.root, { run });
  for (const lost of [commit!.replace(/^./, (first) => (first === '0' ? '1' : '0')), '--output=pwned']) {
    const next = await verifier.snapshot(viewWith({ commit: lost, files }));
    assert.notEqual(next.incomplete, undefined);
    assert.equal(next.changed, undefined);
  }
  assert.ok(!asked.includes('--output=pwned'));
  const after = await verifier.snapshot(viewWith({ commit, files: {}, incomplete: 'too much' }));
  assert.equal(after.changed, undefined);
  assert.equal(after.incomplete, undefined);
});

test('a repository without commits has all its files, and its first commit changes none of them', async (t) => {
  const repository = new Repository(t).init();
  repository.write('a.txt', 'a');
  assert.deepEqual(await repository.snapshot(), { commit: null, files: { 'a.txt': sha256('a') } });
  const commit = repository.commit();
  assert.deepEqual(await repository.snapshot(), { commit, files: {}, changed: [] });
  repository.commit({ 'b.txt': 'b' });
  assert.deepEqual(await repository.changed(), ['b.txt']);
});

test('a file that came with the first commit is a change', async (t) => {
  const repository = new Repository(t).init();
  repository.write('a.txt', 'a');
  await repository.snapshot();
  repository.commit({ 'b.txt': 'b' });
  assert.deepEqual(await repository.changed(), ['b.txt']);
});

test('without a repository every file is described, but for fetched packages', async (t) => {
  const folder = new Repository(t);
  folder.write('a.txt', 'a');
  folder.write('deep/b.txt', 'b');
  folder.write('node_modules/c/d.js', 'c');
  folder.write('deep/node_modules/c.js', 'c');
  assert.deepEqual(await folder.snapshot(), {
    commit: null,
    files: { 'a.txt': sha256('a'), 'deep/b.txt': sha256('b') },
  });
  folder.write('a.txt', 'a2');
  folder.write('n.txt', 'n');
  folder.remove('deep');
  assert.deepEqual(await folder.changed(), ['a.txt', 'deep/b.txt', 'n.txt']);
  folder.remove('node_modules');
  folder.init();
  folder.commit();
  assert.deepEqual(await folder.changed(), []);
  folder.remove('.git');
  const gone = await folder.snapshot();
  assert.match(gone.incomplete ?? '', /^there was a commit, and now: .* in no Git repository/);
  assert.equal(gone.changed, undefined);
});

test('names may hold any bytes and mean anything to JavaScript', async (t) => {
  const names = [
    'line\nbreak',
    'quote"',
    '"begins',
    'tab\t',
    'blank at end ',
    '-dash',
    'ünï',
    '__proto__',
    'constructor',
    '\\007',
    ':(top)x',
  ];
  const raw = [Buffer.from([0x66, 0xff]), Buffer.from([0x66, 0xfe])];
  for (const isRepository of [true, false]) {
    const repository = new Repository(t);
    if (isRepository) repository.init().commit({ first: '' });
    const { files: before } = await repository.snapshot();
    for (const name of [...names, ...raw]) repository.write(name, name);
    const { files, changed } = await repository.snapshot();
    const expected = [...names, '"f\\377"', '"f\\376"'].map((name) => (name === '"begins' ? '"\\042begins"' : name));
    assert.deepEqual(changed, expected.toSorted());
    assert.deepEqual(
      Object.keys(files).filter((name) => !Object.hasOwn(before, name)),
      expected.toSorted(),
    );
    assert.equal(Object.getOwnPropertyDescriptor(files, '__proto__')?.value, sha256('__proto__'));
    assert.equal(files['"f\\377"'], sha256(raw[0]!));
    assert.deepEqual(await repository.changed(), []);
    repository.remove('__proto__');
    repository.write(raw[1]!, 'other');
    assert.deepEqual(await repository.changed(), ['"f\\376"', '__proto__']);
  }
});

test('a link counts by what it says, not by what it leads to', async (t) => {
  const repository = new Repository(t, 'workspace').init();
  repository.commit({ 'a.txt': 'a' });
  repository.write('../outside.txt', '1');
  symlinkSync('../outside.txt', join(repository.root, 'link'));
  symlinkSync('/dev/zero', join(repository.root, 'endless'));
  symlinkSync('loop', join(repository.root, 'loop'));
  await repository.snapshot();
  repository.write('../outside.txt', '2');
  assert.deepEqual(await repository.changed(), []);
  repository.remove('link');
  repository.write('link', '../outside.txt');
  assert.deepEqual(await repository.changed(), ['link']);
});

test('pipes and sockets hold nothing up', async (t) => {
  const repository = new Repository(t);
  execFileSync('mkfifo', [join(repository.root, 'pipe')]);
  repository.write('a.txt', 'a');
  const { files } = await repository.snapshot();
  assert.deepEqual(Object.keys(files), ['a.txt', 'pipe']);
  assert.deepEqual(await repository.changed(), []);
});

/** Git compares the time when a file's metadata changed, which nobody can set, by whole seconds. */
async function nextSecond(repository: Repository): Promise<void> {
  const second = () => {
    repository.write('../clock', '');
    return Math.floor(statSync(join(repository.parent(), 'clock')).ctimeMs / 1000);
  };
  const start = second();
  while (second() === start) await setTimeout(20);
}

test('a change that keeps size and time is seen', async (t) => {
  const repository = new Repository(t, 'workspace').init();
  repository.commit({ 'a.txt': 'aaaa' });
  repository.write('b.txt', 'bbbb');
  const old = new Date(Date.now() - 3_600_000);
  for (const name of ['a.txt', 'b.txt']) utimesSync(join(repository.root, name), old, old);
  repository.do('update-index', '--refresh');
  await repository.snapshot();
  await nextSecond(repository);
  await repository.snapshot();
  for (const [name, content] of [
    ['a.txt', 'AAAA'],
    ['b.txt', 'BBBB'],
  ] as const) {
    repository.write(name, content);
    utimesSync(join(repository.root, name), old, old);
  }
  assert.equal(statSync(join(repository.root, 'a.txt')).mtimeMs, old.getTime());
  assert.deepEqual(await repository.changed(), ['a.txt', 'b.txt']);
});

test('a file that changes again at once is read again', async (t) => {
  const folder = new Repository(t);
  folder.write('a.txt', '0');
  await folder.snapshot();
  for (let round = 1; round < 100; round += 1) {
    folder.write('a.txt', String(round % 10));
    assert.deepEqual(await folder.changed(), ['a.txt']);
  }
});

test('a change of a file that git was told to overlook is seen', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'a.txt': '1', 'b.txt': '1', 'c.txt': '1', 'absent.txt': '1' });
  repository.do('update-index', '--skip-worktree', 'absent.txt');
  repository.remove('absent.txt');
  await repository.snapshot();
  repository.write('a.txt', '2');
  repository.do('update-index', '--assume-unchanged', 'a.txt');
  repository.write('b.txt', '2');
  repository.do('update-index', '--skip-worktree', 'b.txt');
  assert.deepEqual(await repository.changed(), ['a.txt', 'b.txt']);
  assert.deepEqual(await repository.changed(), []);
  repository.write('a.txt', '3');
  assert.deepEqual(await repository.changed(), ['a.txt']);
});

test('a workspace inside a repository sees its own part only', async (t) => {
  const repository = new Repository(t, 'sub/workspace');
  execFileSync('git', ['init', '--quiet', join(repository.parent(), '..')]);
  repository.write('../outside.txt', '1');
  repository.commit({ 'a.txt': '1', 'b/c.txt': '1' });
  await repository.snapshot();
  repository.write('../outside.txt', '2');
  repository.write('b/c.txt', '2');
  repository.write('n.txt', '1');
  assert.deepEqual(await repository.changed(), ['b/c.txt', 'n.txt']);
  repository.commit({ '../outside.txt': '3', 'a.txt': '2' });
  assert.deepEqual(await repository.changed(), ['a.txt']);
});

test('a workspace that the repository around it ignores is described as a folder', async (t) => {
  const repository = new Repository(t, 'ignored/workspace');
  execFileSync('git', ['init', '--quiet', join(repository.parent(), '..')]);
  repository.write('../../.gitignore', 'ignored/\n');
  repository.write('a.txt', 'a');
  const { commit, files } = await repository.snapshot();
  assert.deepEqual({ commit, files }, { commit: null, files: { 'a.txt': sha256('a') } });
  repository.write('a.txt', 'b');
  assert.deepEqual(await repository.changed(), ['a.txt']);
});

test('submodules are looked into, and a repository that appears inside is described', async (t) => {
  const inner = new Repository(t).init();
  inner.commit({ 'i.txt': '1' });
  const repository = new Repository(t).init();
  repository.do('submodule', '--quiet', 'add', inner.root, 'sub');
  repository.do('config', 'submodule.sub.ignore', 'all');
  repository.commit();
  await repository.snapshot();
  repository.write('sub/i.txt', '2');
  repository.write('sub/n.txt', '1');
  assert.deepEqual(await repository.changed(), ['sub/i.txt', 'sub/n.txt']);
  repository.write('sub/i.txt', '3');
  assert.deepEqual(await repository.changed(), ['sub/i.txt']);
  repository.do('-C', 'sub', 'commit', '--quiet', '--all', '--message=y');
  assert.deepEqual(await repository.changed(), ['sub']);
  mkdirSync(join(repository.root, 'nested'));
  repository.do('init', '--quiet', 'nested');
  repository.write('nested/x.txt', 'x');
  assert.deepEqual(await repository.changed(), ['nested/x.txt']);
});

test('a submodule without its repository is not looked for in the one around it', async (t) => {
  const inner = new Repository(t).init();
  inner.commit({ 'i.txt': '1' });
  const repository = new Repository(t).init();
  repository.do('submodule', '--quiet', 'add', inner.root, 'sub');
  repository.commit();
  await repository.snapshot();
  repository.remove('sub');
  mkdirSync(join(repository.root, 'sub'));
  const commit = inner.commit({ 'i.txt': '2' });
  repository.do('update-index', '--cacheinfo', `160000,${commit},sub`);
  assert.deepEqual(await repository.changed(), ['sub']);
});

test('a conflict is a change of its file', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'a b.txt': '1' });
  repository.do('checkout', '--quiet', '-b', 'other');
  repository.commit({ 'a b.txt': '2' });
  repository.do('checkout', '--quiet', 'main');
  repository.commit({ 'a b.txt': '3' });
  await repository.snapshot();
  assert.throws(() => repository.do('merge', 'other'));
  assert.deepEqual(await repository.changed(), ['a b.txt']);
});

test('git that fails makes the snapshot incomplete, with what it said', async (t) => {
  const repository = new Repository(t).init();
  repository.commit({ 'a.txt': '1' });
  await repository.snapshot();
  repository.write('.git/index', 'rubbish');
  const { changed, incomplete } = await repository.snapshot();
  assert.equal(changed, undefined);
  assert.match(incomplete ?? '', /^git failed: .*index/);
});

test('20,000 files are described, one more is too many', async (t) => {
  const folder = new Repository(t);
  folder.write('0', '');
  // Links to one file are made much faster than files.
  for (let name = 1; name < 20_000; name += 1) linkSync(join(folder.root, '0'), join(folder.root, `${name}`));
  const { files, incomplete } = await folder.snapshot();
  assert.equal(Object.keys(files).length, 20_000);
  assert.equal(incomplete, undefined);
  folder.write('one more', '');
  assert.deepEqual(await folder.snapshot(), { commit: null, files: {}, incomplete: 'more than 20000 files' });
  folder.init();
  const { incomplete: inRepository } = await folder.snapshot();
  assert.equal(inRepository, 'more than 20000 files differ from the commit');
});

test(
  'a file that can’t be read is told apart by its metadata',
  { skip: process.getuid?.() === 0 && 'root reads everything' },
  async (t) => {
    const folder = new Repository(t);
    folder.write('a.txt', '1');
    chmodSync(join(folder.root, 'a.txt'), 0);
    await folder.snapshot();
    assert.deepEqual(await folder.changed(), []);
    renameSync(join(folder.root, 'a.txt'), join(folder.root, 'b.txt'));
    assert.deepEqual(await folder.changed(), ['a.txt', 'b.txt']);
  },
);
