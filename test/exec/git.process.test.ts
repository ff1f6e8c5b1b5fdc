import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createGit } from '../../src/exec/index.ts';
import { git, makeFolder, write } from './workbench.ts';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };

function makeRepository(t: TestContext): string {
  const folder = makeFolder(t, { 'a.txt': 'one\n', 'dir/b.txt': 'two\n' });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  return folder;
}

describe('git for Reins itself', { concurrency: 2 }, () => {
  test('reads an ordinary repository', async (t) => {
    const folder = makeRepository(t);
    write(join(folder, 'a.txt'), 'changed\n');
    write(join(folder, 'new é'), '');
    const door = createGit({ workspace: folder, environment });
    assert.deepEqual([door.isRepository(), door.topLevel(), door.commonDir()], [true, folder, join(folder, '.git')]);
    const status = await door.run(['status', '--porcelain', '-z']);
    assert.equal(status.exit, 0);
    assert.deepEqual(status.stdout.toString().split('\0'), [' M a.txt', '?? new é', '']);
    assert.match((await door.run(['diff'])).stdout.toString(), /^-one\n\+changed$/m);
    assert.equal((await door.run(['rev-parse', 'HEAD'])).stdout.toString().trim(), git(folder, 'rev-parse', 'HEAD'));
    const bad = await door.run(['rev-parse', '--verify', 'missing']);
    assert.equal(bad.exit, 128);
    assert.match(bad.stderr, /Needed a single revision/);
    assert.equal(existsSync(join(folder, '.git/index.lock')), false);
  });

  test('is at home in a part of a repository, in a linked working tree and in a submodule', async (t) => {
    const folder = makeRepository(t);
    const part = createGit({ workspace: join(folder, 'dir'), environment });
    assert.equal((await part.run(['rev-parse', '--show-prefix'])).stdout.toString(), 'dir/\n');
    const linked = join(makeFolder(t), 'linked');
    git(folder, 'worktree', 'add', '-q', '-b', 'side', linked);
    write(join(linked, 'a.txt'), 'changed\n');
    const tree = createGit({ workspace: linked, environment });
    assert.deepEqual([tree.topLevel(), tree.commonDir()], [linked, join(folder, '.git')]);
    assert.equal((await tree.run(['status', '--porcelain'])).stdout.toString(), ' M a.txt\n');
    assert.equal((await tree.run(['symbolic-ref', 'HEAD'])).stdout.toString(), 'refs/heads/side\n');
    const around = makeRepository(t);
    git(around, 'submodule', 'add', '-q', folder, 'sub');
    write(join(around, 'sub/a.txt'), 'changed\n');
    const inside = createGit({ workspace: join(around, 'sub'), environment });
    assert.equal((await inside.run(['status', '--porcelain'])).stdout.toString(), ' M a.txt\n');
  });

  test('sees a change of the same size and time that the configuration would hide', async (t) => {
    const folder = makeRepository(t);
    for (const setting of ['core.checkStat=minimal', 'core.trustctime=false']) {
      git(folder, 'config', ...setting.split('='));
    }
    const path = join(folder, 'a.txt');
    const hour = new Date(Date.now() - 3_600_000);
    utimesSync(path, hour, hour);
    git(folder, 'update-index', '--refresh');
    write(`${path}.new`, 'two\n');
    utimesSync(`${path}.new`, hour, hour);
    renameSync(`${path}.new`, path);
    assert.equal(git(folder, 'status', '--porcelain'), '', 'an ordinary git misses it');
    const door = createGit({ workspace: folder, environment });
    assert.equal((await door.run(['status', '--porcelain'])).stdout.toString(), ' M a.txt\n');
  });

  test('sees what replaced objects would hide', async (t) => {
    const folder = makeRepository(t);
    write(join(folder, 'a.txt'), 'changed\n');
    git(folder, 'add', '.');
    const tree = git(folder, 'write-tree');
    git(folder, 'replace', 'HEAD', git(folder, 'commit-tree', tree, '-m', 'other'));
    assert.equal(git(folder, 'status', '--porcelain'), '', 'an ordinary git misses it');
    const door = createGit({ workspace: folder, environment });
    assert.equal((await door.run(['status', '--porcelain'])).stdout.toString(), 'M  a.txt\n');
  });

  test('where there is no repository, or only a broken one, it rejects', async (t) => {
    const outside = makeRepository(t);
    const broken = join(outside, 'broken');
    write(join(broken, '.git'), 'gitdir: ../nowhere\n');
    const long = join(outside, 'long');
    write(join(long, '.git'), `gitdir: ${'x'.repeat(100_000)}`);
    for (const workspace of [makeFolder(t), broken, long]) {
      const door = createGit({ workspace, environment });
      assert.deepEqual([door.isRepository(), door.topLevel(), door.commonDir()], [false, null, null], workspace);
      await assert.rejects(door.run(['status']), { code: 'tool-failed' });
    }
    await assert.rejects(
      createGit({ workspace: outside, environment: { PATH: '/nonexistent' } }).run(['status']),
      /no git in PATH/,
    );
  });

  test('lets through commands that read, and no others', async (t) => {
    const folder = makeRepository(t);
    const door = createGit({ workspace: folder, environment });
    const refused = [
      ['commit', '--allow-empty', '-m', 'x'],
      ['config', 'a.b', 'c'],
      ['-c', 'alias.x=!touch ran', 'x'],
      ['diff', '--ext-diff'],
      ['diff', '--ext'],
      ['diff', '--output=stolen'],
      ['diff', '--submodule=diff'],
      ['ls-files', '--recurse-submodules'],
      ['log', '-p', '--textconv'],
      ['cat-file', '--filters', 'HEAD:a.txt'],
      ['diff', '--no-index', '/etc/passwd', '/dev/null'],
      [],
    ];
    for (const args of refused) await assert.rejects(door.run(args), /Git was not run/, args.join(' '));
    assert.equal(existsSync(join(folder, 'stolen')), false);
  });

  test('time and output are bounded', async (t) => {
    const folder = makeRepository(t);
    const small = createGit({ workspace: folder, environment, outputLimit: 10 });
    await assert.rejects(small.run(['log']), /printed more than 10 bytes/);
    const bin = makeFolder(t, { git: '#!/bin/sh\nexec sleep 1000\n' });
    chmodSync(join(bin, 'git'), 0o755);
    const slow = createGit({ workspace: folder, environment: { PATH: `${bin}:/usr/bin:/bin` }, timeout: 100 });
    await assert.rejects(slow.run(['log']), /more than 0.1 s/);
  });

  test('a git that the workspace brings along isn’t used', async (t) => {
    const folder = makeRepository(t);
    write(join(folder, 'bin/git'), '#!/bin/sh\ntouch ran\n');
    chmodSync(join(folder, 'bin/git'), 0o755);
    const elsewhere = makeFolder(t);
    symlinkSync(join(folder, 'bin/git'), join(elsewhere, 'git'));
    const path = `${folder}/bin:bin:.:${elsewhere}:${process.env['PATH']}`;
    const door = createGit({ workspace: folder, environment: { PATH: path } });
    assert.equal((await door.run(['rev-parse', '--is-inside-work-tree'])).stdout.toString(), 'true\n');
    assert.equal(existsSync(join(folder, 'ran')), false);
  });
});

