import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { bringBack, filesOf, inShort, openStore, treeOf, undoing, write } from './checkpoints-bench.ts';
import { makeFolder } from './workbench.ts';

const isRoot = process.getuid?.() === 0;

/** A workspace with all that a file system can hold. */
function oddWorkspace(t: TestContext): string {
  const root = makeFolder(t);
  write(root, 'plain.txt', 'one\ntwo\n');
  write(root, 'windows.txt', 'one\r\ntwo\r\n');
  write(root, 'bytes.bin', Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 256)));
  write(root, 'empty', '');
  write(root, 'run.sh', '#!/bin/sh\n', 0o755);
  write(root, 'private', 'secret\n');
  chmodSync(join(root, 'private'), 0o600);
  write(root, 'odd-mode', 'x');
  chmodSync(join(root, 'odd-mode'), 0o1751);
  write(root, '__proto__', 'a name like any other');
  write(root, 'constructor/prototype', 'another');
  write(root, '"quoted" \\ name\n.txt', 'line break');
  write(root, 'näme-✓.txt', 'text');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff, 0xfe, 0x2e])]), 'no text');
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xe9])]));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xe9]), Buffer.from('/inside')]), 'below');
  mkdirSync(join(root, 'empty-folder/inside'), { recursive: true });
  chmodSync(join(root, 'empty-folder/inside'), 0o700);
  mkdirSync(join(root, 'deep/er/and/deeper'), { recursive: true });
  write(root, 'deep/er/and/deeper/file', 'far down');
  symlinkSync('plain.txt', join(root, 'link'));
  symlinkSync('/etc', join(root, 'link-outside'));
  symlinkSync('deep', join(root, 'link-to-folder'));
  symlinkSync('missing', join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  return root;
}

