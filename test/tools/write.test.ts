import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { toolSession } from './session.ts';

describe('write', () => {
  test('creates what wasn’t there, with its folders, exactly as sent', async () => {
    await using session = await toolSession();
    const contents = {
      'n.txt': '\u201c\u2019\u00a0',
      't.py': "print('a\\nb')",
      'd.tex': '\\title{x}\\newline',
      'deep/er/crlf.txt': 'a\r\nb\n\tc',
      empty: '',
    };
    for (const [path, content] of Object.entries(contents)) {
      const result = await session.call('write', { path, content });
      assert.equal(result.outcome, 'ok', result.text);
      assert.equal((await session.workspace.read(path)).toString(), content);
      assert.equal(result.changes?.[0]?.before, null);
    }
    assert.equal(session.results()[0]?.text, 'Created n.txt (1 line, 8 bytes).');
  });

  test('replaces only a file whose present content is known', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    const unseen = await session.call('write', { path: 'a', content: 'two\n' });
    assert.equal(unseen.outcome, 'error');
    assert.match(unseen.text, /exists and hasn’t been read in this session; nothing was written\. Read it first/);
    await session.call('read', { path: 'a' });
    const seen = await session.call('write', { path: 'a', content: 'two\n' });
    assert.equal(seen.text, 'Replaced a (1 line, 4 bytes).');
    const own = await session.call('write', { path: 'a', content: 'three\n' });
    assert.equal(own.outcome, 'ok');
    await session.workspace.write('a', 'foreign\n');
    const changed = await session.call('write', { path: 'a', content: 'four\n' });
    assert.equal(changed.outcome, 'error');
    assert.match(changed.text, /has changed since it was last read/);
    assert.equal((await session.workspace.read('a')).toString(), 'foreign\n');
  });

  test('a part that was read is not the whole', async () => {
    await using session = await toolSession({ files: { a: 'one\ntwo\nthree\n', long: `${'x'.repeat(2001)}\n` } });
    await session.call('read', { path: 'a', limit: 2 });
    const part = await session.call('write', { path: 'a', content: 'x\n' });
    assert.match(part.text, /Only a part of a has been read/);
    await session.call('read', { path: 'a', offset: 3 });
    assert.equal((await session.call('write', { path: 'a', content: 'x\n' })).outcome, 'ok');
    await session.call('read', { path: 'long' });
    assert.match((await session.call('write', { path: 'long', content: 'x\n' })).text, /Only a part of long/);
  });

  test('an edit of a file known whole leaves it known; of one that others changed it doesn’t', async () => {
    await using session = await toolSession({ files: { a: 'one\ntwo\n' } });
    await session.call('read', { path: 'a' });
    await session.call('edit', { path: 'a', old: 'one', new: '1' });
    assert.equal((await session.call('write', { path: 'a', content: 'x\ntwo\n' })).outcome, 'ok');
    await session.workspace.write('a', 'foreign\ntwo\n');
    await session.call('edit', { path: 'a', old: 'two', new: '2' });
    const result = await session.call('write', { path: 'a', content: 'y\n' });
    assert.match(result.text, /Only a part/);
  });

  test('the content that is there already is no change', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    const result = await session.call('write', { path: 'a', content: 'one\n' });
    assert.equal(result.outcome, 'ok');
    assert.match(result.text, /exactly this content already/);
    assert.equal(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
  });

  test('line ends are as they were sent; what they were is said', async () => {
    await using session = await toolSession({ files: { crlf: 'a\r\nb\r\n', lf: 'a\nb\n', one: 'a' } });
    const notes: string[] = [];
    for (const [path, content] of [
      ['crlf', 'x\ny\n'],
      ['lf', 'x\r\ny\n'],
      ['one', 'x\r\n'],
    ] as const) {
      await session.call('read', { path });
      notes.push((await session.call('write', { path, content })).text.split('\n')[1] ?? '');
      assert.equal((await session.workspace.read(path)).toString(), content);
    }
    assert.deepEqual(notes, [
      'Note: its line ends were CRLF; now they are LF.',
      'Note: its line ends were LF; now they are mixed.',
      '',
    ]);
  });

  test('an argument that it doesn’t know is no way to write', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    await session.call('read', { path: 'a' });
    const result = await session.call('write', { path: 'a', content: 'two\n', append: true });
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /^append: unknown; known are, nearest first, /);
    assert.equal((await session.workspace.read('a')).toString(), 'one\n');
  });

  test('half a surrogate pair and a folder are refused', async () => {
    await using session = await toolSession({ files: { 'src/a': '' } });
    assert.match((await session.call('write', { path: 'a', content: 'x\ud800' })).text, /surrogate/);
    assert.match((await session.call('write', { path: 'src', content: 'x' })).text, /src is a folder/);
    assert.deepEqual(await session.workspace.tree(), { 'src/a': '' });
  });
});