describe('a hostile repository runs nothing', { concurrency: 2 }, () => {
  /** A repository whose every place that can name a program names one that leaves a file. */
  function makeHostile(t: TestContext): { folder: string; ran: () => string[] } {
    const folder = makeRepository(t);
    const loot = makeFolder(t);
    const evil = (name: string) => `touch ${loot}/${name}; cat`;
    const settings: [string, string][] = [
      ['core.fsmonitor', `${loot}/fsmonitor.sh`],
      ['core.hooksPath', join(folder, 'hooks')],
      ['core.pager', evil('pager')],
      ['core.editor', evil('editor')],
      ['core.sshCommand', evil('ssh')],
      ['core.askPass', `${loot}/fsmonitor.sh`],
      ['core.alternateRefsCommand', evil('alternate')],
      ['core.gitProxy', `${loot}/fsmonitor.sh`],
      ['credential.helper', `!${evil('credential')}`],
      ['diff.external', evil('external')],
      ['diff.submodule', 'diff'],
      ['diff.conv.textconv', evil('textconv')],
      ['diff.conv.command', evil('command')],
      ['diff.conv.cachetextconv', 'true'],
      ['filter.f.clean', evil('clean')],
      ['filter.f.smudge', evil('smudge')],
      ['filter.f.required', 'true'],
      ['filter.p.process', evil('process')],
      ['filter.Cased.clean', evil('cased')],
      ['merge.m.driver', evil('merge')],
      ['alias.status', `!${evil('alias')}`],
      ['alias.st', `!${evil('alias')}`],
      ['gpg.program', `${loot}/fsmonitor.sh`],
      ['log.showSignature', 'true'],
      ['status.submoduleSummary', 'true'],
      ['submodule.recurse', 'true'],
      ['submodule.sub.ignore', 'none'],
      ['pager.status', evil('pager')],
      ['pager.log', evil('pager')],
      ['protocol.ext.allow', 'always'],
      ['remote.origin.url', `ext::sh -c touch% ${loot}/ext`],
      ['remote.origin.promisor', 'true'],
      ['core.worktree', loot],
    ];
    write(join(loot, 'fsmonitor.sh'), `#!/bin/sh\ntouch ${loot}/fsmonitor\n`);
    chmodSync(join(loot, 'fsmonitor.sh'), 0o755);
    const [module, inner] = [join(folder, 'sub'), join(folder, 'inner')];
    for (const nested of [module, inner]) {
      write(join(nested, 'x'), 'x');
      write(join(nested, '.gitattributes'), 'x filter=inner diff=inner\n');
      git(nested, 'init', '-q');
      git(nested, 'add', '.');
      git(nested, 'commit', '-qm', 'x');
    }
    git(folder, 'add', 'sub', 'inner');
    write(
      join(folder, '.gitattributes'),
      '*.txt filter=f diff=conv merge=m\ndir/*.txt filter=p diff=conv\n*.c filter=Cased\n',
    );
    write(join(folder, 'c.c'), 'c');
    git(folder, 'add', '.gitattributes', 'c.c');
    git(folder, 'commit', '-qm', 'second');
    for (const [key, value] of settings) {
      git(folder, 'config', '--file', '.git/config', key, value);
      git(module, 'config', '--file', '.git/config', key, value);
    }
    mkdirSync(join(folder, 'hooks'));
    for (const hook of [
      'post-index-change',
      'reference-transaction',
      'pre-commit',
      'fsmonitor-watchman',
      'post-checkout',
    ]) {
      write(join(folder, 'hooks', hook), `#!/bin/sh\ntouch ${loot}/hook\n`);
      write(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${loot}/hook\n`);
      chmodSync(join(folder, 'hooks', hook), 0o755);
      chmodSync(join(folder, '.git/hooks', hook), 0o755);
    }
    // Entries whose times no longer match are looked at again, through the filters.
    for (const file of ['a.txt', 'dir/b.txt', 'c.c']) write(join(folder, file), 'changed\n');
    // A commit that the outer one doesn't know, and a change of the same length: both make git look inside.
    git(inner, 'commit', '-qam', 'y', '--allow-empty');
    git(inner, 'config', 'filter.inner.clean', evil('inner'));
    git(inner, 'config', 'diff.inner.textconv', evil('inner'));
    write(join(inner, 'x'), 'y');
    const traces =
      'fsmonitor hook pager editor ssh alternate credential external textconv command clean smudge process cased merge alias ext inner';
    return { folder, ran: () => traces.split(' ').filter((name) => existsSync(join(loot, name))) };
  }

  const missingObject = '1234567890123456789012345678901234567890';
  const commands = [
    ['status', '--porcelain=v2', '--untracked-files=all'],
    ['diff'],
    ['diff', 'HEAD'],
    ['diff', '--cached', 'HEAD~1'],
    ['diff-files', '-p'],
    ['diff-index', '-p', 'HEAD'],
    ['diff-tree', '-p', 'HEAD'],
    ['log', '-p', '--all'],
    ['show', 'HEAD'],
    ['show', 'HEAD:a.txt'],
    ['ls-files', '--modified', '--others'],
    ['hash-object', 'a.txt'],
    ['cat-file', '-p', 'HEAD:a.txt'],
    ['for-each-ref'],
    // Not here: a promised object would be fetched.
    ['cat-file', '-p', missingObject],
  ];

  test('the repository is one: ordinary git runs what it names', (t) => {
    const { folder, ran } = makeHostile(t);
    git(folder, '--work-tree=.', 'status');
    assert.throws(() => git(folder, '--work-tree=.', 'diff'), 'what it names is no diff program');
    const traces = ran();
    for (const name of ['fsmonitor', 'command', 'clean', 'process', 'hook'])
      assert.ok(traces.includes(name), `${name} of ${traces.join()}`);
  });

  test('through the door, no command does', async (t) => {
    const { folder, ran } = makeHostile(t);
    const door = createGit({ workspace: folder, environment });
    for (const args of commands) {
      const { exit } = await door.run(args);
      assert.deepEqual(ran(), [], args.join(' '));
      assert.equal(exit, args.at(-1) === missingObject ? 128 : 0, args.join(' '));
    }
  });

  test('it sees the changes all the same, in this folder and not where core.worktree points', async (t) => {
    const { folder } = makeHostile(t);
    const { stdout } = await createGit({ workspace: folder, environment }).run(['status', '--porcelain']);
    assert.match(stdout.toString(), /^ M a\.txt$/m);
    assert.match(stdout.toString(), /^ M dir\/b\.txt$/m);
  });

  test('configuration that is included, or in the working tree’s own file, is no way in either', async (t) => {
    for (const place of ['include', 'worktree']) {
      const folder = makeRepository(t);
      const loot = makeFolder(t);
      const filter = `[filter "f"]\n\tclean = touch ${loot}/clean; cat\n`;
      if (place === 'include') {
        write(join(loot, 'included'), filter);
        git(folder, 'config', 'include.path', join(loot, 'included'));
      } else {
        git(folder, 'config', 'extensions.worktreeConfig', 'true');
        write(join(folder, '.git/config.worktree'), filter);
      }
      write(join(folder, '.gitattributes'), '* filter=f\n');
      write(join(folder, 'a.txt'), 'changed\n');
      await createGit({ workspace: folder, environment }).run(['diff']);
      assert.equal(existsSync(join(loot, 'clean')), false, place);
      git(folder, 'diff');
      assert.equal(existsSync(join(loot, 'clean')), true, `${place} would run it`);
    }
  });

  test('a driver that can’t be disarmed, and configuration that can’t be read, stop it', async (t) => {
    const folder = makeRepository(t);
    writeFileSync(
      join(folder, '.git/config'),
      `${readFileSync(join(folder, '.git/config'), 'utf8')}[filter "a=b"]\n\tclean = touch ran\n`,
    );
    await assert.rejects(createGit({ workspace: folder, environment }).run(['diff']), /can’t be disarmed/);
    writeFileSync(join(folder, '.git/config'), '[filter "x"\n');
    await assert.rejects(createGit({ workspace: folder, environment }).run(['diff']), /configuration can’t be read/);
    rmSync(join(folder, '.git/config'));
    assert.equal((await createGit({ workspace: folder, environment }).run(['status'])).exit, 0);
    assert.equal(existsSync(join(folder, 'ran')), false);
  });
});
