import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  createSession,
  forkSession,
  redoSession,
  rewindTo,
  sessionDiff,
  undoableTurns,
  undoSession,
} from '../../src/harness/index.ts';
import { filesBelow } from '../support/files-below.ts';
import { edit, read, shell, write } from '../support/calls.ts';
import { gitIn } from '../support/git-in.ts';
import { undoGround } from './undo-ground.ts';

describe('a repository whose rules convert, filter and watch', () => {
  test('comes back byte for byte, and nothing of it is run', async (context) => {
    const ground = await undoGround(context);
    const { put, git, home, workspace } = ground;
    const canary = join(home, 'canary');
    const program = join(home, 'program.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`, { mode: 0o755 });
    git('init', '-q', '-b', 'main');
    put(
      '.gitattributes',
      '*.txt text=auto\n*.crlf text eol=crlf\n*.fil filter=evil diff=evil\n*.u16 text working-tree-encoding=UTF-16LE\n*.bin filter=lfs diff=lfs merge=lfs -text\n*.id ident\n',
    );
    const bytes: { [path: string]: string | Buffer } = {
      'mixed.txt': 'dos\r\nunix\nold\rmac',
      'a.crlf': 'unix\nonly\n',
      'a.fil': 'smudged?\n',
      'wide.u16': Buffer.from('wide\n', 'utf16le'),
      'pointer.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 3\n',
      'real.bin': Buffer.from([0, 255, 13, 10]),
      'v.id': '$Id: by hand$\n',
    };
    for (const [path, content] of Object.entries(bytes)) put(path, content);
    git('add', '-A');
    git('commit', '-qm', 'first');
    for (const [path, content] of Object.entries(bytes)) put(path, content);
    for (const hook of [
      'post-checkout',
      'pre-commit',
      'post-index-change',
      'reference-transaction',
      'fsmonitor-watchman',
    ])
      writeFileSync(join(workspace, '.git', 'hooks', hook), readFileSync(program), { mode: 0o755 });
    for (const [key, value] of [
      ['filter.evil.clean', program],
      ['filter.evil.smudge', program],
      ['filter.evil.required', 'true'],
      ['filter.lfs.process', program],
      ['diff.evil.textconv', program],
      ['core.fsmonitor', program],
      ['core.autocrlf', 'true'],
      ['core.sshCommand', program],
      ['core.pager', program],
      ['core.editor', program],
      ['gc.recentObjectsHook', program],
      ['uploadpack.packObjectsHook', program],
    ])
      git('config', key ?? '', value ?? '');
    const before = ground.files();
    const index = readFileSync(join(workspace, '.git', 'index'));
    // No Git runs in the command: whatever runs is ours.
    const overwrite = 'for f in *.*; do printf broken > "$f"; done; rm real.bin; printf broken > .gitattributes';
    await ground.work([{ calls: [shell(overwrite)] }, { calls: [write('new.fil', 'x\r\n')] }]);
    await ground.diff();
    await ground.undo({ all: true, dryRun: true });
    assert.deepEqual((await ground.undo({ all: true })).kept, []);
    assert.deepEqual(ground.files(), before);
    await ground.redo();
    assert.equal(ground.text('mixed.txt'), 'broken');
    await ground.undo({ all: true });
    assert.deepEqual(ground.files(), before);
    assert.deepEqual(readFileSync(join(workspace, '.git', 'index')), index);
    assert.equal(existsSync(canary) ? readFileSync(canary, 'utf8') : '', '');
    // They would have been run by any Git that looks at files.
    git('status');
    assert.ok(existsSync(canary));
  });
});

describe('a workspace', () => {
  test('below the top of its repository keeps what lies beside it, and Git’s data come back', async (context) => {
    const ground = await undoGround(context);
    const { home, workspace } = ground;
    gitIn(workspace, home, ['init', '-q', '-b', 'main']);
    ground.put('outside.txt', 'outside\n');
    ground.put('packages/one/a.txt', 'a\n');
    ground.git('add', '-A');
    ground.git('commit', '-qm', 'first');
    ground.put('outside.txt', 'dirty outside\n');
    ground.put('packages/one/a.txt', 'dirty\n');
    ground.git('add', '.');
    const index = readFileSync(join(workspace, '.git', 'index'));
    const below = join(workspace, 'packages', 'one');
    await ground.work(
      [{ calls: [shell('git rm -rq --cached . && echo new > b.txt && git checkout -q -b other && echo x > a.txt')] }],
      { workspace: below },
    );
    ground.put('outside.txt', 'mine since\n');
    const report = await undoSession(ground.env, { latest: below });
    assert.deepEqual(report.kept, []);
    assert.deepEqual([...filesBelow(below)], [['a.txt', 'file 644 dirty\n']]);
    assert.equal(ground.text('outside.txt'), 'mine since\n');
    assert.deepEqual(readFileSync(join(workspace, '.git', 'index')), index);
    assert.equal(ground.git('symbolic-ref', 'HEAD'), 'refs/heads/main\n');
    assert.doesNotMatch(ground.git('branch'), /other/);
  });

  test('that is a linked worktree is brought back with its own index and HEAD', async (context) => {
    const ground = await undoGround(context);
    ground.git('init', '-q', '-b', 'main');
    ground.put('a.txt', 'a\n');
    ground.git('add', '-A');
    ground.git('commit', '-qm', 'first');
    const linked = join(ground.home, 'linked');
    ground.git('worktree', 'add', '-q', '-b', 'side', linked);
    writeFileSync(join(linked, 'a.txt'), 'staged\n');
    gitIn(linked, ground.home, ['add', '-A']);
    writeFileSync(join(linked, 'a.txt'), 'unstaged\n');
    const status = gitIn(linked, ground.home, ['status', '--porcelain=v2', '--branch']);
    await ground.work(
      [{ calls: [shell('git reset -q --hard && git checkout -q --detach && git branch -D side -q && rm a.txt')] }],
      { workspace: linked },
    );
    assert.deepEqual((await undoSession(ground.env, { latest: linked })).kept, []);
    assert.equal(readFileSync(join(linked, 'a.txt'), 'utf8'), 'unstaged\n');
    assert.equal(gitIn(linked, ground.home, ['status', '--porcelain=v2', '--branch']), status);
  });

  test('without Git, and without any program of that name, is brought back', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'a\n');
    const bin = join(ground.home, 'bin');
    mkdirSync(bin);
    for (const name of ['sh', 'bash', 'env']) {
      const place = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, name));
      symlinkSync(place.find((each) => existsSync(each)) ?? '', join(bin, name));
    }
    const env = { ...ground.env, PATH: bin };
    await ground.work([{ calls: [shell('echo b > a.txt; echo c > c.txt')] }], { env });
    assert.equal(ground.text('a.txt'), 'b\n');
    await undoSession(env, { latest: ground.workspace });
    assert.deepEqual([...ground.files()], [['a.txt', 'file 644 a\n']]);
  });

  test('that is gone or moved is said, and its turns are listed all the same', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'a\n');
    await ground.work([{ calls: [shell('echo b > a.txt')] }]);
    const aside = `${ground.workspace}-aside`;
    renameSync(ground.workspace, aside);
    try {
      await assert.rejects(ground.undo(), { code: 'undo-impossible', message: /is gone/ });
      await assert.rejects(ground.diff(), { code: 'undo-impossible', message: /is gone/ });
      assert.equal((await undoableTurns(ground.env, { latest: ground.workspace })).length, 1);
    } finally {
      renameSync(aside, ground.workspace);
    }
    await ground.undo();
    assert.equal(ground.text('a.txt'), 'a\n');
  });
});

