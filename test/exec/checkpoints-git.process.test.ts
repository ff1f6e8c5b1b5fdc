import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { CheckpointStore } from '../../src/exec/checkpoints/index.ts';
import { bringBack, filesOf, inShort, openStore, treeOf, undoing, write } from './checkpoints-bench.ts';
import { git, makeFolder } from './workbench.ts';

/** Runs a command line as an agent would: its exit code doesn't matter. */
function run(folder: string, command: string): void {
  spawnSync('sh', ['-c', command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  });
}

/** What Git says of a repository, besides what is in its files. */
function wordOf(folder: string): { [question: string]: string } {
  const questions = [
    'status --porcelain=v2 --branch --ignored --untracked-files=all',
    'for-each-ref',
    'stash list',
    'reflog --all',
    'ls-files --stage --debug',
    'diff',
    'diff --cached',
    'log --all --format=%H',
  ];
  const answers = questions.map((question) => {
    const answer = git(folder, '-c', 'core.checkStat=minimal', ...question.split(' '));
    // The files' times and places on the disk are others after they were put back.
    return [
      question,
      question.includes('--debug') ? answer.replaceAll(/^ {2}(ctime|mtime|dev|uid|size).*\n?/gm, '') : answer,
    ];
  });
  return Object.fromEntries(answers);
}

function commitAll(folder: string, message: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', message);
}

/** A repository with a remote, changes of all kinds, a stash, branches and a submodule with work in it. */
function busyRepository(t: TestContext): string {
  const library = makeFolder(t, { 'lib.txt': 'library\n' });
  git(library, 'init', '-q', '-b', 'main');
  commitAll(library, 'library');
  const origin = makeFolder(t);
  git(origin, 'init', '-q', '--bare', '-b', 'main');
  const root = makeFolder(t, { '.gitignore': '*.log\n.venv/\n', 'kept/z.txt': 'z\n' });
  for (const name of ['a', 'b', 'c', 'd', 'e']) write(root, `${name}.txt`, `${name}\n`);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'submodule', '--quiet', 'add', library, 'sub');
  commitAll(root, 'first');
  git(root, 'remote', 'add', 'origin', origin);
  git(root, 'push', '-q', '-u', 'origin', 'main');
  git(root, 'branch', 'packed');
  git(root, 'pack-refs', '--all');
  git(root, 'checkout', '-q', '-b', 'side');
  write(root, 'side.txt', 'side\n');
  commitAll(root, 'only on the side');
  git(root, 'checkout', '-q', 'main');
  write(root, 'ahead.txt', 'ahead\n');
  commitAll(root, 'ahead of origin');
  git(root, 'tag', '-a', '-m', 'note', 'v1');
  for (const text of ['first', 'second']) {
    write(root, 'a.txt', `stashed ${text}\n`);
    git(root, 'stash', 'push', '-q', '-m', text);
  }
  for (const name of ['a', 'b', 'c', 'd', 'e']) write(root, `${name}.txt`, `${name} changed\n`);
  git(root, 'add', 'b.txt');
  write(root, 'b.txt', 'b changed again\n');
  for (const name of ['new1', 'new2', 'folder/new3']) write(root, name, `${name}\n`);
  git(root, 'add', 'new2');
  write(root, 'debug.log', 'ignored\n');
  write(root, '.venv/x', 'ignored\n');
  write(root, 'sub/lib.txt', 'changed in the submodule\n');
  write(root, 'sub/untracked.txt', 'untracked in the submodule\n');
  return root;
}

const disasters = [
  'git reset --hard origin/main',
  'git checkout -- .',
  'git clean -fdx',
  'git clean -ffdx',
  'git stash drop',
  'git stash clear',
  'git stash pop; git checkout -f .',
  'git restore . && git restore --staged .',
  'git submodule update --force',
  'git submodule deinit -f --all; rm -rf .git/modules',
  'git -C . reset --hard HEAD~1',
  'git branch -D side packed; git tag -d v1',
  'git update-ref -d refs/heads/packed; git update-ref refs/heads/side main; git update-ref -d HEAD',
  'git checkout -q -f side && git commit -q --allow-empty -m more && git branch -M side other',
  'git branch -D side; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now',
  'git pack-refs --all && git branch -D side',
  'git rebase -q --onto packed main~1 main; git merge -q side',
  'git merge --no-commit side; git rm -rqf --cached .',
  'git branch deep/er/one; git worktree add -q made side; git notes add -m note; git bisect start; git bisect bad',
  'rm -rf .git',
  'rm -rf .git sub a.txt; git init -q; git add .; git commit -qm new',
  'rm .git/index .git/HEAD; rm -rf .git/refs .git/logs',
  'find . -type f -exec truncate -s 0 {} +',
  'rm -rf ./* ./.[!.]*',
];

