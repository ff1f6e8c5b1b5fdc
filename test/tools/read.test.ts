import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

  test('long lines are cut with a note, from 2,001 characters on', async () => {
    await using session = await toolSession({ files: { 'a.txt': `${'x'.repeat(2000)}\n${'y'.repeat(2001)}\n` } });
    const result = await session.call('read', { path: 'a.txt' });
    assert.equal(result.text, `1\t${'x'.repeat(2000)}\n2\t${'y'.repeat(2000)} [... 1 more character in this line]`);
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

  test('a folder is shown as one', async () => {
    await using session = await toolSession({ files: { 'src/b.ts': '', 'src/a.ts': '' } });
    const result = await session.call('read', { path: 'src' });
    assert.equal(result.outcome, 'error');
    assert.equal(result.text, 'src is a folder, not a file. In it:\na.ts\nb.ts');
  });

  test('binary is described, not shown, and can’t be edited', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    await using session = await toolSession({ files: { 'a.png': png } });
    const result = await session.call('read', { path: 'a.png' });
    assert.equal(result.outcome, 'ok');
    assert.match(result.text, /^a\.png is binary: 16 bytes, beginning with 89 50 4e 47 /);
    const edit = await session.call('edit', { path: 'a.png', old: 'PNG', new: 'GNP' });
    assert.equal(edit.outcome, 'error');
    assert.match(edit.text, /hasn’t been read/);
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
