import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { createFiles, type Files, type FileState, type Refusal } from '../../src/exec/index.ts';
import { makeFolder } from './workbench.ts';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const refusedBy = (result: string | FileState | null | Refusal): string => {
  assert.ok(typeof result === 'object' && result !== null && 'refused' in result, JSON.stringify(result));
  return result.refused;
};

/** A workspace beside a folder that isn't one. */
function makeFiles(
  t: TestContext,
  content: { [path: string]: string } = {},
): { w: string; outside: string; files: Files } {
  const folder = makeFolder(t, { 'outside/secret': 'secret' });
  const w = join(folder, 'w');
  mkdirSync(w);
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(join(w, path, '..'), { recursive: true });
    writeFileSync(join(w, path), text);
  }
  return { w, outside: join(folder, 'outside'), files: createFiles({ workspace: w }) };
}

/** Resolves, reads and writes as a tool would. */
async function put(files: Files, path: string, text: string): Promise<string | Refusal> {
  const real = await files.resolve(path, 'write');
  if (typeof real !== 'string') return real;
  const state = await files.read(real);
  if (state !== null && 'refused' in state) return state;
  return files.write(real, Buffer.from(text), state?.hash ?? null);
}

describe('which file a path means', () => {
  test('paths inside, however they are written', async (t) => {
    const { w, files } = makeFiles(t, { 'a/b.txt': '' });
    for (const path of [
      'a/b.txt',
      './a//b.txt',
      'a/../a/b.txt',
      'a/./b.txt',
      join(w, 'a/b.txt'),
      `${w}/../w/a/b.txt`,
      `${w}//a/b.txt`,
    ])
      assert.equal(await files.resolve(path, 'write'), join(w, 'a/b.txt'), path);
    assert.equal(await files.resolve('.', 'read'), w);
    assert.equal(await files.resolve('new/deep/file', 'write'), join(w, 'new/deep/file'));
    assert.equal(await files.resolve('~/x', 'write'), join(w, '~/x'));
    assert.equal(await files.resolve('a/ b\n', 'write'), join(w, 'a/ b\n'));
  });

  test('paths outside are refused, by any way', async (t) => {
    const { w, outside, files } = makeFiles(t, { 'a/b': '' });
    symlinkSync(outside, join(w, 'link'));
    symlinkSync('../outside/secret', join(w, 'file'));
    symlinkSync('../outside/new', join(w, 'dangling'));
    symlinkSync('/', join(w, 'root'));
    symlinkSync('link', join(w, 'second'));
    symlinkSync(`${w}-other`, join(w, 'sibling'));
    const paths = [
      '..',
      '../outside/secret',
      '/etc/passwd',
      'link/secret',
      'file',
      'dangling',
      'second/secret',
      'root/etc/passwd',
      'link/new/x',
      'a/../../outside',
      `${w}-other/x`,
      'sibling/x',
      'link/../secret',
    ];
    for (const access of ['read', 'write'] as const)
      for (const path of paths)
        assert.match(refusedBy(await files.resolve(path, access)), /outside the workspace/, path);
    assert.match(refusedBy(await files.read(join(outside, 'secret'))), /outside/);
    assert.match(refusedBy(await files.write(join(outside, 'secret'), Buffer.from('x'), sha256('secret'))), /outside/);
    await assert.rejects(files.list(outside), /outside/);
    assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
  });

  test('links are followed as the kernel does, chains and parents included', async (t) => {
    const { w, files } = makeFiles(t, { 'real/conf': 'x', 'deep/er/f': 'y' });
    symlinkSync('real/conf', join(w, 'link'));
    symlinkSync('link', join(w, 'l2'));
    symlinkSync(join(w, 'deep/er'), join(w, 'abs'));
    assert.equal(await files.resolve('l2', 'write'), join(w, 'real/conf'));
    assert.equal(await files.resolve('abs/../er/f', 'read'), join(w, 'deep/er/f'));
    assert.equal(await files.resolve('abs/new', 'write'), join(w, 'deep/er/new'));
    symlinkSync('missing/target', join(w, 'ahead'));
    assert.equal(await files.resolve('ahead', 'write'), join(w, 'missing/target'));
  });

  test('loops, dead ends and nonsense are refused at once', async (t) => {
    const { w, files } = makeFiles(t, { file: '' });
    symlinkSync('y', join(w, 'x'));
    symlinkSync('x', join(w, 'y'));
    symlinkSync('self/x', join(w, 'self'));
    const started = performance.now();
    for (const path of ['x', 'y/z', 'self'])
      assert.match(refusedBy(await files.resolve(path, 'write')), /circle/, path);
    assert.ok(performance.now() - started < 15_000);
    assert.match(refusedBy(await files.resolve('file/x', 'write')), /is a file, not a folder/);
    assert.match(refusedBy(await files.resolve('missing/../x', 'write')), /no folder/);
    assert.match(refusedBy(await files.resolve('a\0b', 'read')), /no path/);
    assert.match(refusedBy(await files.resolve('', 'read')), /no path/);
    assert.match(refusedBy(await files.resolve('x'.repeat(300), 'write')), /too long/);
    let chain = 'file';
    for (let link = 0; link < 45; link += 1) {
      symlinkSync(chain, join(w, `c${link}`));
      chain = `c${link}`;
    }
    assert.equal(await files.resolve('c39', 'read'), join(w, 'file'));
    assert.match(refusedBy(await files.resolve('c44', 'read')), /circle/);
  });

  test('Git’s data and the settings of Reins are read, not written', async (t) => {
    const { w, files } = makeFiles(t, {
      '.git/config': 'c',
      '.reins/settings.json': '{}',
      'sub/.git/hooks/x': '',
      '.gitignore': 'x',
    });
    symlinkSync('.git', join(w, 'innocent'));
    for (const path of [
      '.git/config',
      '.git',
      '.GIT/config',
      'sub/.git/hooks/pre-commit',
      'innocent/config',
      '.reins/settings.json',
      'sub/.reins/new',
      join(w, '.git/new'),
    ]) {
      const refused = refusedBy(await files.resolve(path, 'write'));
      assert.match(refused, /use git commands|only the user changes/, path);
    }
    assert.match(refusedBy(await files.write(join(w, '.git/config'), Buffer.from('x'), sha256('c'))), /git commands/);
    assert.equal(((await files.read(join(w, '.git/config'))) as FileState).bytes.toString(), 'c');
    for (const path of ['.gitignore', '.gitattributes', '.github/x', 'a.git/x', '.reinsx']) {
      assert.equal(await files.resolve(path, 'write'), join(w, path), path);
    }
  });

  test('whatever links there are, nothing outside is ever named', async (t) => {
    const { w, outside, files } = makeFiles(t, { 'a/f': '', 'b/c/g': '' });
    const name = fc.constantFrom('a', 'b', 'c', 'f', 'g', '..', '.', 'l0', 'l1', 'l2', 'new');
    const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
    const target = fc.oneof(
      path,
      path.map((relative) => `${w}/${relative}`),
      fc.constantFrom('/', outside, `${w}/../outside`),
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(target, { minLength: 3, maxLength: 3 }), path, async (targets, asked) => {
        const folder = join(w, `r${(round += 1)}`);
        mkdirSync(join(folder, 'a'), { recursive: true });
        mkdirSync(join(folder, 'b/c'), { recursive: true });
        targets.forEach((each, index) => symlinkSync(each, join(folder, `l${index}`)));
        const inner = createFiles({ workspace: folder });
        const real = await inner.resolve(asked, 'write');
        if (typeof real !== 'string') return;
        assert.ok(real === folder || real.startsWith(`${folder}/`));
        // Nothing of it is a link any more.
        for (let at = real; at.length > folder.length; at = join(at, '..'))
          assert.ok(!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink(), at);
      }),
      { numRuns: 100 },
    );
    assert.ok(files);
  });

  test('the state of Reins is refused where it lies in the workspace', async (t) => {
    const { w } = makeFiles(t, { 'state/key': 'secret', near: 'x' });
    const files = createFiles({ workspace: w, hidden: [join(w, 'state')] });
    const refused = { refused: 'it belongs to the state of Reins' };
    assert.deepEqual(await files.resolve('state/key', 'read'), refused);
    assert.deepEqual(await files.read(join(w, 'state/key')), refused);
    assert.deepEqual(await files.write(join(w, 'state/new'), Buffer.from('x'), null), refused);
    await assert.rejects(files.list(join(w, 'state')), /state of Reins/);
    assert.equal(await files.resolve('near', 'write'), join(w, 'near'));
  });

  test('names are displayed relative to the workspace', async (t) => {
    const { w, outside, files } = makeFiles(t, { 'a/b': '' });
    assert.deepEqual([files.display(join(w, 'a/b')), files.display(w), files.display(outside)], ['a/b', '.', outside]);
    assert.deepEqual(await files.list(join(w, 'a')), ['b']);
    await assert.rejects(files.list(join(w, 'a/b')));
  });
});