describe('a snapshot', () => {
  test('is the same one as long as nothing differs, and another one as soon as a byte does', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'one\n', 'dir/b.txt': 'two\n' });
    const store = openStore(t, root);
    assert.equal(store.latest(), undefined);
    const first = await store.take();
    assert.deepEqual([first.partial, first.missing, first.more, first.session], [false, [], 0, 'first']);
    assert.equal((await store.take()).id, first.id);
    const { atime, mtime } = statSync(join(root, 'a.txt'));
    writeFileSync(join(root, 'a.txt'), 'two\n');
    // Neither the size nor the time of the last change tells.
    utimesSync(join(root, 'a.txt'), atime, mtime);
    const second = await store.take();
    assert.notEqual(second.id, first.id);
    assert.equal(store.latest()?.id, second.id);
    assert.deepEqual(inShort(await store.compare(first.id, second.id)), ['a.txt: file -> file']);
    assert.deepEqual(await store.compare(second.id, second.id), []);
    assert.equal((await store.content(first.id, 'a.txt'))?.toString(), 'one\n');
    assert.equal((await store.content(second.id, join(root, 'a.txt')))?.toString(), 'two\n');
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      [first.id, second.id],
    );
    assert.deepEqual(await store.find(first.id), first);
    assert.equal(await store.find('unheard-of'), undefined);
    await assert.rejects(store.compare('unheard-of', first.id), { code: 'blob-missing' });
  });

  test('says what was at a path: kind, all permission bits, size and whether it can be brought back', async (t) => {
    const root = oddWorkspace(t);
    const store = openStore(t, root);
    const { id } = await store.take();
    const { hash, ...entry } = (await store.entry(id, 'odd-mode'))!;
    assert.deepEqual(entry, { kind: 'file', mode: 0o1751, size: 1, kept: true });
    assert.match(hash ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(await store.entry(id, 'empty-folder/inside'), { kind: 'folder', mode: 0o700, kept: true });
    assert.equal((await store.entry(id, 'link-outside'))?.kind, 'link');
    assert.equal((await store.content(id, 'link-outside'))?.toString(), '/etc');
    assert.equal(await store.entry(id, 'link-outside/passwd'), null);
    assert.equal(await store.entry(id, '../outside'), null);
    assert.equal(await store.content(id, 'empty-folder'), null);
    assert.equal(await store.content(id, 'missing'), null);
    assert.equal((await store.content(id, '"b\\377\\376."'))?.toString(), 'no text');
    assert.equal((await store.content(id, '__proto__'))?.toString(), 'a name like any other');
  });

  test('brings everything back, byte for byte and bit for bit, after all was removed', async (t) => {
    const root = oddWorkspace(t);
    const store = openStore(t, root);
    const before = treeOf(root);
    const { id } = await store.take();
    for (const name of readdirSync(root, 'buffer'))
      rmSync(Buffer.concat([Buffer.from(`${root}/`), name]), { recursive: true });
    const gone = await store.take();
    assert.equal((await store.compare(id, gone.id)).length, before.size);
    assert.deepEqual(await bringBack(store, id, gone.id), []);
    assert.deepEqual(treeOf(root), before);
    const back = await store.take();
    assert.deepEqual(await store.compare(id, back.id), []);
    // And that can be taken back itself.
    assert.deepEqual(await bringBack(store, gone.id, back.id), []);
    assert.deepEqual(readdirSync(root), []);
  });

  test('names special files and passes over them without waiting', async (t) => {
    const root = makeFolder(t, { 'a.txt': '' });
    spawnSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    t.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const store = openStore(t, root);
    const { missing, id } = await store.take();
    assert.deepEqual(missing, [
      { path: 'pipe', why: 'it is a pipe' },
      { path: 'socket', why: 'it is a socket' },
    ]);
    assert.equal(await store.entry(id, 'pipe'), null);
    rmSync(join(root, 'pipe'));
    write(root, 'pipe', 'a file by now');
    const second = await store.take();
    assert.deepEqual(
      second.missing.map(({ path }) => path),
      ['socket'],
    );
    assert.equal((await store.content(second.id, 'pipe'))?.toString(), 'a file by now');
  });

  test(
    'names what may not be read, and takes it as soon as it may',
    { skip: isRoot && 'root may read everything' },
    async (t) => {
      const root = makeFolder(t, { 'closed/in.txt': 'x', 'secret.txt': 'y', 'open.txt': 'z' });
      chmodSync(join(root, 'secret.txt'), 0);
      chmodSync(join(root, 'closed'), 0);
      const store = openStore(t, root);
      const first = await store.take();
      assert.deepEqual(first.missing, [
        { path: 'closed', why: 'there is no permission for it' },
        { path: 'secret.txt', why: 'there is no permission for it' },
      ]);
      assert.equal((await store.entry(first.id, 'secret.txt'))?.kept, false);
      assert.equal((await store.take()).id, first.id);
      chmodSync(join(root, 'secret.txt'), 0o600);
      chmodSync(join(root, 'closed'), 0o700);
      const second = await store.take();
      assert.deepEqual(second.missing, []);
      assert.equal((await store.content(second.id, 'secret.txt'))?.toString(), 'y');
      assert.equal((await store.content(second.id, 'closed/in.txt'))?.toString(), 'x');
      // What was in there before isn't known, so it isn't told as new.
      assert.deepEqual(inShort(await store.compare(first.id, second.id)), [
        'closed: folder -> folder',
        'secret.txt: file -> file',
      ]);
    },
  );

  test('keeps what fits, names the rest, and tells when that changes', async (t) => {
    const root = makeFolder(t, {
      'large.bin': 'x'.repeat(1001),
      'fits.bin': 'x'.repeat(1000),
      'z-more.bin': 'y'.repeat(900),
    });
    const store = openStore(t, root, { limits: { work: { each: 1000, all: 1500 } } });
    const first = await store.take();
    assert.deepEqual(first.missing, [
      { path: 'large.bin', why: 'larger than 1000 bytes' },
      { path: 'z-more.bin', why: 'more than 1.5 KiB in all' },
    ]);
    const entry = await store.entry(first.id, 'large.bin');
    assert.deepEqual([entry?.kind, entry?.kept, await store.content(first.id, 'large.bin')], ['file', false, null]);
    writeFileSync(join(root, 'large.bin'), 'z'.repeat(1001));
    const second = await store.take();
    const differences = await store.compare(first.id, second.id);
    assert.deepEqual(inShort(differences), ['large.bin: file -> file']);
    assert.deepEqual(await store.restore(undoing(differences)), [
      { path: 'large.bin', refused: 'its content was not kept' },
    ]);
    // It fits as soon as there is room.
    rmSync(join(root, 'fits.bin'));
    const third = await store.take();
    assert.deepEqual(
      third.missing.map(({ path }) => path),
      ['large.bin'],
    );
    assert.equal((await store.content(third.id, 'z-more.bin'))?.length, 900);
  });

  test('gives what was read of files that change all the time', async (t) => {
    const root = makeFolder(t, { 'steady.txt': 'steady' });
    const script = `const fs = require('node:fs'); const grow = '${root}/grow'; const turn = '${root}/turn';
      for (let i = 0; ; i++) {
        fs.appendFileSync(grow, 'x'.repeat(997));
        fs.writeFileSync(turn, String(i).repeat(i % 1000));
        fs.writeFileSync(turn + '2', String(i)); fs.renameSync(turn + '2', turn + '3');
        fs.mkdirSync('${root}/come/and', { recursive: true }); fs.rmSync('${root}/come', { recursive: true });
        if (i % 10_000 === 9_999) fs.truncateSync(grow);
      }`;
    const writer = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    t.after(() => writer.kill('SIGKILL'));
    const store = openStore(t, root);
    const ids = new Set<string>();
    while (ids.size < 40) ids.add((await store.take()).id);
    writer.kill('SIGKILL');
    await new Promise((resolve) => writer.once('close', resolve));
    assert.deepEqual((await store.verify()).damaged, []);
    const last = await store.take();
    assert.equal((await store.content(last.id, 'steady.txt'))?.toString(), 'steady');
    assert.ok((await store.content(last.id, 'grow'))?.equals(readFileSync(join(root, 'grow'))));
  });

  test('holds files that are too large for the memory they get, and brings them back', async (t) => {
    const root = makeFolder(t);
    const piece = Buffer.alloc(1024 * 1024, 'abcdefg');
    write(
      root,
      'large.txt',
      Buffer.concat(Array.from({ length: 9 }, (_, at) => Buffer.concat([piece, Buffer.from([at])]))),
    );
    write(root, 'hole', '');
    truncateSync(join(root, 'hole'), 40 * 1024 * 1024);
    const before = treeOf(root);
    const store = openStore(t, root);
    const first = await store.take();
    truncateSync(join(root, 'large.txt'), 100);
    rmSync(join(root, 'hole'));
    const second = await store.take();
    assert.deepEqual(await bringBack(store, first.id, second.id), []);
    assert.deepEqual(treeOf(root), before);
    assert.deepEqual((await store.verify()).damaged, []);
  });
});

