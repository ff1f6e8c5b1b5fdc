import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createReadTool } from '../../src/tools/builtin/read/index.ts';
import { tagOf } from '../../src/tools/edits/index.ts';
import { toolSession } from './session.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n') + '\n';

describe('read', () => {
  test('shows lines with their numbers and nothing else where all of it is plain', async () => {
    await using session = await toolSession({ files: { 'a.txt': 'one\n\n\tthree\n' } });
    const result = await session.call('read', { path: 'a.txt' });
    assert.equal(result.outcome, 'ok');
    assert.equal(result.text, '1\tone\n2\t\n3\t\tthree');
    assert.equal(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
  });

  test('a window says what is left and how to go on, to the end', async () => {
    await using session = await toolSession({ files: { 'a.txt': lines(1, 2001) } });
    const first = await session.call('read', { path: 'a.txt' });
    assert.match(first.text, /^1\tline 1\n/);
    assert.match(first.text, /\n2000\tline 2000\n\[Lines 1-2000 of 2001\. Go on with offset 2001\.\]$/);
    const second = await session.call('read', { path: 'a.txt', offset: 2001 });
    assert.equal(second.text, '2001\tline 2001\n[Lines 2001-2001 of 2001. This is the end.]');
    const window = await session.call('read', { path: 'a.txt', offset: 7, limit: 2 });
    assert.equal(window.text, '7\tline 7\n8\tline 8\n[Lines 7-8 of 2001. Go on with offset 9.]');
    const beyond = await session.call('read', { path: 'a.txt', offset: 2002 });
    assert.equal(beyond.outcome, 'error');
    assert.match(beyond.text, /only 2,001 lines/);
  });

  test('exactly 2,000 lines need no word about more', async () => {
    await using session = await toolSession({ files: { 'a.txt': lines(1, 2000) } });
    const result = await session.call('read', { path: 'a.txt' });
    assert.match(result.text, /\n2000\tline 2000$/);
  });

  test('long lines are cut with their length and a way to see the rest, from 2,001 characters on', async () => {
    const content = `${'x'.repeat(2000)}\n${'y'.repeat(2001)}\n${'z'.repeat(3000)}\n`;
    await using session = await toolSession({ files: { "it's.txt": content } });
    const result = await session.call('read', { path: "it's.txt" });
    assert.equal(
      result.text,
      `1\t${'x'.repeat(2000)}
2\t${'y'.repeat(2000)} [... 1 more character in this line]
3\t${'z'.repeat(2000)} [... 1,000 more characters in this line]
[Line 2 has 2,001 characters. See its rest with a command: sed -n 2p 'it'\\''s.txt' | cut -c2001-]`,
    );
    const [, command] = /command: (.*)\]$/.exec(result.text) ?? [];
    assert.match((await session.call('shell', { command: command! })).text, /^y\n/);
    assert.deepEqual(result.facts?.['read'], {
      path: `${session.workspace.path}/it's.txt`,
      hash: createHash('sha256').update(content).digest('hex'),
      from: 1,
      to: 3,
      of: 3,
      cut: true,
    });
  });

  test('a line is cut by its own length, not by that of its spelling', async () => {
    await using session = await toolSession({
      files: { 'a.txt': `${'\x01'.repeat(20)}${'\x7f'.repeat(10)}${'w'.repeat(1970)}\n` },
    });
    const result = await session.call('read', { path: 'a.txt' });
    assert.doesNotMatch(result.text, /more character/);
    await using spelled = await toolSession({ files: { 'a.txt': Buffer.from(`${'\u0085'.repeat(1000)}\n`) } });
    const { text, facts } = await spelled.call('read', { path: 'a.txt' });
    assert.equal(text, `1\t${String.raw`\x85`.repeat(1000)}`);
    assert.equal((facts!['read'] as { cut: boolean }).cut, false);
  });

  test('half a character is never shown where a line is cut', async () => {
    await using session = await toolSession({ files: { 'a.txt': `${'x'.repeat(1999)}😀!\n` } });
    const result = await session.call('read', { path: 'a.txt' });
    assert.match(result.text, /^1\tx{1999} \[\.\.\. 3 more characters in this line\]/);
  });

  test('a window shows 2,000 lines at most, whatever is asked for', async () => {
    await using session = await toolSession({ files: { 'a.txt': lines(1, 3000) } });
    const result = await session.call('read', { path: 'a.txt', offset: 2, limit: 2500 });
    assert.match(result.text, /\n2001\tline 2001\n\[Lines 2-2001 of 3000\. Go on with offset 2002\.\]$/);
    for (const args of [{ offset: 0 }, { offset: -1 }, { limit: 0 }]) {
      const odd = await session.call('read', { path: 'a.txt', ...args });
      assert.equal(odd.outcome, 'error');
      assert.match(odd.text, /^(offset|limit): must be at least 1/);
    }
  });

  test('windows of every encoding add up to what the whole shows', async () => {
    const text = 'eins\r\nzwei\n\ndrei ä\r\nvier';
    const files: { [name: string]: Buffer } = {
      'utf-8': Buffer.from(text),
      marked: Buffer.from(`\ufeff${text}`),
      latin: Buffer.from(text, 'latin1'),
      little: Buffer.from(`\ufeff${text}`, 'utf16le'),
      big: Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      odd: Buffer.concat([Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from('x')]),
    };
    await using session = await toolSession({ files });
    for (const path of Object.keys(files)) {
      const whole = (await session.call('read', { path })).text.split('\n').filter((line) => !line.startsWith('['));
      assert.deepEqual(whole, ['1\teins', '2\tzwei', '3\t', '4\tdrei ä', '5\tvier'], path);
      for (let offset = 1; offset <= 5; offset++) {
        for (let limit = 1; limit <= 6 - offset; limit++) {
          const window = (await session.call('read', { path, offset, limit })).text.split('\n');
          const shown = window.filter((line) => !line.startsWith('['));
          assert.deepEqual(shown, whole.slice(offset - 1, offset - 1 + limit), `${path} ${offset} ${limit}`);
          assert.ok(window.includes('[Line ends: CRLF and LF mixed, each kept by edit.]'), path);
        }
      }
    }
  });

  test('a line feed within a wider character is none', async () => {
    // U+0A0D and U+0D0A: their bytes are those of line ends, the other way round or shifted.
    for (const bytes of [Buffer.from('\ufeffa\u0a0d\u0d0a\u0a00b\nc', 'utf16le')]) {
      await using session = await toolSession({ files: { le: bytes, be: Buffer.from(bytes).swap16() } });
      for (const path of ['le', 'be']) {
        const { text } = await session.call('read', { path });
        assert.match(text, /^1\ta\u0a0d\u0d0a\u0a00b\n2\tc\n\[Encoding/, path);
      }
    }
  });

  test('nothing but line ends, and one byte, are what they are', async () => {
    await using session = await toolSession({ files: { a: '\n', b: '\n\n', c: 'x', d: '\r\n', e: '\r' } });
    const show = async (path: string) => (await session.call('read', { path })).text;
    assert.equal(await show('a'), '1\t');
    assert.equal(await show('b'), '1\t\n2\t');
    assert.equal(await show('c'), '1\tx');
    assert.equal(await show('d'), '1\t\n[Line ends: CRLF, kept by edit.]');
    assert.equal(await show('e'), '1\t\u240d');
  });

  test('tags stand behind the numbers, and are those that edits name', async () => {
    const tools = [createReadTool({ tags: true, images: true })];
    await using session = await toolSession({ files: { 'a.txt': 'one\r\n\n' }, tools });
    const { text } = await session.call('read', { path: 'a.txt' });
    assert.equal(text, `1:${tagOf('one')}\tone\n2:${tagOf('')}\t\n[Line ends: CRLF and LF mixed, each kept by edit.]`);
  });

  test('a window ends before 100,000 characters with whole lines, and the next goes on there', async () => {
    await using session = await toolSession({ files: { 'a.txt': `${'x'.repeat(999)}\n`.repeat(150) } });
    const first = await session.call('read', { path: 'a.txt' });
    assert.ok(first.text.length <= 100_000, String(first.text.length));
    const offset = Number(/Go on with offset (\d+)/.exec(first.text)?.[1]);
    assert.ok(offset > 90 && offset < 101, String(offset));
    const second = await session.call('read', { path: 'a.txt', offset });
    assert.match(second.text, /This is the end/);
  });

  test('an empty file is said to be empty', async () => {
    await using session = await toolSession({ files: { 'a.txt': '' } });
    const result = await session.call('read', { path: 'a.txt' });
    assert.equal(result.outcome, 'ok');
    assert.match(result.text, /a\.txt is empty/);
  });

  test('a missing file names the nearest ones', async () => {
    await using session = await toolSession({ files: { 'src/parser.ts': '', 'src/zebra.ts': '' } });
    const result = await session.call('read', { path: 'src/parsr.ts' });
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /There is no src\/parsr\.ts\. The nearest names in that folder: parser\.ts, zebra\.ts\./);
    const lost = await session.call('read', { path: 'none/at/all.ts' });
    assert.match(lost.text, /nor the folder/);
  });

  test('binary without a NUL is known by its control characters; escapes and form feeds alone are text', async () => {
    const noise = Buffer.from(Array.from({ length: 2000 }, (_, index) => 1 + ((index * 37) % 255)));
    await using session = await toolSession({ files: { noise, 'log.txt': '\x1b[31mred\x1b[0m\n\f\n'.repeat(20) } });
    assert.match((await session.call('read', { path: 'noise' })).text, /is binary/);
    const log = await session.call('read', { path: 'log.txt' });
    assert.match(log.text, /^1\t\u241b\[31mred\u241b\[0m\n2\t\u240c/);
  });

  const encodings: [string, Buffer, RegExp][] = [
    ['UTF-8 with a mark', Buffer.from('\ufeffcafé\n'), /^1\tcafé\n\[UTF-8 with a byte order mark/],
    [
      'UTF-16 little endian',
      Buffer.from('\ufeffcafé\n', 'utf16le'),
      /^1\tcafé\n\[Encoding: UTF-16 \(little endian\)\.\]$/,
    ],
    [
      'UTF-16 big endian',
      Buffer.from('\ufeffcafé\n', 'utf16le').swap16(),
      /^1\tcafé\n\[Encoding: UTF-16 \(big endian\)\.\]$/,
    ],
    ['Latin-1', Buffer.from('café\n', 'latin1'), /^1\tcafé\n\[Encoding: Latin-1\.\]$/],
    [
      'GBK',
      Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0x0a]),
      /^1\tÖÐÎÄ\n\[Encoding: neither UTF-8 nor UTF-16; shown as Latin-1\.\]$/,
    ],
    ['CRLF', Buffer.from('a\r\nb\r\n'), /^1\ta\n2\tb\n\[Line ends: CRLF, kept by edit\.\]$/],
    ['mixed line ends', Buffer.from('a\r\nb\n'), /^1\ta\n2\tb\n\[Line ends: CRLF and LF mixed, each kept by edit\.\]$/],
  ];
  for (const [name, bytes, expected] of encodings) {
    test(`says what is out of the ordinary: ${name}`, async () => {
      await using session = await toolSession({ files: { 'a.txt': bytes } });
      assert.match((await session.call('read', { path: 'a.txt' })).text, expected);
    });
  }

  test('what leads outside is denied before it is read, a loop of links too', async () => {
    await using session = await toolSession({ files: { x: { link: 'y' }, y: { link: 'x' }, out: { link: '/etc' } } });
    for (const path of ['../outside.txt', '/etc/passwd', 'out/passwd', 'x', 'a\0b']) {
      const result = await session.call('read', { path });
      assert.equal(result.outcome, 'denied', path);
      assert.match(result.text, /^Denied by floor: .*Nothing was run\.$/, path);
    }
    assert.ok(session.verdicts().every(({ by, decision }) => by === 'floor' && decision === 'deny'));
  });

  test('a facts record of windows adds up to the whole', async () => {
    await using session = await toolSession({ files: { 'a.txt': lines(1, 30) } });
    await session.call('read', { path: 'a.txt', offset: 11, limit: 10 });
    await session.call('read', { path: 'a.txt', limit: 10 });
    assert.equal([...session.seen.values()][0]?.whole, false);
    await session.call('read', { path: 'a.txt', offset: 21 });
    assert.equal([...session.seen.values()][0]?.whole, true);
  });
});
