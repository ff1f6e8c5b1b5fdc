import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { copyRepository } from '../../src/exec/index.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts';

const environment = { PATH: process.env['PATH'] ?? '' };

async function repository(
  t: TestContext,
  files: { [path: string]: string } = { 'a.txt': 'one\n' },
): Promise<TemporaryWorkspace> {
  const made = await temporaryWorkspace({ files, git: true });
  t.after(() => made.dispose());
  return made;
}

function emptyFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'reins-copy-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Git at work in a copy, with nobody's settings but its own. */
function gitIn(folder: string, ...args: string[]): string {
  const own = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: join(folder, '.git') };
  return execFileSync('git', args, { cwd: folder, env: { ...environment, ...own }, encoding: 'utf8' }).trim();
}

const head = async (source: TemporaryWorkspace, name = 'HEAD') => (await source.git('rev-parse', name)).trim();

describe('a copy of a repository', () => {
  test('has the files of the commit, the history, and the branch that was checked out there', async (t) => {
    const source = await repository(t);
    const first = await head(source);
    await source.write('a.txt', 'two\n');
    await source.git('commit', '--quiet', '--all', '--message=two');
    await source.git('gc', '--quiet');
    await source.write('a.txt', 'three\n');
    const to = emptyFolder(t);
    await copyRepository({ from: source.path, to, commit: first, environment });
    assert.equal(readFileSync(join(to, 'a.txt'), 'utf8'), 'one\n');
    assert.equal(gitIn(to, 'status', '--short'), '');
    assert.equal(gitIn(to, 'symbolic-ref', '--short', 'HEAD'), 'main');
    assert.equal(gitIn(to, 'rev-parse', 'HEAD'), first);
    assert.equal(gitIn(to, 'config', 'user.name'), 'Reins Test');
    assert.equal((await source.read('a.txt')).toString(), 'three\n');
  });

  test('of a commit that no branch has any more, and without a branch', async (t) => {
    const source = await repository(t);
    await source.write('a.txt', 'lost\n');
    await source.git('commit', '--quiet', '--all', '--message=lost');
    const lost = await head(source);
    await source.git('reset', '--quiet', '--hard', 'HEAD~1');
    await source.git('checkout', '--quiet', '--detach');
    const to = emptyFolder(t);
    await copyRepository({ from: source.path, to, commit: lost, environment });
    assert.equal(readFileSync(join(to, 'a.txt'), 'utf8'), 'lost\n');
    assert.equal(gitIn(to, 'rev-parse', '--abbrev-ref', 'HEAD'), 'HEAD');
  });

  test('of a linked working tree has its branch', async (t) => {
    const source = await repository(t);
    const tree = join(emptyFolder(t), 'tree');
    await source.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    const to = emptyFolder(t);
    await copyRepository({ from: realpathSync(tree), to, commit: await head(source), environment });
    assert.equal(gitIn(to, 'symbolic-ref', '--short', 'HEAD'), 'side');
    assert.equal(readFileSync(join(to, 'a.txt'), 'utf8'), 'one\n');
  });

  test('of a repository that borrows its objects has them all itself', async (t) => {
    const source = await repository(t);
    const borrower = emptyFolder(t);
    await source.git('clone', '--quiet', '--shared', source.path, borrower);
    const to = emptyFolder(t);
    await copyRepository({ from: borrower, to, commit: await head(source), environment });
    await source.dispose();
    assert.equal(existsSync(join(to, '.git', 'objects', 'info', 'alternates')), false);
    gitIn(to, 'fsck', '--full');
  });

  test('shares no file with the original', async (t) => {
    const source = await repository(t);
    const to = emptyFolder(t);
    await copyRepository({ from: source.path, to, commit: await head(source), environment });
    const objects = readdirSync(join(source.path, '.git', 'objects'), { recursive: true, withFileTypes: true });
    for (const entry of objects.filter((each) => each.isFile())) {
      assert.equal(statSync(join(entry.parentPath, entry.name)).nlink, 1);
    }
  });

  test('keeps to the format of the objects', async (t) => {
    const source = await temporaryWorkspace({ files: { 'a.txt': 'one\n' } });
    t.after(() => source.dispose());
    await source.git('init', '--quiet', '--object-format=sha256', '--initial-branch=main');
    await source.git('add', '--all');
    await source.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--message=one');
    const to = emptyFolder(t);
    await copyRepository({ from: source.path, to, commit: await head(source), environment });
    assert.equal(readFileSync(join(to, 'a.txt'), 'utf8'), 'one\n');
  });
});

