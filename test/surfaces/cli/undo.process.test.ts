import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { edit, shell, write } from '../../support/calls.ts';
import { openUndoBench, type UndoBench } from './undo-bench.ts';

/** A repository with staged, unstaged, untracked and ignored work of its user. */
function busyRepository(context: TestContext): UndoBench {
  const bench = openUndoBench(context);
  const { file, git } = bench;
  git('init', '-q', '-b', 'main');
  file('a.txt', 'one\ntwo\nthree\n');
  file('s.txt', 'old\n');
  file('u.txt', 'old\n');
  file('.gitignore', 'build/\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  for (let n = 0; n < 20; n += 1) file(`data/${n}.jsonl`, `{"n":${n}}\n`);
  // The rule that hides it isn’t committed.
  file('.gitignore', 'build/\n.venv/\n');
  file('.venv/x', 'ignored\n');
  file('s.txt', 'staged\n');
  git('add', 's.txt');
  file('u.txt', 'mine\n');
  mkdirSync(join(bench.workspace, 'empty'));
  return bench;
}

const twoTurns = [
  { calls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
  { calls: [edit('a.txt', 'two', '2'), write('new.txt', 'new\n')] },
  { calls: [edit('a.txt', '2', 'zwei')] },
];

describe('going back to before the first turn', { concurrency: 3 }, () => {
  for (const words of [
    ['undo', '--all'],
    ['undo', '--to', '1'],
    ['undo', '--turns', '2'],
  ]) {
    test(`takes back the agent’s changes and keeps what others did (${words.join(' ')})`, async (context) => {
      const bench = busyRepository(context);
      const before = bench.files();
      const repository = bench.repository();
      await bench.run(twoTurns);
      const worked = bench.files();
      bench.file('data/late.jsonl', 'late\n');
      bench.file('u.txt', 'mine, and more\n');
      before.set('data/late.jsonl', 'file 644 late\n').set('u.txt', 'file 644 mine, and more\n');
      worked.set('data/late.jsonl', 'file 644 late\n').set('u.txt', 'file 644 mine, and more\n');

      const report = await bench.json(words);
      assert.deepEqual(report.kept, []);
      assert.deepEqual(
        report.changes.map(({ path }) => path),
        ['a.txt', 'new.txt'],
      );
      assert.deepEqual(bench.files(), before);
      assert.equal(bench.repository()['bytes'], repository['bytes']);

      for (let round = 0; round < 2; round += 1) {
        await bench.json(['redo']);
        assert.deepEqual(bench.files(), worked);
        await bench.json(words);
        assert.deepEqual(bench.files(), before);
      }
      assert.equal(bench.repository()['bytes'], repository['bytes']);
    });
  }

  test('works as a rewind of files and conversation, which is undone like any other undo', async (context) => {
    const bench = busyRepository(context);
    const before = bench.files();
    await bench.run(twoTurns);
    const worked = bench.files();
    const sessions = await bench.reins(['sessions', '--json']);
    const { id } = JSON.parse(sessions.out.trim().split('\n')[0] ?? '') as { id: string };
    await bench.json(['rewind', id, '1']);
    assert.deepEqual(bench.files(), before);
    await bench.json(['redo']);
    assert.deepEqual(bench.files(), worked);
  });

  test('works one turn at a time', async (context) => {
    const bench = busyRepository(context);
    const before = bench.files();
    await bench.run(twoTurns);
    await bench.json(['undo']);
    assert.equal(bench.files().get('a.txt'), 'file 644 one\n2\nthree\n');
    assert.equal(bench.files().get('new.txt'), 'file 644 new\n');
    await bench.json(['undo']);
    assert.deepEqual(bench.files(), before);
    const nothing = await bench.reins(['undo']);
    assert.equal(nothing.exit, 2);
    assert.match(nothing.err, /undo-impossible|no effects/);
    await bench.json(['redo']);
    await bench.json(['redo']);
    assert.equal(bench.files().get('a.txt'), 'file 644 one\nzwei\nthree\n');
    assert.equal((await bench.reins(['redo'])).exit, 2);
  });
});

/** Work that a discarding command would cost: modified, untracked and ignored files, a stash, a dirty submodule. */
function workToLose(context: TestContext): UndoBench {
  const bench = openUndoBench(context);
  const { file, git, workspace } = bench;
  const outside = join(workspace, '..');
  mkdirSync(join(outside, 'remote.git'));
  mkdirSync(join(outside, 'library'));
  git('init', '-q', '--bare', '-b', 'main', join(outside, 'remote.git'));
  git('init', '-q', '-b', 'main', join(outside, 'library'));
  writeFileSync(join(outside, 'library', 'l.txt'), 'library\n');
  git('-C', join(outside, 'library'), 'add', '-A');
  git('-C', join(outside, 'library'), 'commit', '-qm', 'library');
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', join(outside, 'remote.git'));
  for (let n = 0; n < 6; n += 1) file(`m${n}.txt`, 'committed\n');
  file('.gitignore', '*.env\n');
  git('add', '-A');
  git('submodule', '--quiet', 'add', join(outside, 'library'), 'sub');
  git('commit', '-qm', 'first');
  git('push', '-q', 'origin', 'main');
  git('fetch', '-q');
  file('m0.txt', 'stashed\n');
  git('stash', 'push', '-q', '-m', 'WIP first');
  file('m1.txt', 'stashed\n');
  git('stash', 'push', '-q', '-m', 'WIP second');
  for (let n = 0; n < 5; n += 1) file(`m${n}.txt`, `hours of work ${n}\n`);
  git('add', 'm0.txt');
  file('m0.txt', 'and more\n');
  chmodSync(join(workspace, 'm1.txt'), 0o755);
  for (let n = 0; n < 3; n += 1) file(`new/${n}.txt`, `untracked ${n}\n`);
  file('secret.env', 'KEY=1\n');
  file('sub/l.txt', 'dirty\n');
  file('sub/extra.txt', 'untracked in the submodule\n');
  mkdirSync(join(workspace, 'hollow'));
  git('config', 'alias.away', 'reset --hard');
  return bench;
}

function meaning(bench: UndoBench) {
  const { bytes: _, ...main } = bench.repository();
  const { bytes: __, ...sub } = bench.repository('sub');
  return { main, sub };
}

const discarding = [
  'git reset --hard origin/main',
  'git checkout -- .',
  'git clean -fdx',
  'git clean -ffdx && git reset --hard && git stash clear',
  'git stash drop',
  'git stash drop stash@{1}',
  'git restore .',
  'git restore --staged --worktree .',
  'git submodule update --force',
  'git submodule foreach "git reset --hard && git clean -fdx"',
  'git away',
  'git -C . reset --hard',
  'git branch -m main other',
  'git stash pop || git checkout stash -- . && git stash clear && git gc -q --prune=now',
  'g=.git; find . -depth -path "./$g*" -delete; rm -r sub new; echo gone > m5.txt',
];

for (const mode of ['unsafe', 'auto'] as const) {
  describe(`what a command discards in mode ${mode}`, { concurrency: 3 }, () => {
    // Of a submodule the sandbox protects a part, so that it can't be removed whole.
    for (const command of discarding.filter((each) => mode === 'unsafe' || !each.startsWith('g='))) {
      test(`comes back by one undo: ${command}`, async (context) => {
        const bench = workToLose(context);
        const before = { files: bench.files(), ...meaning(bench) };
        const ended = await bench.run([{ calls: [shell(command)] }], { mode });
        const worked = bench.files();
        const undone = await bench.reins(['undo']);
        // What the sandbox doesn't let a command do needs no undo, and there is none.
        const isUntouched = undone.exit === 2 && undone.err.includes('no effects that could be taken back');
        if (mode === 'auto' && isUntouched) return assert.deepEqual({ files: worked, ...meaning(bench) }, before);
        assert.equal(undone.exit, 0, `${ended.err}${undone.out}${undone.err}`);
        assert.deepEqual({ files: bench.files(), ...meaning(bench) }, before, undone.out);
        const redone = await bench.reins(['redo']);
        assert.equal(redone.exit, 0, redone.out + redone.err);
        assert.deepEqual(bench.files(), worked, redone.out);
        assert.equal((await bench.reins(['undo'])).exit, 0);
        assert.deepEqual({ files: bench.files(), ...meaning(bench) }, before);
      });
    }
  });
}