describe('reading', () => {
  test('bytes as they are, with their hash; nothing where there is nothing', async (t) => {
    const { w, files } = makeFiles(t);
    const bytes = Buffer.from([0, 0xe9, 0xff, 13, 10]);
    writeFileSync(join(w, 'f'), bytes);
    assert.deepEqual(await files.read(join(w, 'f')), { path: join(w, 'f'), bytes, hash: sha256(bytes) });
    writeFileSync(join(w, 'empty'), '');
    assert.equal(((await files.read(join(w, 'empty'))) as FileState).bytes.length, 0);
    assert.equal(await files.read(join(w, 'none')), null);
    assert.equal(await files.read(join(w, 'f/none')), null);
    const large = Buffer.alloc(9_000_001, 'x');
    writeFileSync(join(w, 'large'), large);
    assert.equal(((await files.read(join(w, 'large'))) as FileState).hash, sha256(large));
  });

  test('what isn’t a regular file is refused without waiting', async (t) => {
    const { w, files } = makeFiles(t);
    execFileSync('mkfifo', [join(w, 'pipe')]);
    const server = createServer().listen(join(w, 'socket'));
    t.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    mkdirSync(join(w, 'folder'));
    const expected: [string, RegExp][] = [
      ['pipe', /a pipe/],
      ['socket', /a socket/],
      ['folder', /a folder/],
    ];
    for (const [name, reason] of expected) {
      assert.match(refusedBy(await files.read(join(w, name))), reason);
      assert.match(refusedBy(await files.write(join(w, name), Buffer.from('x'), null)), reason);
      assert.match(refusedBy(await files.write(join(w, name), Buffer.from('x'), sha256(''))), reason);
    }
  });

  test('what is too large is refused with advice', async (t) => {
    const { w, files } = makeFiles(t, { f: '' });
    truncateSync(join(w, 'f'), 256 * 1024 * 1024 + 1);
    assert.match(refusedBy(await files.read(join(w, 'f'))), /more than 256 MB; look at parts/);
  });

  test('a link that took a file’s place is refused', async (t) => {
    const { w, outside, files } = makeFiles(t, { f: 'x', 'dir/f': 'y' });
    const real = (await files.resolve('f', 'read')) as string;
    const inner = (await files.resolve('dir/f', 'read')) as string;
    renameSync(join(w, 'f'), join(w, 'g'));
    symlinkSync(join(outside, 'secret'), join(w, 'f'));
    assert.match(refusedBy(await files.read(real)), /has become a link/);
    assert.match(refusedBy(await files.write(real, Buffer.from('z'), sha256('secret'))), /has become a link/);
    renameSync(join(w, 'dir'), join(w, 'old'));
    writeFileSync(join(outside, 'f'), 'y');
    symlinkSync(outside, join(w, 'dir'));
    assert.match(refusedBy(await files.read(inner)), /was moved/);
    refusedBy(await files.write(inner, Buffer.from('z'), sha256('y')));
    assert.equal(readFileSync(join(outside, 'f'), 'utf8'), 'y');
    // The same one level higher: the last folder is no link, but the way to it is.
    mkdirSync(join(w, 'a/b'), { recursive: true });
    mkdirSync(join(outside, 'b'));
    renameSync(join(w, 'a'), join(w, 'c'));
    symlinkSync(outside, join(w, 'a'));
    assert.match(refusedBy(await files.write(join(w, 'a/b/new'), Buffer.from('z'), null)), /folder was moved/);
    assert.deepEqual(readdirSync(outside).toSorted(), ['b', 'f', 'secret']);
    assert.deepEqual(readdirSync(join(outside, 'b')), []);
  });
});

