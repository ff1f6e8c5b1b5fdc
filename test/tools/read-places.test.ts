import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createFiles } from '../../src/exec/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import type { Files, ToolContext } from '../../src/tools/index.ts';
import { toolSession } from './session.ts';

describe('read: folders', () => {
  test('a folder is listed: folders with a slash, links with their target, sizes, hidden ones too', async () => {
    await using session = await toolSession({
      files: {
        'src/b.ts': 'x'.repeat(1234),
        'src/a.ts': '1',
        'src/.hidden': '',
        'src/deep/c.ts': '',
        'src/link': { link: 'a.ts' },
        'src/lost': { link: '/nowhere/at/all' },
      },
    });
    const result = await session.call('read', { path: 'src' });
    assert.equal(result.outcome, 'ok');
    assert.equal(
      result.text,
      `src is a folder; in it:
.hidden  0 bytes
a.ts  1 byte
b.ts  1,234 bytes
deep/
link -> a.ts
lost -> /nowhere/at/all`,
    );
    assert.equal(result.facts, undefined);
    assert.match((await session.call('read', { path: '.' })).text, /^\. is a folder; in it:\nsrc\/$/);
    assert.match((await session.call('read', { path: 'src/deep/' })).text, /^src\/deep is a folder; in it:\nc\.ts/);
  });

  test('200 names are shown, of more their number', async () => {
    const names = (from: number, to: number) =>
      Object.fromEntries(
        Array.from({ length: to - from }, (_, index) => [`n${String(from + index).padStart(3, '0')}`, '']),
      );
    await using session = await toolSession({ files: names(0, 200) });
    const all = await session.call('read', { path: '.' });
    assert.match(all.text, /\nn199 {2}0 bytes$/);
    await session.workspace.write('n200', '');
    await session.workspace.write('n201', '');
    const more = await session.call('read', { path: '.' });
    assert.match(
      more.text,
      /\nn199 {2}0 bytes\n\[2 more names\. List them with a command, or read a folder in it\.\]$/,
    );
  });

  test('an empty one is said to be', async () => {
    await using session = await toolSession();
    await mkdir(join(session.workspace.path, 'none'));
    assert.equal((await session.call('read', { path: 'none' })).text, 'none is a folder, and nothing is in it.');
  });

  test('odd names are harmless', async () => {
    await using session = await toolSession({
      files: { 'line\nbreak': '', 'tab\there': '', 'esc\x1b[31m': '', ['__proto__']: { link: 'x\ny' } },
    });
    const path = Buffer.concat([Buffer.from(`${session.workspace.path}/`), Buffer.from([0x66, 0xff, 0x6e])]);
    await writeFile(path, 'x');
    const { text } = await session.call('read', { path: '.' });
    assert.equal(
      text,
      `. is a folder; in it:
__proto__ -> x\u240ay
esc\u241b[31m  0 bytes
f\ufffdn
line\u240abreak  0 bytes
tab\u2409here  0 bytes`,
    );
  });

  test('other things in it are named for what they are', async () => {
    await using session = await toolSession();
    execFileSync('mkfifo', [join(session.workspace.path, 'pipe')]);
    const server = createServer().listen(join(session.workspace.path, 'socket'));
    try {
      assert.equal(
        (await session.call('read', { path: '.' })).text,
        '. is a folder; in it:\npipe  (pipe)\nsocket  (socket)',
      );
    } finally {
      server.close();
    }
  });
});

describe('read: binary files', () => {
  test('binary is described with its size, beginning and a way to look into it, and can’t be edited', async () => {
    await using session = await toolSession({ files: { data: Buffer.from('00010203', 'hex') } });
    const result = await session.call('read', { path: 'data' });
    assert.equal(result.outcome, 'ok');
    assert.equal(
      result.text,
      'data is binary: 4 bytes, beginning with 00 01 02 03. It isn’t shown and can’t be edited as text. Look into it with a command, such as file, strings or xxd.',
    );
    const edit = await session.call('edit', { path: 'data', old: 'x', new: 'y' });
    assert.equal(edit.outcome, 'error');
    assert.equal(session.seen.size, 0);
  });

  test('the kind is told where the beginning tells it', async () => {
    const tar = Buffer.alloc(1024);
    tar.write('ustar', 257);
    const kinds: [string, Buffer, RegExp][] = [
      ['gzip', gzipSync('text'), /probably gzip data\. .*such as zcat/],
      ['zip', Buffer.from('PK\x03\x04\0\0', 'latin1'), /a ZIP archive/],
      ['elf', Buffer.from('\x7fELF\x02\x01\0', 'latin1'), /an ELF program/],
      ['sqlite', Buffer.from('SQLite format 3\0'), /an SQLite database/],
      ['tar', tar, /a tar archive/],
      ['bmp', Buffer.from('BM\x01\x02\x03\x04\0\0\0\0', 'latin1'), /a BMP image/],
      ['heic', Buffer.from('\0\0\0\x18ftypheic\0', 'latin1'), /a HEIF or AVIF image/],
      ['mp4', Buffer.from('\0\0\0\x18ftypisom\0', 'latin1'), /an MP4 or QuickTime film/],
    ];
    await using session = await toolSession({ files: Object.fromEntries(kinds.map(([name, bytes]) => [name, bytes])) });
    for (const [path, , expected] of kinds) assert.match((await session.call('read', { path })).text, expected);
  });
});