describe('write and encodings', () => {
  /** Reads and replaces a file; gives the note, if any, and the bytes. */
  async function rewritten(present: Buffer, content: string) {
    await using session = await toolSession({ files: { a: present } });
    await session.call('read', { path: 'a' });
    const { outcome, text } = await session.call('write', { path: 'a', content });
    return { outcome, text, note: text.split('\n')[1], bytes: await session.workspace.read('a') };
  }

  test('UTF-8: a mark is kept, one that is sent is not doubled', async () => {
    const marked = Buffer.from('\ufeffa\n');
    const kept = await rewritten(marked, 'é\n');
    assert.deepEqual([kept.note, kept.bytes.toString()], ['Note: its byte order mark is kept.', '\ufeffé\n']);
    const sent = await rewritten(marked, '\ufeffé\n');
    assert.deepEqual([sent.note, sent.bytes.toString()], [undefined, '\ufeffé\n']);
    const added = await rewritten(Buffer.from('a\n'), '\ufeffé\n');
    assert.deepEqual([added.note, added.bytes.toString()], ['Note: it has a byte order mark now.', '\ufeffé\n']);
  });

  test('UTF-16 stays UTF-16, with its mark and its order', async () => {
    const little = Buffer.from('\ufeffabc\r\n', 'utf16le');
    const expected = Buffer.from('\ufeffé 中 😀\r\n', 'utf16le');
    const first = await rewritten(little, 'é 中 😀\r\n');
    assert.deepEqual(
      [first.note, first.bytes],
      ['Note: it is written in UTF-16 (little endian), as it was.', expected],
    );
    const second = await rewritten(Buffer.from(little).swap16(), '\ufeffé 中 😀\r\n');
    assert.deepEqual(second.bytes, Buffer.from(expected).swap16());
    const bare = await rewritten(Buffer.from('abcdefgh\n', 'utf16le'), 'é\n');
    assert.deepEqual(bare.bytes, Buffer.from('é\n', 'utf16le'));
  });

  test('Latin-1 and legacy encodings are kept where they hold the content', async () => {
    const latin = Buffer.from('caf\xe9 x\n', 'latin1');
    const same = await rewritten(latin, 'thé\n');
    assert.deepEqual(
      [same.note, same.bytes],
      ['Note: it is written in Latin-1, as it was.', Buffer.from('th\xe9\n', 'latin1')],
    );
    const ascii = await rewritten(latin, 'tea\n');
    assert.deepEqual([ascii.note, ascii.bytes.toString()], [undefined, 'tea\n']);
    const other = await rewritten(latin, 'thé 5 €\n');
    assert.deepEqual(
      [other.note, other.bytes.toString()],
      ['Note: it was Latin-1; now it is UTF-8, since “€” isn’t in it.', 'thé 5 €\n'],
    );
    const chinese = iconv.encode('// 这是一个用于测试的注释，请不要修改。计算两个日期之间的天数\n', 'gb18030');
    const replaced = await rewritten(chinese, '// 新的注释\n');
    assert.deepEqual(replaced.bytes, iconv.encode('// 新的注释\n', 'gb18030'));
    assert.match(replaced.note ?? '', /^Note: it is written in GB18030 \(GBK\), as it was\.$/);
  });

  test('in an encoding that isn’t known, lines are repeated or ASCII', async () => {
    const unknown = Buffer.from('// \xd6\xd0\xce\xc4\nint a;\n', 'latin1');
    const repeated = await rewritten(unknown, 'int b;\n// \xd6\xd0\xce\xc4\n');
    assert.equal(repeated.outcome, 'ok', repeated.text);
    assert.deepEqual(repeated.bytes, Buffer.from('int b;\n// \xd6\xd0\xce\xc4\n', 'latin1'));
    for (const content of ['// \xd6\xd0\xce\n', '// 中文\n', 'é\n']) {
      const refused = await rewritten(unknown, content);
      assert.equal(refused.outcome, 'error');
      assert.match(
        refused.text,
        /its encoding isn’t known for certain, so “.” in line 1 of `content` can’t be written safely/,
      );
      assert.deepEqual(refused.bytes, unknown);
    }
  });

  test('what stands for a character that can’t be shown is not written in its place', async () => {
    const cases: [present: Buffer, content: string, code: string][] = [
      [
        Buffer.from('a\x1b[1m\nb\n'),
        'x\na\u241b[1m\nb\n',
        '“\u241b” in line 2 of `content` is how read shows the character U+001B',
      ],
      [Buffer.from('// \x83e\x83X\x83g\nint a;\n', 'latin1'), '// \\x83e\\x83X\\x83g\nint b;\n', 'U+0083'],
      [Buffer.from('\ufeffa\ud83d!\n', 'utf16le'), 'a\ufffd!\nb\n', 'U+D83D'],
    ];
    for (const [present, content, code] of cases) {
      const refused = await rewritten(present, content);
      assert.equal(refused.outcome, 'error', refused.text);
      assert.ok(refused.text.includes(code), refused.text);
      assert.deepEqual(refused.bytes, present);
    }
    // Those that were there before, and characters that were sent themselves.
    const both = Buffer.from('a\x1b \u241b\nb\n');
    assert.equal((await rewritten(both, 'a \u241b\n')).outcome, 'ok');
    const sent = await rewritten(Buffer.from('a\x1b[1m\n'), 'a\x1b[1m \u241b\n');
    assert.equal(sent.bytes.toString(), 'a\x1b[1m \u241b\n');
    // CRLF is no such character.
    assert.equal((await rewritten(Buffer.from('a\r\n'), 'a\n')).outcome, 'ok');
  });

  test('the content that is there already, in its own encoding, is no change', async () => {
    const same = await rewritten(Buffer.from('\ufeffabc\n', 'utf16le'), 'abc\n');
    assert.match(same.text, /exactly this content already/);
    const latin = await rewritten(Buffer.from('caf\xe9 x\n', 'latin1'), 'café x\n');
    assert.match(latin.text, /exactly this content already/);
  });

  test('a binary file isn’t replaced', async () => {
    const bytes = Buffer.from([0, 1, 2, 3]);
    const refused = await rewritten(bytes, 'text\n');
    assert.equal(refused.outcome, 'error');
    assert.deepEqual(refused.bytes, bytes);
  });
});