describe('what can’t be taken back is said', () => {
  test('where nothing is kept by the settings', async (context) => {
    const ground = await undoGround(context, { checkpoints: { enabled: false } });
    ground.put('a.txt', 'a\n');
    await ground.work([{ calls: [shell('echo b > a.txt')] }]);
    const missing = { code: 'undo-impossible', message: /checkpoints\.enabled/ };
    await assert.rejects(ground.undo(), missing);
    const before = (await ground.events()).length;
    const both = { to: { turn: 1 }, files: true, conversation: true };
    await assert.rejects(rewindTo(ground.env, { latest: ground.workspace }, both), missing);
    assert.equal((await ground.events()).length, before);
    await ground.resume([{ calls: [read('a.txt')] }, { calls: [edit('a.txt', 'b', 'c')] }]);
    await assert.rejects(ground.undo(), { code: 'undo-impossible', message: /a\.txt.*nothing was kept/ });
    assert.match(
      (await ground.diff()).left.map(({ path, why }) => `${path}: ${why}`).join(),
      /a\.txt: .*nothing was kept/,
    );
  });

  test('of the part of a session that kept nothing', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'a\n');
    ground.put('b.txt', 'b\n');
    await ground.work([{ calls: [shell('echo x > a.txt')] }]);
    writeFileSync(join(ground.home, '.config', 'reins', 'settings.json'), '{"checkpoints":{"enabled":false}}');
    await ground.resume([{ calls: [read('b.txt')] }, { calls: [edit('b.txt', 'b', 'c')] }]);
    const report = await ground.undo();
    assert.equal(ground.text('a.txt'), 'a\n');
    assert.deepEqual(
      report.kept.map(({ path }) => path),
      ['b.txt'],
    );
  });

  test('while the session is driven', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'a\n');
    await ground.work([{ calls: [shell('echo b > a.txt')] }]);
    const settings = { model: 'x', mode: 'unsafe' as const, endpoint: { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' } };
    const { workspace, env } = ground;
    const session = await createSession({ workspace, env, settings, resume: { latest: true } });
    try {
      await assert.rejects(ground.undo(), { code: 'session-busy' });
      assert.equal(ground.text('a.txt'), 'b\n');
      assert.match((await ground.diff()).patch.toString(), /\+b/);
    } finally {
      await session.close();
    }
    await ground.undo();
    assert.equal(ground.text('a.txt'), 'a\n');
  });

  test('when its snapshots have left the store', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'a\n');
    await ground.work([{ calls: [shell('echo b > a.txt')] }]);
    rmSync(join(ground.home, '.local', 'state', 'reins', 'checkpoints'), { recursive: true });
    await assert.rejects(ground.undo(), { code: 'blob-missing', message: /./ });
    assert.equal(ground.text('a.txt'), 'b\n');
    await assert.rejects(ground.diff(), { code: 'blob-missing' });
  });

  test('and a damaged log costs no more than its damaged lines', async (context) => {
    const ground = await undoGround(context);
    for (const name of ['a', 'b', 'c']) ground.put(name, 'old\n');
    const run = await ground.work(['a', 'b', 'c'].map((name) => ({ calls: [shell(`echo new > ${name}`)] })));
    const lines = readFileSync(run.log, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"kind":"result"') && line.includes('"tool":"shell"'));
    lines[at] = '{"torn';
    writeFileSync(run.log, lines.join('\n'));
    assert.deepEqual((await ground.undo({ all: true })).kept, []);
    assert.deepEqual(['a', 'b', 'c'].map(ground.text), ['old\n', 'old\n', 'old\n']);
  });
});

test('a fork takes back what its path did, and its own work', async (context) => {
  const ground = await undoGround(context);
  ground.put('a.txt', '0\n');
  const first = await ground.work([{ calls: [shell('echo 1 > a.txt')] }, { calls: [shell('echo 2 > a.txt')] }]);
  const forked = await forkSession(ground.env, first.session);
  await ground.work([{ calls: [shell('echo 3 > a.txt')] }], { resume: forked });
  assert.deepEqual((await undoSession(ground.env, forked)).turns.length, 1);
  assert.equal(ground.text('a.txt'), '2\n');
  await undoSession(ground.env, forked, { all: true });
  assert.equal(ground.text('a.txt'), '0\n');
  await redoSession(ground.env, forked);
  assert.match((await sessionDiff(ground.env, forked)).patch.toString(), /-0\n\+2/);
  await undoSession(ground.env, first.session);
  assert.equal(ground.text('a.txt'), '1\n');
});