describe('a hostile repository', () => {
  test('names nothing that takes part in its copy', async (t) => {
    const source = await repository(t, { 'a.txt': 'one\n', '.gitattributes': '*.txt filter=x diff=x merge=x\n' });
    const mark = join(emptyFolder(t), 'ran');
    const commit = await head(source);
    const hook = { content: `#!/bin/sh\ntouch ${mark}\n`, mode: 0o755 };
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction'])
      await source.write(`.git/hooks/${name}`, hook);
    const config = [
      `[core]\n\tfsmonitor = touch ${mark}\n\thooksPath = .git/hooks\n\tworktree = /\n\tsshCommand = touch ${mark}`,
      `[filter "x"]\n\tsmudge = touch ${mark}\n\tclean = touch ${mark}\n\tprocess = touch ${mark}\n\trequired = true`,
      `[remote "origin"]\n\turl = ext::touch ${mark}\n\tpromisor = true\n\tpartialclonefilter = blob:none`,
      `[include]\n\tpath = ${mark}.config\n[user]\n\tname = "a\\nb"\n`,
    ];
    writeFileSync(join(source.path, '.git', 'config'), config.join('\n'));
    writeFileSync(`${mark}.config`, `[user]\n\temail = included@example.org\n`);
    const to = emptyFolder(t);
    await copyRepository({ from: source.path, to, commit, environment });
    assert.equal(existsSync(mark), false);
    assert.equal(readFileSync(join(to, 'a.txt'), 'utf8'), 'one\n');
    const copied = readFileSync(join(to, '.git', 'config'), 'utf8');
    assert.doesNotMatch(copied, /touch|remote|include|worktree|hooksPath/);
  });

  test('can’t have foreign files copied by borrowing from, or linking to, where they are', async (t) => {
    const source = await repository(t);
    const secret = emptyFolder(t);
    writeFileSync(join(secret, 'id_key'), 'secret');
    mkdirSync(join(secret, 'pack'));
    writeFileSync(join(secret, 'pack', 'id_key'), 'secret');
    await source.write('.git/objects/info/alternates', `${secret}\n`);
    await source.write('.git/refs/heads/link', { link: join(secret, 'id_key') });
    await source.write('.git/objects/aa', { link: secret });
    const to = emptyFolder(t);
    await copyRepository({ from: source.path, to, commit: await head(source, 'refs/heads/main'), environment });
    const copied = readdirSync(join(to, '.git'), { recursive: true, encoding: 'utf8' });
    assert.ok(!copied.some((name) => name.includes('id_key') || name.endsWith('link')), copied.join('\n'));
  });
});

describe('what can’t be copied is refused', () => {
  test('no repository, no commit of it, no commit at all', async (t) => {
    const source = await repository(t);
    const refused = { code: 'tool-failed' };
    const commit = await head(source);
    await assert.rejects(copyRepository({ from: emptyFolder(t), to: emptyFolder(t), commit, environment }), refused);
    const other = 'f'.repeat(40);
    await assert.rejects(
      copyRepository({ from: source.path, to: emptyFolder(t), commit: other, environment }),
      refused,
    );
    await assert.rejects(
      copyRepository({ from: source.path, to: emptyFolder(t), commit: '--help', environment }),
      refused,
    );
  });
});