describe('a repository that a command wrecked', { concurrency: 2 }, () => {
  for (const command of disasters) {
    // A new repository in the place of the old one is somebody's by then: it isn't touched.
    const isReplaced = command.includes('git init');
    test(`is brought back: ${command}`, async (t) => {
      const root = busyRepository(t);
      const files = filesOf(root);
      const word = wordOf(root);
      const store = openStore(t, root);
      const before = await store.take();
      run(root, command);
      const after = await store.take();
      if (isReplaced) {
        await putBackWithoutGit(store, before.id, after.id, root);
        return;
      }
      assert.deepEqual(await bringBack(store, before.id, after.id), []);
      assert.deepEqual(filesOf(root), files);
      assert.deepEqual(wordOf(root), word);
      assert.match(
        spawnSync('git', ['fsck', '--connectivity-only'], { cwd: root, encoding: 'utf8' }).stderr,
        /^(?!.*(missing|broken|error))/s,
      );
      assert.equal(readFileSync(join(root, 'sub/untracked.txt'), 'utf8'), 'untracked in the submodule\n');
      assert.match(git(join(root, 'sub'), 'status', '--porcelain'), /M lib.txt\n\?\? untracked.txt/);
      // What was brought back is a snapshot like the first, and can be taken back itself.
      const back = await store.take();
      assert.deepEqual(await store.compare(before.id, back.id), []);
      assert.deepEqual(
        (await store.compareRepository(before.id, back.id)).filter(({ what }) => what !== 'log'),
        [],
      );
    });
  }
});

/** The Git folder is another one by now: files come back, and what Git's data were is told. */
async function putBackWithoutGit(store: CheckpointStore, before: string, after: string, root: string): Promise<void> {
  const parts = await store.compareRepository(before, after);
  assert.ok(
    parts.some(({ what, name, after: now }) => what === 'branch' && name === 'refs/heads/side' && now === null),
  );
  assert.ok(parts.some(({ what }) => what === 'objects'));
  assert.deepEqual(await bringBack(store, before, after), []);
  assert.equal(git(root, 'log', '--format=%s', 'side'), 'only on the side\nfirst');
  assert.match(git(root, 'stash', 'list'), /second\n.*first/);
}