describe('a snapshot of some paths', () => {
  test('looks at nothing else', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c', 'dir/d.txt': 'd' });
    const store = openStore(t, root);
    const first = await store.take();
    for (const path of ['a.txt', 'b.txt', 'dir/c.txt', 'dir/new/e.txt']) write(root, path, 'changed');
    const second = await store.take({ paths: ['a.txt', join(root, 'dir/new/e.txt'), 'never/there'] });
    const seen = ['a.txt: file -> file', 'dir/new: nothing -> folder', 'dir/new/e.txt: nothing -> file'];
    assert.deepEqual(inShort(await store.compare(first.id, second.id)), seen);
    assert.equal((await store.take({ paths: ['a.txt'] })).id, second.id);
    // Outside there is nothing to be looked at.
    assert.equal((await store.take({ paths: ['../b.txt', '/etc/passwd', join(root, '..')] })).id, second.id);
    const third = await store.take({ paths: ['dir'] });
    assert.deepEqual(inShort(await store.compare(second.id, third.id)), ['dir/c.txt: file -> file']);
    const all = await store.take();
    assert.deepEqual(inShort(await store.compare(third.id, all.id)), ['b.txt: file -> file']);
    rmSync(join(root, 'dir'), { recursive: true });
    const gone = await store.take({ paths: ['dir/c.txt'] });
    assert.deepEqual(inShort(await store.compare(all.id, gone.id)), [
      'dir: folder -> nothing',
      ...['dir/c.txt', 'dir/d.txt'].map((path) => `${path}: file -> nothing`),
      'dir/new: folder -> nothing',
      'dir/new/e.txt: file -> nothing',
    ]);
    assert.equal((await store.take()).id, gone.id);
  });

  test('follows links that lead elsewhere in the workspace, to what they lead to', async (t) => {
    const root = makeFolder(t, { 'real/a.txt': 'a', 'b.txt': 'b' });
    symlinkSync('real', join(root, 'way'));
    symlinkSync('b.txt', join(root, 'link'));
    const store = openStore(t, root);
    const before = await store.take();
    for (const path of ['way/a.txt', 'way/new.txt', 'link']) writeFileSync(join(root, path), 'agent');
    const after = await store.take({ paths: ['way/a.txt', join(root, 'way/new.txt'), 'link'] });
    const seen = ['b.txt: file -> file', 'real/a.txt: file -> file', 'real/new.txt: nothing -> file'];
    assert.deepEqual(inShort(await store.compare(before.id, after.id)), seen);
    assert.equal((await store.take()).id, after.id);
    // A workspace that is named by a link is the one that it leads to.
    const named = join(makeFolder(t), 'named');
    symlinkSync(root, named);
    const other = openStore(t, named);
    const { id } = await other.take();
    assert.equal((await other.content(id, 'b.txt'))?.toString(), 'agent');
    assert.equal((await other.content(id, join(root, 'b.txt')))?.toString(), 'agent');
  });

  test('begins with a look at everything', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'a', 'b.txt': 'b' });
    const store = openStore(t, root);
    const first = await store.take({ paths: ['a.txt'] });
    assert.deepEqual([first.partial, (await store.content(first.id, 'b.txt'))?.toString()], [false, 'b']);
    assert.equal((await store.take()).id, first.id);
  });

  test('is shared by those who ask at once', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'a', 'b.txt': 'b' });
    const store = openStore(t, root);
    const both = await Promise.all([store.take(), store.take(), store.take({ paths: ['a.txt'] }), store.take()]);
    assert.equal(new Set(both.map(({ id }) => id)).size, 1);
  });
});