/** Fails where reading blocks: nothing here may take long. */
const soon = { timeout: 20_000 };

describe('read: what isn’t a plain file', () => {
  test('a pipe and a socket are refused by name, without waiting for anyone', soon, async () => {
    await using session = await toolSession();
    execFileSync('mkfifo', [join(session.workspace.path, 'pipe')]);
    await symlink('pipe', join(session.workspace.path, 'link'));
    const server = createServer().listen(join(session.workspace.path, 'socket'));
    try {
      for (const [path, expected] of [
        ['pipe', 'pipe: it is a pipe, not a file.'],
        ['link', 'pipe: it is a pipe, not a file.'],
        ['socket', 'socket: it is a socket, not a file.'],
      ] as const) {
        const result = await session.call('read', { path });
        assert.deepEqual([result.outcome, result.text], ['error', expected]);
      }
    } finally {
      server.close();
    }
  });

  test(
    'a device is never opened: by a link it is outside, of the workspace itself it is refused',
    soon,
    async (test) => {
      await using session = await toolSession({ files: { zero: { link: '/dev/zero' } } });
      assert.equal((await session.call('read', { path: 'zero' })).outcome, 'denied');
      try {
        execFileSync('mknod', [join(session.workspace.path, 'node'), 'c', '1', '5'], { stdio: 'ignore' });
      } catch {
        return test.diagnostic('no device can be made here');
      }
      assert.equal((await session.call('read', { path: 'node' })).text, 'node: it is a device, not a file.');
    },
  );

  test('a file of 10 GB is refused with a way out, before it is read', soon, async () => {
    await using session = await toolSession({
      files: { large: '', 'large.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') },
    });
    for (const path of ['large', 'large.png']) {
      await truncate(join(session.workspace.path, path), 10 * 1024 ** 3);
      const result = await session.call('read', { path });
      assert.equal(result.outcome, 'error');
      assert.match(result.text, /it has more than 256 MB; look at parts of it with a command \(head, tail, grep\)/);
    }
  });

  test('a file that grows while it is read gives what was there', soon, async () => {
    await using session = await toolSession({ files: { 'a.log': 'line\n'.repeat(1000) } });
    const path = join(session.workspace.path, 'a.log');
    const grow = async () => {
      for (let times = 0; times < 50; times++) await writeFile(path, 'more\n', { flag: 'a' });
    };
    const [, ...results] = await Promise.all([grow(), session.call('read', { path: 'a.log' })]);
    results.push(await session.call('read', { path: 'a.log' }));
    for (const { outcome, text } of results) {
      assert.equal(outcome, 'ok');
      assert.match(text, /^1\tline\n/);
    }
  });

  test('a file of the system that says it has no bytes is read for what it has', soon, async (test) => {
    if (process.platform !== 'linux') return test.skip('there is no /proc');
    const workspace = `/proc/${process.pid}`;
    const context: Partial<ToolContext> = { files: createFiles({ workspace }), signal: new AbortController().signal };
    const result = await readTool.execute({ path: 'status' }, context as ToolContext);
    assert.match(typeof result === 'string' ? result : result.text, /^1\tName:\t/);
  });

  test('a file that may not be read says so', soon, async () => {
    const refused = 'there is no permission for it';
    const wrap = (files: Files): Files => ({ ...files, read: () => Promise.resolve({ refused }) });
    await using session = await toolSession({ files: { secret: 'x' }, wrap });
    const result = await session.call('read', { path: 'secret' });
    assert.deepEqual([result.outcome, result.text], ['error', 'secret: there is no permission for it.']);
  });

  test('a folder that is swapped for another is not followed', soon, async () => {
    await using session = await toolSession({ files: { 'a/x': '1', 'b/y': '2' } });
    const { path } = session.workspace;
    await rename(join(path, 'a'), join(path, 'c'));
    await symlink('b', join(path, 'a'));
    assert.match((await session.call('read', { path: 'a' })).text, /^b is a folder; in it:\ny/);
  });
});