describe('a snapshot of a repository', () => {
  test('leaves the repository alone, to the last time stamp', async (t) => {
    const root = busyRepository(t);
    const before = treeOf(root, { times: true });
    const store = openStore(t, root);
    await store.take();
    write(join(root, '..'), 'unrelated', '');
    rmSync(join(root, '..', 'unrelated'));
    await store.take({ paths: ['a.txt', '.git/index'] });
    await store.take();
    await store.verify();
    await store.close();
    assert.deepEqual(treeOf(root, { times: true }), before);
  });

  test('describes what changed by what it means', async (t) => {
    const root = busyRepository(t);
    const store = openStore(t, root);
    const before = await store.take();
    const [head, side] = [git(root, 'rev-parse', 'HEAD'), git(root, 'rev-parse', 'side')];
    run(
      root,
      'git stash drop; git branch -D side; git add a.txt; git commit -qm more; git checkout -q --detach; rm .git/hooks/*.sample; git config user.name Other',
    );
    const after = await store.take();
    const parts = await store.compareRepository(before.id, after.id);
    const commit = git(root, 'rev-parse', 'HEAD');
    const told = parts.map(({ repository, what, name, before: one, after: other }) =>
      [repository, what, name, one, other].join('|'),
    );
    for (const line of [
      `.git|branch|refs/heads/main|${head}|${commit}`,
      `.git|branch|refs/heads/side|${side}|`,
      '.git|stash|refs/stash|2 stashes|1 stash',
      `.git|head|HEAD|ref: refs/heads/main|${commit}`,
      '.git|index|index|there|there',
      '.git|settings|config|there|there',
      '.git|hook|hooks/pre-push.sample|there|',
    ]) {
      assert.ok(told.includes(line), `${line} in\n${told.join('\n')}`);
    }
    assert.ok(!told.some((line) => line.includes('|objects|')), 'nothing was lost');
    // A look at the files alone makes Git write its index anew, which means nothing.
    const index = readFileSync(join(root, '.git/index'));
    run(root, 'touch -d 2001-01-01T00:00:00Z kept/z.txt; git status');
    assert.ok(!index.equals(readFileSync(join(root, '.git/index'))), 'it was written anew');
    const same = await store.take();
    assert.deepEqual(
      (await store.compareRepository(after.id, same.id)).map(({ what }) => what),
      [],
    );
  });

  test('takes back only what nobody else has changed since', async (t) => {
    const root = busyRepository(t);
    const store = openStore(t, root);
    const before = await store.take();
    run(root, 'git branch -D side; git branch -f packed HEAD; git tag -d v1; git stash drop');
    const after = await store.take();
    git(root, 'branch', '-f', 'packed', git(root, 'commit-tree', '-m', 'other', 'HEAD^{tree}'));
    git(root, 'branch', 'side', 'HEAD');
    git(root, 'pack-refs', '--all');
    writeFileSync(join(root, '.git/refs/tags/v1.lock'), '');
    const own = git(root, 'for-each-ref', 'refs/heads');
    const parts = await store.compareRepository(before.id, after.id);
    const outcomes = await store.restoreRepository(before.id, after.id, parts);
    assert.deepEqual(
      outcomes
        .flatMap(({ difference, refused }) =>
          difference.what === 'log' ? [] : [`${difference.what} ${difference.name}: ${refused}`],
        )
        .toSorted(),
      [
        'branch refs/heads/packed: it points elsewhere by now',
        'branch refs/heads/side: it points elsewhere by now',
        'stash refs/stash: null',
        'tag refs/tags/v1: Git is at work on it (there is a v1.lock)',
      ],
    );
    assert.equal(git(root, 'for-each-ref', 'refs/heads'), own);
    assert.match(git(root, 'stash', 'list'), /second\n.*first/);
    rmSync(join(root, '.git/refs/tags/v1.lock'));
    // A lock of ours that was left by one that was killed is no obstacle.
    writeFileSync(join(root, '.git/refs/tags/v1.lock'), `reins ${2 ** 22 + 1}\n`);
    const again = await store.restoreRepository(
      before.id,
      after.id,
      parts.filter(({ what }) => what === 'tag'),
    );
    assert.deepEqual(
      again.map(({ refused }) => refused),
      [null],
    );
    assert.equal(git(root, 'cat-file', '-t', 'v1'), 'tag');
    assert.equal(existsSync(join(root, '.git/refs/tags/v1.lock')), false);
  });

  test('stands on its own: it survives whatever happens to the repository', async (t) => {
    const root = busyRepository(t);
    const store = openStore(t, root);
    const before = await store.take();
    run(root, 'git stash clear; git branch -D side; git reflog expire --expire=now --all; git gc -q --prune=now');
    const middle = await store.take();
    rmSync(join(root, '.git'), { recursive: true });
    assert.deepEqual((await store.verify()).damaged, []);
    assert.equal((await store.content(before.id, 'a.txt'))?.toString(), 'a changed\n');
    const after = await store.take();
    assert.deepEqual(await bringBack(store, middle.id, after.id), []);
    assert.equal(git(root, 'stash', 'list'), '');
    const back = await store.take();
    assert.deepEqual(await bringBack(store, before.id, back.id), []);
    assert.match(git(root, 'stash', 'list'), /second\n.*first/);
    assert.equal(git(root, 'log', '--format=%s', 'side'), 'only on the side\nfirst');
  });

  test('removes a repository that was made, but not one that somebody works in', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'a' });
    const store = openStore(t, root);
    const before = await store.take();
    run(root, 'git init -q; git add .; git commit -qm first; git init -q inner; echo b > inner/b.txt');
    const after = await store.take();
    const parts = await store.compareRepository(before.id, after.id);
    assert.deepEqual(
      parts.map(({ what, repository }) => `${what} ${repository}`),
      ['repository .git', 'repository inner/.git'],
    );
    const differences = await store.compare(before.id, after.id);
    assert.deepEqual(inShort(differences), ['inner: nothing -> repository', 'inner/b.txt: nothing -> file']);
    git(root, 'commit', '-q', '--allow-empty', '-m', 'by somebody else');
    const outcomes = await store.restoreRepository(before.id, after.id, parts);
    assert.deepEqual(
      outcomes.map(({ refused }) => refused),
      ['it has changed meanwhile', null],
    );
    assert.ok((await store.restore(undoing(differences))).every((outcome) => 'done' in outcome));
    assert.equal(existsSync(join(root, 'inner')), false);
    assert.equal(git(root, 'log', '--format=%s'), 'by somebody else\nfirst');
  });
});