describe('putting paths back', () => {
  test('touches only what is still as it was left', async (t) => {
    const root = makeFolder(t, {
      'mine.txt': 'old',
      'both.txt': 'old',
      'gone.txt': 'old',
      'mode.sh': 'x',
      'same.txt': 'old',
    });
    const store = openStore(t, root);
    const before = await store.take();
    for (const path of ['mine.txt', 'both.txt', 'same.txt', 'made.txt', 'made-too.txt', 'folder/a.txt'])
      write(root, path, 'agent');
    chmodSync(join(root, 'mode.sh'), 0o755);
    rmSync(join(root, 'gone.txt'));
    const after = await store.take();
    write(root, 'both.txt', 'somebody else');
    write(root, 'made-too.txt', 'somebody else');
    write(root, 'folder/b.txt', 'somebody else');
    write(root, 'gone.txt', 'somebody else');
    write(root, 'same.txt', 'old');
    const outcomes = await store.restore(undoing(await store.compare(before.id, after.id)));
    assert.deepEqual(outcomes, [
      { path: 'both.txt', refused: 'its content has changed meanwhile' },
      { path: 'folder', refused: 'it holds something else by now' },
      { path: 'folder/a.txt', done: true },
      { path: 'gone.txt', refused: 'it exists by now' },
      { path: 'made-too.txt', refused: 'its content has changed meanwhile' },
      { path: 'made.txt', done: true },
      { path: 'mine.txt', done: true },
      { path: 'mode.sh', done: true },
      { path: 'same.txt', done: true },
    ]);
    assert.equal(readFileSync(join(root, 'mine.txt'), 'utf8'), 'old');
    assert.equal(readFileSync(join(root, 'both.txt'), 'utf8'), 'somebody else');
    assert.equal(readFileSync(join(root, 'folder/b.txt'), 'utf8'), 'somebody else');
    assert.equal(statSync(join(root, 'mode.sh')).mode & 0o777, 0o644);
    assert.deepEqual(
      ['made.txt', 'folder/a.txt'].map((path) => existsSync(join(root, path))),
      [false, false],
    );
  });

  test('turns files, folders and links into each other', async (t) => {
    const root = makeFolder(t, {
      'file-to-folder': 'x',
      'folder-to-file/in/side': 'y',
      'file-to-link': 'z',
      'folder-to-link/a': 'a',
    });
    symlinkSync('elsewhere', join(root, 'link-to-file'));
    symlinkSync('/etc', join(root, 'link-to-folder'));
    symlinkSync('here', join(root, 'link-to-link'));
    const start = treeOf(root);
    const store = openStore(t, root);
    const before = await store.take();
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    write(root, 'file-to-folder/in/side', 'X');
    write(root, 'folder-to-file', 'Y');
    symlinkSync('file', join(root, 'file-to-link'));
    symlinkSync('/tmp', join(root, 'folder-to-link'));
    write(root, 'link-to-file', 'Z');
    write(root, 'link-to-folder/passwd', 'none');
    symlinkSync('there', join(root, 'link-to-link'));
    const middle = treeOf(root);
    const after = await store.take();
    assert.deepEqual(await bringBack(store, before.id, after.id), []);
    assert.deepEqual(treeOf(root), start);
    assert.deepEqual(await bringBack(store, after.id, before.id), []);
    assert.deepEqual(treeOf(root), middle);
  });

  test('sets the modes of folders last, so that closed ones are filled', async (t) => {
    const root = makeFolder(t, { 'closed/a.txt': 'a', 'closed/in/b.txt': 'b' });
    for (const path of ['closed/in', 'closed']) chmodSync(join(root, path), 0o555);
    const start = treeOf(root);
    const store = openStore(t, root);
    const before = await store.take();
    for (const path of ['closed', 'closed/in']) chmodSync(join(root, path), 0o755);
    rmSync(join(root, 'closed'), { recursive: true });
    const after = await store.take();
    assert.deepEqual(await bringBack(store, before.id, after.id), []);
    assert.deepEqual(treeOf(root), start);
    chmodSync(join(root, 'closed'), 0o750);
    const opened = await store.take();
    const differences = await store.compare(before.id, opened.id);
    assert.deepEqual(inShort(differences), ['closed: folder -> folder']);
    chmodSync(join(root, 'closed'), 0o700);
    assert.deepEqual(await store.restore(undoing(differences)), [
      { path: 'closed', refused: 'its mode has changed meanwhile' },
    ]);
    chmodSync(join(root, 'closed/in'), 0o755);
  });

  test('takes the outcome of a merge instead of what was kept', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'one\n' });
    const store = openStore(t, root);
    const before = await store.take();
    write(root, 'a.txt', 'two\n');
    const after = await store.take();
    const [difference] = await store.compare(before.id, after.id);
    const target = { ...undoing([difference!])[0]!, content: Buffer.from('merged\n') };
    assert.deepEqual(await store.restore([target]), [{ path: 'a.txt', done: true }]);
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'merged\n');
    assert.deepEqual(await store.restore([target]), [{ path: 'a.txt', refused: 'its content has changed meanwhile' }]);
  });

  test('leads nowhere else, whatever a folder on the way has become', async (t) => {
    const root = makeFolder(t, { 'dir/a.txt': 'old', 'dir/sub/b.txt': 'old' });
    const outside = makeFolder(t, { 'a.txt': 'agent', 'sub/b.txt': 'agent' });
    const start = treeOf(outside);
    const store = openStore(t, root);
    const before = await store.take();
    for (const path of ['dir/a.txt', 'dir/sub/b.txt']) write(root, path, 'agent');
    const after = await store.take();
    const targets = undoing(await store.compare(before.id, after.id));
    renameSync(join(root, 'dir'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'dir'));
    const refused = 'something on the way to it is no folder';
    assert.deepEqual(
      await store.restore(targets),
      targets.map(({ path }) => ({ path, refused })),
    );
    assert.deepEqual(treeOf(outside), start);
    const elsewhere = ['../a.txt', outside, '.git/config', 'dir/.git/hooks/x', '.'].map((path) => ({
      path,
      entry: null,
      expected: null,
    }));
    assert.deepEqual(
      (await store.restore(elsewhere)).map((outcome) => ('refused' in outcome ? outcome.refused : 'done')),
      [
        'it lies outside of the workspace',
        'it lies outside of the workspace',
        'it is Git’s own data',
        'it is Git’s own data',
        'it is the workspace itself',
      ],
    );
    // A snapshot doesn't follow it either.
    const linked = await store.take();
    assert.equal((await store.entry(linked.id, 'dir'))?.kind, 'link');
    assert.equal(await store.entry(linked.id, 'dir/a.txt'), null);
  });

  test('leaves other names of a file alone, and no temporary file behind', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'old' });
    const store = openStore(t, root);
    const before = await store.take();
    write(root, 'a.txt', 'agent');
    const other = join(makeFolder(t), 'other');
    spawnSync('ln', [join(root, 'a.txt'), other]);
    const after = await store.take();
    // One that was killed in the middle has left this; a living one holds that.
    write(root, `.reins-${2 ** 22 + 1}-0123456789abcdef.tmp`, 'left');
    write(root, `.reins-${process.pid}-0123456789abcdef.tmp`, 'held');
    assert.equal((await store.take()).id, after.id);
    assert.deepEqual(await bringBack(store, before.id, after.id), []);
    assert.equal(readFileSync(other, 'utf8'), 'agent');
    assert.deepEqual(readdirSync(root).toSorted(), [`.reins-${process.pid}-0123456789abcdef.tmp`, 'a.txt']);
    assert.equal(lstatSync(join(root, 'a.txt')).nlink, 1);
    assert.deepEqual([...filesOf(root).keys()].length, 2);
  });
});