describe('writing', () => {
  test('new files and their folders, and whole replacements that keep the mode', async (t) => {
    const { w, files } = makeFiles(t, { old: 'old' });
    chmodSync(join(w, 'old'), 0o754);
    assert.equal(await put(files, 'a/b/new', 'text'), sha256('text'));
    assert.equal(await put(files, 'old', 'newer'), sha256('newer'));
    assert.equal(readFileSync(join(w, 'a/b/new'), 'utf8'), 'text');
    assert.equal(readFileSync(join(w, 'old'), 'utf8'), 'newer');
    assert.equal(statSync(join(w, 'old')).mode & 0o7777, 0o754);
    assert.equal(statSync(join(w, 'a/b/new')).mode & 0o7777, 0o666 & ~process.umask());
    assert.deepEqual(readdirSync(w).toSorted(), ['a', 'old']);
  });

  test('only over what the caller knows', async (t) => {
    const { w, files } = makeFiles(t, { f: 'one' });
    const f = join(w, 'f');
    assert.match(refusedBy(await files.write(f, Buffer.from('x'), sha256('two'))), /changed meanwhile/);
    assert.match(refusedBy(await files.write(f, Buffer.from('x'), null)), /exists by now/);
    assert.match(refusedBy(await files.write(join(w, 'none'), Buffer.from('x'), sha256('one'))), /gone by now/);
    assert.match(refusedBy(await files.write(join(w, 'new/none'), Buffer.from('x'), sha256('one'))), /gone by now/);
    assert.match(refusedBy(await files.write(w, Buffer.from('x'), null)), /workspace itself/);
    assert.equal(readFileSync(f, 'utf8'), 'one');
    assert.deepEqual(readdirSync(w), ['f']);
  });

  test('two that make the same file: one wins, the other is told', async (t) => {
    const { w, files } = makeFiles(t);
    const results = await Promise.all(
      ['a', 'b', 'c'].map((text) => files.write(join(w, 'f'), Buffer.from(text), null)),
    );
    assert.equal(results.filter((result) => typeof result === 'string').length, 1);
    assert.equal(
      sha256(readFileSync(join(w, 'f'))),
      results.find((result) => typeof result === 'string'),
    );
    assert.deepEqual(readdirSync(w), ['f']);
  });

  test('what a killed writer left beside it is removed, what a living one has is not', async (t) => {
    const { w: folder, files } = makeFiles(t);
    const dead = spawnSync('true').pid;
    const names = [
      `.reins-${dead}-0123456789abcdef.tmp`,
      `.reins-${process.pid}-0123456789abcdef.tmp`,
      '.reins-note.tmp',
    ];
    for (const name of names) writeFileSync(join(folder, name), 'x');
    await files.clean(join(folder, 'a.txt'));
    assert.deepEqual(
      readdirSync(folder)
        .filter((name) => name.endsWith('.tmp'))
        .toSorted(),
      names.slice(1).toSorted(),
    );
  });

  test('a link stays a link, and its target gets the bytes', async (t) => {
    const { w, files } = makeFiles(t, { 'real/conf': 'old' });
    symlinkSync('real/conf', join(w, 'link'));
    symlinkSync('link', join(w, 'l2'));
    await put(files, 'l2', 'new');
    assert.equal(readFileSync(join(w, 'real/conf'), 'utf8'), 'new');
    assert.deepEqual([readlinkSync(join(w, 'link')), readlinkSync(join(w, 'l2'))], ['real/conf', 'link']);
    assert.deepEqual(readdirSync(join(w, 'real')), ['conf']);
  });

  test('a file with several names is replaced under this one alone: another may lie outside', async (t) => {
    const { w, outside, files } = makeFiles(t, { f: 'a long old text' });
    linkSync(join(w, 'f'), join(outside, 'same'));
    const { ino } = statSync(join(w, 'f'));
    assert.equal(await put(files, 'f', 'short'), sha256('short'));
    assert.equal(readFileSync(join(w, 'f'), 'utf8'), 'short');
    assert.equal(readFileSync(join(outside, 'same'), 'utf8'), 'a long old text');
    assert.equal(statSync(join(outside, 'same')).ino, ino);
  });

  test('the owner stays', { skip: process.getuid?.() !== 0 && 'only root can give files away' }, async (t) => {
    const { w, files } = makeFiles(t, { f: 'x' });
    chownSync(join(w, 'f'), 1234, 2345);
    chmodSync(join(w, 'f'), 0o4755);
    await put(files, 'f', 'y');
    const { uid, gid, mode } = statSync(join(w, 'f'));
    assert.deepEqual([uid, gid, mode & 0o7777], [1234, 2345, 0o4755]);
  });

  test('what may not be written is refused and leaves nothing behind', async (t) => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) return t.skip('root may write everything');
    const { w, files } = makeFiles(t, { 'shut/f': 'x', locked: 'x', closed: 'x', 'blind/f': 'x' });
    chmodSync(join(w, 'shut'), 0o555);
    chmodSync(join(w, 'locked'), 0o444);
    chmodSync(join(w, 'closed'), 0);
    chmodSync(join(w, 'blind'), 0);
    try {
      assert.match(refusedBy(await put(files, 'shut/f', 'y')), /no permission/);
      assert.match(refusedBy(await put(files, 'shut/new', 'y')), /no permission/);
      assert.match(refusedBy(await put(files, 'shut/new/deep', 'y')), /no permission/);
      assert.match(refusedBy(await put(files, 'locked', 'y')), /read-only \(mode 444\)/);
      assert.match(refusedBy(await files.read(join(w, 'closed'))), /no permission/);
      assert.match(refusedBy(await files.resolve('blind/f', 'read')), /may not be entered/);
      assert.deepEqual(readdirSync(join(w, 'shut')), ['f']);
      assert.deepEqual([readFileSync(join(w, 'shut/f'), 'utf8'), readFileSync(join(w, 'locked'), 'utf8')], ['x', 'x']);
    } finally {
      for (const name of ['shut', 'blind']) chmodSync(join(w, name), 0o755);
    }
  });

  test('any bytes over any bytes', async (t) => {
    const { w, files } = makeFiles(t);
    let expected: string | null = null;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (content) => {
        const bytes = Buffer.from(content);
        const hash = await files.write(join(w, 'f'), bytes, expected);
        assert.equal(hash, sha256(bytes));
        expected = hash;
        assert.deepEqual(readFileSync(join(w, 'f')), bytes);
      }),
      { numRuns: 30 },
    );
    assert.deepEqual(readdirSync(w), ['f']);
    assert.equal(existsSync(join(w, 'f')), true);
  });
});