describe('a hostile or odd repository', () => {
  test('comes back byte for byte, and nothing that it names is run', async (t) => {
    const root = makeFolder(t);
    const mark = join(makeFolder(t), 'mark');
    git(root, 'init', '-q', '-b', 'main');
    write(root, 'windows.txt', 'one\r\ntwo\r\n');
    write(root, 'unix.txt', 'one\ntwo\n');
    write(root, 'mixed.txt', 'one\r\ntwo\nthree\r');
    write(root, 'big.lfs', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n');
    write(root, 'id.txt', '$Id: kept as it is $\n');
    write(root, 'wide.txt', Buffer.from('\ufeffwide\n', 'utf16le'));
    write(root, 'sub/.gitattributes', '* text eol=crlf\n');
    write(root, 'sub/file.txt', 'x\ny\n');
    commitAll(root, 'first');
    write(
      root,
      '.gitattributes',
      '* text=auto filter=evil diff=evil merge=evil\n*.lfs filter=lfs\n*.txt ident\nwide.txt working-tree-encoding=UTF-16LE\n',
    );
    write(
      root,
      '.gitmodules',
      `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch% ${mark}-module"\n\tupdate = !touch ${mark}-update\n`,
    );
    const run = (name: string) => `touch ${mark}-${name}; cat`;
    for (const [key, value] of [
      ['filter.evil.clean', run('clean')],
      ['filter.evil.smudge', run('smudge')],
      ['filter.lfs.process', run('process')],
      ['filter.lfs.required', 'true'],
      ['diff.evil.textconv', run('textconv')],
      ['diff.external', run('external')],
      ['merge.evil.driver', run('merge')],
      ['core.fsmonitor', run('fsmonitor')],
      ['core.alternateRefsCommand', run('alternates')],
      ['core.sshCommand', run('ssh')],
      ['core.autocrlf', 'true'],
      ['core.hooksPath', join(root, 'hooks')],
      ['core.pager', run('pager')],
      ['core.editor', run('editor')],
      ['core.worktree', '/'],
      ['credential.helper', `!${run('credential')}`],
      ['gc.auto', '1'],
      ['include.path', '../included'],
    ] as const)
      git(root, 'config', '--file', join(root, '.git/config'), key, value);
    for (const name of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-auto-gc']) {
      write(root, `hooks/${name}`, `#!/bin/sh\ntouch ${mark}-hook\n`, 0o755);
      write(root, `.git/hooks/${name}`, `#!/bin/sh\ntouch ${mark}-hook\n`, 0o755);
    }
    symlinkSync(mark, join(root, '.git/objects/info/odd'));
    const before = treeOf(root);
    const store = openStore(t, root);
    const first = await store.take();
    for (const name of ['windows.txt', 'unix.txt', 'mixed.txt', 'big.lfs', 'id.txt', 'wide.txt'])
      write(root, name, 'spoiled\n');
    rmSync(join(root, 'sub'), { recursive: true });
    renameSync(join(root, '.git'), join(root, 'away'));
    rmSync(join(root, 'away'), { recursive: true });
    const second = await store.take();
    assert.deepEqual(await bringBack(store, first.id, second.id), []);
    before.delete('.git/objects/info/odd');
    assert.deepEqual(treeOf(root), before);
    assert.deepEqual(readFileSync(join(root, 'wide.txt')), Buffer.from('\ufeffwide\n', 'utf16le'));
    assert.deepEqual([...treeOf(join(mark, '..')).keys()], []);
  });

  test('is kept where it lies: below its top, in a linked working tree, unborn, sparse, bare-looking, pointing elsewhere', async (t) => {
    const root = busyRepository(t);
    const [part, linked] = [join(root, 'kept'), join(makeFolder(t), 'linked')];
    git(root, 'worktree', 'add', '-q', linked, 'side');
    for (const workspace of [part, linked]) {
      const store = openStore(t, workspace);
      const before = await store.take();
      const start = filesOf(workspace);
      const word = wordOf(workspace);
      run(workspace, 'rm -rf z.txt side.txt; git branch -D packed; git stash clear; git rm -rq --cached .');
      const after = await store.take();
      const parts = await store.compareRepository(before.id, after.id);
      assert.ok(
        parts.every(({ repository }) => repository === join(root, '.git')),
        JSON.stringify(parts.map(({ repository }) => repository)),
      );
      assert.deepEqual(await bringBack(store, before.id, after.id), []);
      assert.deepEqual(filesOf(workspace), start);
      assert.deepEqual(wordOf(workspace), word);
    }
    const unborn = makeFolder(t, { 'a.txt': 'a', HEAD: 'ref: x', 'objects/a': '', 'refs/b': '' });
    git(unborn, 'init', '-q');
    git(unborn, 'add', 'a.txt');
    write(unborn, 'bare.git/HEAD', 'ref: refs/heads/main\n');
    write(unborn, 'bare.git/objects/aa/bb', 'not an object');
    mkdirSync(join(unborn, 'bare.git/refs'));
    const foreign = makeFolder(t);
    git(foreign, 'init', '-q');
    write(unborn, 'pointing/.git', `gitdir: ${join(foreign, '.git')}\n`);
    write(unborn, 'pointing/file', 'x');
    write(unborn, 'broken/.git/config', 'no repository');
    const start = treeOf(unborn);
    const store = openStore(t, unborn);
    const before = await store.take();
    run(unborn, 'rm -rf .git bare.git HEAD objects refs pointing broken');
    const after = await store.take();
    assert.deepEqual(await bringBack(store, before.id, after.id), []);
    assert.deepEqual(treeOf(unborn), start);
    // A pointer that the other end doesn't know of makes nobody's data part of this workspace.
    const pointing = makeFolder(t, { '.git': `gitdir: ${join(foreign, '.git')}\n`, 'a.txt': 'a' });
    const other = openStore(t, pointing);
    const one = await other.take();
    git(foreign, 'branch', '-m', 'renamed');
    write(pointing, 'a.txt', 'b');
    const two = await other.take();
    assert.deepEqual(await other.compareRepository(one.id, two.id), []);
    assert.deepEqual(inShort(await other.compare(one.id, two.id)), ['a.txt: file -> file']);
  });

  test('with only some of its files checked out is kept as it is checked out', async (t) => {
    const root = makeFolder(t, { 'in/a.txt': 'a', 'out/b.txt': 'b', 'c.txt': 'c' });
    git(root, 'init', '-q', '-b', 'main');
    commitAll(root, 'first');
    git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    write(root, 'in/a.txt', 'changed');
    const word = git(root, 'status', '--porcelain');
    const store = openStore(t, root);
    const before = await store.take();
    assert.equal(await store.entry(before.id, 'out'), null);
    run(root, 'git sparse-checkout disable; git reset -q --hard');
    const after = await store.take();
    assert.deepEqual(await bringBack(store, before.id, after.id), []);
    assert.deepEqual([existsSync(join(root, 'out')), git(root, 'status', '--porcelain')], [false, word]);
  });
});

describe('what is ignored', () => {
  test('is kept up to its limits, and named beyond', async (t) => {
    const root = makeFolder(t, { '.gitignore': '*.log\nnode_modules/\nbuild\n/data\n' });
    git(root, 'init', '-q', '-b', 'main');
    for (let count = 0; count < 30; count++) write(root, `node_modules/p${count}/index.js`, `${count}`);
    write(root, 'build/one.o', 'object');
    write(root, 'data/small', 'small');
    write(root, 'data/large', 'x'.repeat(2000));
    write(root, 'tracked.log', 'x'.repeat(3000));
    write(root, 'small.log', 'small');
    write(root, 'large.log', 'x'.repeat(2000));
    git(root, 'add', '-f', 'tracked.log', '.gitignore');
    const ignoredBytes = { each: 1000, all: 10_000 };
    const store = openStore(t, root, { ignoredBytes, limits: { ignoredFiles: 20 } });
    const before = await store.take();
    assert.deepEqual(before.missing, [
      { path: 'data/large', why: 'ignored, and larger than 1000 bytes' },
      { path: 'large.log', why: 'ignored, and larger than 1000 bytes' },
      { path: 'node_modules', why: 'ignored, and more than 20 files' },
    ]);
    // What is ignored and not kept only counts by being there.
    write(root, 'large.log', 'y'.repeat(2500));
    write(root, 'node_modules/p1/index.js', 'changed');
    assert.equal((await store.take()).id, before.id);
    // But what somebody asks for by name is kept.
    const asked = { paths: ['node_modules/p2/index.js', join(root, 'large.log')] };
    const third = await store.take(asked);
    for (const path of asked.paths) writeFileSync(join(realpathSync(root), path.replace(root, '')), 'agent');
    const fourth = await store.take(asked);
    const own = await store.compare(third.id, fourth.id);
    assert.deepEqual(inShort(own), ['large.log: file -> file', 'node_modules/p2/index.js: file -> file']);
    assert.ok((await store.restore(undoing(own))).every((outcome) => 'done' in outcome));
    assert.equal(readFileSync(join(root, 'node_modules/p2/index.js'), 'utf8'), '2');
    assert.equal(readFileSync(join(root, 'large.log'), 'utf8'), 'y'.repeat(2500));
    run(root, 'git clean -fdxq');
    const after = await store.take();
    const differences = await store.compare(before.id, after.id);
    assert.deepEqual(inShort(differences), [
      'build: folder -> nothing',
      'build/one.o: file -> nothing',
      'data: folder -> nothing',
      'data/large: file -> nothing',
      'data/small: file -> nothing',
      'large.log: file -> nothing',
      'node_modules: folder -> nothing',
      'small.log: file -> nothing',
    ]);
    const refused = (await store.restore(undoing(differences))).flatMap((outcome) =>
      'refused' in outcome ? [`${outcome.path}: ${outcome.refused}`] : [],
    );
    assert.deepEqual(
      refused,
      ['data/large', 'large.log', 'node_modules'].map((path) => `${path}: its content was not kept`),
    );
    assert.equal(readFileSync(join(root, 'data/small'), 'utf8'), 'small');
  });

  test('stays what it was where the rules aren’t committed or come from elsewhere, and a repository inside is no one’s to ignore', async (t) => {
    const root = makeFolder(t, { 's.txt': 's', 'u.txt': 'u', 'a.txt': 'a', '.gitignore': 'old\n' });
    git(root, 'init', '-q', '-b', 'main');
    commitAll(root, 'first');
    appendFileSync(join(root, '.gitignore'), '.venv/\nnested/\n');
    appendFileSync(join(root, '.git/info/exclude'), '*.tmp\n');
    for (let count = 0; count < 20; count++) write(root, `data/${count}.jsonl`, `{"n":${count}}`);
    write(root, '.venv/x', 'ignored');
    write(root, 'x.tmp', 'x'.repeat(200));
    write(root, 's.txt', 'staged');
    git(root, 'add', 's.txt');
    write(root, 'u.txt', 'unstaged');
    for (let count = 0; count < 30; count++) write(root, `nested/${count}.txt`, 'work');
    git(join(root, 'nested'), 'init', '-q', '-b', 'main');
    const store = openStore(t, root, { ignoredBytes: { each: 100, all: 1000 }, limits: { ignoredFiles: 10 } });
    const word = wordOf(root);
    const before = await store.take();
    assert.deepEqual(before.missing, [{ path: 'x.tmp', why: 'ignored, and larger than 100 bytes' }]);
    write(root, 'a.txt', 'agent');
    write(root, 'new.txt', 'agent');
    const after = await store.take();
    write(root, 'data/late.jsonl', 'late');
    write(root, 'u.txt', 'edited since');
    const rest = filesOf(root);
    assert.deepEqual(await bringBack(store, before.id, after.id), []);
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'a');
    for (const path of ['a.txt', 'new.txt']) rest.delete(path);
    const now = filesOf(root);
    now.delete('a.txt');
    assert.deepEqual(now, rest);
    rmSync(join(root, 'data/late.jsonl'));
    write(root, 'u.txt', 'unstaged');
    assert.deepEqual(wordOf(root), word);
    const later = await store.take();
    assert.deepEqual(await store.compare(before.id, later.id), []);
    chmodSync(join(root, 'a.txt'), 0o600);
    assert.deepEqual(inShort(await store.compare(before.id, (await store.take()).id)), ['a.txt: file -> file']);
  });
});