describe('removing', () => {
  test('only a file that is what the caller knows', async (t) => {
    const { w, files } = makeFiles(t, { f: 'one', 'dir/g': 'x', '.git/config': 'c' });
    const f = join(w, 'f');
    assert.match(refusedBy(await files.remove(f, sha256('two'))), /content has changed meanwhile/);
    assert.equal(readFileSync(f, 'utf8'), 'one');
    assert.equal(await files.remove(f, sha256('one')), null);
    assert.match(refusedBy(await files.remove(f, sha256('one'))), /gone by now/);
    assert.match(refusedBy(await files.remove(join(w, 'none/f'), sha256('one'))), /gone by now/);
    assert.match(refusedBy(await files.remove(join(w, 'dir'), sha256(''))), /a folder/);
    assert.match(refusedBy(await files.remove(w, sha256(''))), /workspace itself/);
    assert.match(refusedBy(await files.remove(join(w, '.git/config'), sha256('c'))), /git commands/);
    assert.deepEqual(readdirSync(w).toSorted(), ['.git', 'dir']);
  });

  test('nothing outside, and no link or pipe that took a file’s place', async (t) => {
    const { w, outside, files } = makeFiles(t, { f: 'secret', 'dir/f': 'secret' });
    assert.match(refusedBy(await files.remove(join(outside, 'secret'), sha256('secret'))), /outside/);
    renameSync(join(w, 'f'), join(w, 'g'));
    symlinkSync(join(outside, 'secret'), join(w, 'f'));
    assert.match(refusedBy(await files.remove(join(w, 'f'), sha256('secret'))), /has become a link/);
    execFileSync('mkfifo', [join(w, 'pipe')]);
    assert.match(refusedBy(await files.remove(join(w, 'pipe'), sha256(''))), /a pipe/);
    renameSync(join(w, 'dir'), join(w, 'old'));
    symlinkSync(outside, join(w, 'dir'));
    refusedBy(await files.remove(join(w, 'dir/secret'), sha256('secret')));
    assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
    assert.deepEqual(readdirSync(w).toSorted(), ['dir', 'f', 'g', 'old', 'pipe']);
  });

  test('one name of several: the others stay', async (t) => {
    const { w, files } = makeFiles(t, { f: 'one' });
    linkSync(join(w, 'f'), join(w, 'same'));
    assert.equal(await files.remove(join(w, 'f'), sha256('one')), null);
    assert.equal(readFileSync(join(w, 'same'), 'utf8'), 'one');
  });
});

describe('special bits, names and places', () => {
  test('a file keeps every bit of its mode, as an empty one too', async (t) => {
    const { w, files } = makeFiles(t, { f: 'x' });
    for (const mode of [0o600, 0o644, 0o777, 0o640, 0o2755, 0o1700]) {
      chmodSync(join(w, 'f'), mode);
      await put(files, 'f', `${mode}`);
      await put(files, 'f', '');
      assert.equal(statSync(join(w, 'f')).mode & 0o7777, mode, mode.toString(8));
    }
  });

  test('names of any bytes that a name may have', async (t) => {
    const { w, files } = makeFiles(t);
    for (const name of [
      'a\nb',
      '-rf',
      '__proto__',
      'é\u0301',
      '\u202e',
      ' ',
      '...',
      'x'.repeat(200),
      '.reins-1-f.tmp',
    ]) {
      assert.equal(await put(files, name, 'one'), sha256('one'), name);
      assert.equal(await put(files, name, 'two'), sha256('two'), name);
      assert.equal(readFileSync(join(w, name), 'utf8'), 'two');
    }
    assert.equal(readdirSync(w).length, 9);
  });

  test('a file that is replaced while it is read is read whole', async (t) => {
    const { w, files } = makeFiles(t, { f: 'a'.repeat(100_000) });
    const progress = { isDone: false };
    const replacing = (async () => {
      for (let round = 0; round < 100; round++) await put(files, 'f', 'abc'.charAt(round % 3).repeat(100_000));
      progress.isDone = true;
    })();
    let looks = 0;
    while (!progress.isDone) {
      const state = await files.read(join(w, 'f'));
      assert.ok(state !== null && !('refused' in state), JSON.stringify(state));
      assert.equal(new Set(state.bytes).size, 1);
      looks += 1;
    }
    await replacing;
    assert.ok(looks > 10);
  });
});
