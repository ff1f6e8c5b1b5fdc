import assert from 'node:assert/strict';
import { appendFile, lstat, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { toolSession, type ToolSession } from './session.ts';

/** Reads, edits, and gives the result and the bytes afterwards. */
async function edit(session: ToolSession, path: string, old: string, replacement: string, all?: boolean) {
  await session.call('read', { path });
  const args = { path, old, new: replacement, ...(all === undefined ? {} : { all }) };
  const result = await session.call('edit', args);
  return { result, bytes: await session.workspace.read(path) };
}

describe('edit changes what was asked and nothing else', () => {
  test('one line, with the lines around it in the result and hashes in the record', async () => {
    await using session = await toolSession({ files: { 'a.ts': 'one\ntwo\nthree\nfour\nfive\nsix\n' } });
    const { result, bytes } = await edit(session, 'a.ts', 'three', '3\n3.5');
    assert.equal(bytes.toString(), 'one\ntwo\n3\n3.5\nfour\nfive\nsix\n');
    assert.equal(
      result.text,
      'Edited a.ts: line 3 replaced by 2 lines.\n1\tone\n2\ttwo\n3\t3\n4\t3.5\n5\tfour\n6\tfive',
    );
    const [change] = result.changes ?? [];
    assert.equal(change?.path, 'a.ts');
    assert.match(`${change?.before} ${change?.after}`, /^[0-9a-f]{64} [0-9a-f]{64}$/);
    assert.notEqual(change?.before, change?.after);
  });

  test('whole lines taken out, at the end and to nothing', async () => {
    await using session = await toolSession({ files: { 'a.ts': 'one\ntwo\nthree' } });
    const first = await edit(session, 'a.ts', 'two\n', '');
    assert.match(first.result.text, /^Edited a\.ts: line 2 replaced by 0 lines\./);
    const second = await edit(session, 'a.ts', '\nthree', '');
    assert.equal(second.bytes.toString(), 'one');
    const third = await edit(session, 'a.ts', 'one', '');
    assert.equal(third.bytes.toString(), '');
  });

  test('`all` replaces every match; without it several are refused with their lines', async () => {
    await using session = await toolSession({ files: { 'a.ts': 'x = 1;\ny = 2;\nx = 3;\n' } });
    const one = await edit(session, 'a.ts', 'x', 'z');
    assert.equal(one.result.outcome, 'error');
    assert.match(one.result.text, /stands there 2 times; it must be unique\. .*It begins at:\n1\tx = 1;\n3\tx = 3;$/);
    assert.equal(one.bytes.toString(), 'x = 1;\ny = 2;\nx = 3;\n');
    const all = await edit(session, 'a.ts', 'x', 'zz\n', true);
    assert.equal(all.bytes.toString(), 'zz\n = 1;\ny = 2;\nzz\n = 3;\n');
    assert.match(all.result.text, /Edited a\.ts: 2 places\.\n1\tzz\n2\t = 1;/);
  });

  test('matches that overlap count as several', async () => {
    await using session = await toolSession({ files: { 'a.ts': 'aXaXa' } });
    assert.match((await edit(session, 'a.ts', 'aXa', 'b')).result.text, /2 times/);
  });

  test('a mode is kept', async () => {
    await using session = await toolSession({ files: { run: { content: '#!/bin/sh\necho a\n', mode: 0o755 } } });
    await edit(session, 'run', 'echo a', 'echo b');
    assert.equal((await stat(join(session.workspace.path, 'run'))).mode & 0o777, 0o755);
  });

  test('the result stays small', async () => {
    const content = `${'x'.repeat(5000)}\n`.repeat(300);
    await using session = await toolSession({ files: { 'a.ts': content } });
    const { result } = await edit(session, 'a.ts', 'x'.repeat(5000), 'y'.repeat(5000), true);
    assert.equal(result.outcome, 'ok');
    assert.ok(result.text.length < 12_000, String(result.text.length));
    assert.match(result.text, /\[260 more lines not shown\]$/);
  });
});

describe('edit keeps encodings', () => {
  const samples: [string, string][] = [
    ['Latin-1', '696e742078203d20313b0a2f2f20636166e9206e69f16f0a'],
    ['GBK', '696e742078203d20313b0a2f2f20d6d0cec4b2e2cad40a'],
    ['Shift-JIS', '696e742078203d20313b0a2f2f2083658358836783e95c820a'],
    ['UTF-8 with a mark', 'efbbbf696e742078203d20313b0a2f2f20c3a90a'],
    ['UTF-8 with a broken byte', '696e742078203d20313b0a2f2f20c3a9ff0a'],
  ];
  for (const [name, hex] of samples) {
    test(`an ASCII edit changes one byte of ${name}`, async () => {
      await using session = await toolSession({ files: { a: Buffer.from(hex, 'hex') } });
      const { result, bytes } = await edit(session, 'a', 'int x = 1;', 'int x = 2;');
      assert.equal(result.outcome, 'ok', result.text);
      assert.equal(bytes.toString('hex'), hex.replace('203d2031', '203d2032'));
    });
  }

  test('new text is written in the encoding of the file, or refused', async () => {
    const files = {
      latin: Buffer.from('a = 1 // caf\xe9 x\n', 'latin1'),
      gbk: Buffer.from('613d31202f2fd6d0cec40a', 'hex'),
      little: Buffer.from('\ufeffa = 1\r\n', 'utf16le'),
      big: Buffer.from('\ufeffa = 1\r\n', 'utf16le').swap16(),
    };
    await using session = await toolSession({ files });
    const latin = await edit(session, 'latin', 'café', 'è la café');
    assert.equal(latin.bytes.toString('latin1'), 'a = 1 // è la café x\n');
    const refused = await edit(session, 'latin', 'x', '€');
    assert.match(refused.result.text, /encoding is Latin-1: “€” can’t be written/);
    const gbk = await edit(session, 'gbk', 'a=1', 'é');
    assert.match(gbk.result.text, /“é” can’t be written into it safely/);
    assert.deepEqual(gbk.bytes, files.gbk);
    const little = await edit(session, 'little', 'a = 1\n', 'é = 2\n中\n');
    assert.equal(little.bytes.toString('utf16le'), '\ufeffé = 2\r\n中\r\n');
    const big = await edit(session, 'big', '1', '中');
    assert.equal(Buffer.from(big.bytes).swap16().toString('utf16le'), '\ufeffa = 中\r\n');
  });

  test('a match that may begin inside a double-byte character is refused', async () => {
    // 表 in Shift-JIS is 95 5C: its second byte is a backslash.
    const bytes = Buffer.from('2f2f20955c6e20830a78', 'hex');
    await using session = await toolSession({ files: { a: bytes } });
    const { result, bytes: after } = await edit(session, 'a', '\\n', 'm');
    assert.match(result.text, /perhaps inside a character/);
    assert.deepEqual(after, bytes);
  });

  test('half a surrogate pair never reaches a file', async () => {
    await using session = await toolSession({ files: { a: 'x\n' } });
    const { result, bytes } = await edit(session, 'a', 'x', 'y\ud83d');
    assert.match(result.text, /half of a surrogate pair/);
    assert.equal(bytes.toString(), 'x\n');
  });
});

describe('edit keeps line ends', () => {
  const rows = Array.from({ length: 40 }, (_, index) => `\tint v${index} = ${index};`);

  test('a multi-line edit with LF and tabs fits a CRLF file at the first try, and so does the next to it', async () => {
    await using session = await toolSession({ files: { 'w.cpp': rows.map((row) => `${row}\r\n`).join('') } });
    const old = rows.slice(10, 13).join('\n');
    const first = await edit(session, 'w.cpp', old, `${rows[10]}\n\ta();\n\tb();\n\tc();\n${rows[12]}`);
    assert.equal(first.result.outcome, 'ok', first.result.text);
    const second = await session.call('edit', { path: 'w.cpp', old: '\tc();\n', new: '\tc();\n\td();\n' });
    assert.equal(second.outcome, 'ok', second.text);
    const expected = [...rows.slice(0, 11), '\ta();', '\tb();', '\tc();', '\td();', ...rows.slice(12)];
    assert.equal((await session.workspace.read('w.cpp')).toString(), expected.map((row) => `${row}\r\n`).join(''));
  });

  test('in a mixed file every untouched line keeps its own end', async () => {
    const mixed = rows.map((row, index) => row + (index % 2 === 0 ? '\r\n' : '\n'));
    await using session = await toolSession({ files: { 'mix.c': mixed.join('') } });
    const old = rows.slice(10, 15).join('\n');
    const made = [...rows.slice(10, 12), '\tnew();', '\tmore();', ...rows.slice(13, 15)].join('\n');
    const { bytes } = await edit(session, 'mix.c', old, made);
    const expected = [...mixed.slice(0, 12), '\tnew();\r\n', '\tmore();\r\n', ...mixed.slice(13)];
    assert.equal(bytes.toString(), expected.join(''));
  });

  test('CRLF in the arguments stands for CRLF, and never becomes CR CR LF', async () => {
    await using session = await toolSession({ files: { crlf: 'a\r\nb\r\n', lf: 'a\nb\n' } });
    const crlf = await edit(session, 'crlf', 'a\r\nb', 'a\r\nc\nd');
    assert.equal(crlf.bytes.toString(), 'a\r\nc\r\nd\r\n');
    const lf = await edit(session, 'lf', 'a\r\nb', 'c');
    assert.match(lf.result.text, /Only line ends differ: use LF/);
    assert.equal(lf.bytes.toString(), 'a\nb\n');
  });

  test('CRLF in `old` stands for CRLF only, line by line', async () => {
    await using session = await toolSession({ files: { a: 'a\nb\r\na\r\nb\r\n' } });
    const { bytes } = await edit(session, 'a', 'a\r\nb', 'c');
    assert.equal(bytes.toString(), 'a\nb\r\nc\r\n');
  });

  test('an edit that only a conversion of line ends could mean is refused', async () => {
    await using session = await toolSession({ files: { crlf: 'a\r\nb\r\n' } });
    const { result } = await edit(session, 'crlf', 'a\r\nb', 'a\nb');
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /Nothing would change/);
  });

  test('a one-line match takes new lines with the end of its line, at the end of the file of the line before', async () => {
    await using session = await toolSession({ files: { a: 'one\r\ntwo\nthree', b: 'lone' } });
    await edit(session, 'a', 'one', '1\n1');
    await edit(session, 'a', 'three', '3\n3');
    assert.equal((await session.workspace.read('a')).toString(), '1\r\n1\r\ntwo\n3\n3');
    assert.equal((await edit(session, 'b', 'lone', 'a\nb')).bytes.toString(), 'a\nb');
  });
});

describe('edit corrects nothing', () => {
  test('straight quotes don’t match curly ones; the refusal shows the place and both characters', async () => {
    const text = 'He said \u201chello\u201d \u2014 it\u2019s fine.\n';
    await using session = await toolSession({ files: { 't.md': text } });
    const { result, bytes } = await edit(session, 't.md', 'said "hello"', 'said "bye"');
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /The nearest place is line 1\. It differs in quotes:\n1\tHe said “hello”/);
    const whole = await edit(session, 't.md', 'He said "hello" \u2014 it\u2019s fine.', 'x');
    assert.match(whole.result.text, /at column 9 the file has “ \(U\+201C\), `old` has " \(U\+0022\)/);
    assert.equal(bytes.toString(), text);
    const fine = await edit(session, 't.md', '\u201chello\u201d', '\u201cbye\u201d');
    assert.equal(fine.bytes.toString(), text.replace('hello', 'bye'));
  });

  test('quotes and backslashes are written as sent', async () => {
    const c = "p = '\\'';\nb[0] = '\\0';\nint x;\n";
    await using session = await toolSession({ files: { 's.sh': 'x=1\n', 'c.c': c } });
    assert.equal((await edit(session, 's.sh', 'x=1', 'x="$HOME/a b"')).bytes.toString(), 'x="$HOME/a b"\n');
    assert.equal(
      (await edit(session, 'c.c', 'int x;', "int y = '\\n';")).bytes.toString(),
      c.replace('int x;', "int y = '\\n';"),
    );
    assert.equal((await edit(session, 'c.c', "p = '\\'';", '$& $1')).bytes.toString().split('\n')[0], '$& $1');
  });
});

describe('edit works on the bytes that are there now', () => {
  const doc = `# A\n${'alpha\n'.repeat(20)}# B\nbeta here\n${'text\n'.repeat(20)}`;

  test('after a command changed another part, both changes are there, and the result says so', async () => {
    await using session = await toolSession({ files: { 'doc.md': doc } });
    await session.call('read', { path: 'doc.md' });
    await session.call('shell', { command: 'sed -i s/alpha/omega/ doc.md' });
    const result = await session.call('edit', { path: 'doc.md', old: 'beta here', new: 'gamma' });
    assert.equal(result.outcome, 'ok', result.text);
    assert.match(result.text, /changed by something else since it was read/);
    assert.match(result.text, /\n13\tomega\n/);
    const now = (await session.workspace.read('doc.md')).toString();
    assert.equal(now, doc.replaceAll('alpha', 'omega').replace('beta here', 'gamma'));
  });

  test('a change at the place itself is refused with the present lines', async () => {
    await using session = await toolSession({ files: { 'doc.md': doc } });
    await session.call('read', { path: 'doc.md' });
    await session.workspace.write('doc.md', doc.replace('beta here', 'beta  there'));
    const result = await session.call('edit', { path: 'doc.md', old: 'beta here', new: 'gamma' });
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /23\tbeta  there\n/);
    assert.match(result.text, /has changed since it was read: read it again/);
  });

  test('equal bytes are unchanged, whatever the time stamp says', async () => {
    await using session = await toolSession({ files: { 'doc.md': doc } });
    await session.call('read', { path: 'doc.md' });
    await session.workspace.write('doc.md', doc);
    const result = await session.call('edit', { path: 'doc.md', old: 'beta here', new: 'gamma' });
    assert.doesNotMatch(result.text, /something else/);
  });

  test('a change between looking and writing is refused, and nothing of it is lost', async () => {
    await using session = await toolSession({
      files: { a: 'one\n' },
      wrap: (files) => ({
        ...files,
        write: async (path, bytes, expected) => {
          await appendFile(path, 'foreign\n');
          return files.write(path, bytes, expected);
        },
      }),
    });
    const { result, bytes } = await edit(session, 'a', 'one', 'two');
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /its content has changed meanwhile\. Nothing was changed; look at it again/);
    assert.equal(bytes.toString(), 'one\nforeign\n');
  });

  test('several edits in a row need no further read', async () => {
    await using session = await toolSession({ files: { a: 'one two\n' } });
    await session.call('read', { path: 'a' });
    const results = await session.callAll([
      ['edit', { path: 'a', old: 'one', new: '1' }],
      ['edit', { path: 'a', old: '1 two', new: '1 2' }],
    ]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['ok', 'ok'],
    );
    assert.equal((await session.workspace.read('a')).toString(), '1 2\n');
  });

  test('a file that wasn’t read is not edited; the way out is said', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    const result = await session.call('edit', { path: 'a', old: 'one', new: 'two' });
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /hasn’t been read in this session\. Read it, then send this edit again/);
    assert.equal((await session.workspace.read('a')).toString(), 'one\n');
  });
});

describe('edit and links', () => {
  test('links stay links, the real file is changed, a loop is an error at once', async () => {
    await using session = await toolSession({
      files: {
        'real/conf': 'a=1\n',
        link: { link: 'real/conf' },
        l2: { link: 'link' },
        x: { link: 'y' },
        y: { link: 'x' },
      },
    });
    const { result } = await edit(session, 'link', 'a=1', 'a=2');
    assert.equal(result.outcome, 'ok', result.text);
    assert.match(result.text, /^Edited real\/conf/);
    const written = await session.call('write', { path: 'l2', content: 'a=3\n' });
    assert.equal(written.outcome, 'ok', written.text);
    assert.equal((await session.call('edit', { path: 'x', old: 'a', new: 'b' })).outcome, 'denied');
    assert.deepEqual(await session.workspace.tree(), {
      'real/conf': 'a=3\n',
      link: '-> real/conf',
      l2: '-> link',
      x: '-> y',
      y: '-> x',
    });
    assert.ok((await lstat(join(session.workspace.path, 'link'))).isSymbolicLink());
    assert.equal(await readlink(join(session.workspace.path, 'l2')), 'link');
  });

  test('what was read through one name is known by the other', async () => {
    await using session = await toolSession({ files: { 'real/conf': 'a=1\n', link: { link: 'real/conf' } } });
    await session.call('read', { path: 'link' });
    assert.equal((await session.call('edit', { path: 'real/conf', old: '1', new: '2' })).outcome, 'ok');
  });
});

describe('edit that doesn’t match leaves the file alone', () => {
  const gemfile = Array.from({ length: 25 }, (_, index) => `gem 'g${index}', '~> ${index}.0'\n`).join('');

  test('one blank too many: the nearest line and the column where it differs', async () => {
    await using session = await toolSession({ files: { Gemfile: gemfile } });
    const { result, bytes } = await edit(session, 'Gemfile', "gem 'g7',  '~> 7.0'", 'x');
    assert.equal(result.outcome, 'error');
    assert.match(
      result.text,
      /nothing was changed\.\nThe nearest place is line 8\. It differs in blanks:\n8\tgem 'g7', '~> 7\.0'\n {2}at column 10 the file has a space \(U\+0020\), `old` has 2 spaces$/,
    );
    assert.equal(bytes.toString(), gemfile);
  });

  const misses: [string, string, RegExp][] = [
    ['patch markers', '<<<<<<< SEARCH\ngem foo\n=======', /isn’t in the file/],
    [
      'a second line that differs',
      "gem 'g3', '~> 3.0'\ngem 'g4', '~> 9.0'",
      /lines 4-5\. It differs:\n5\tgem 'g4', '~> 4\.0'\n {2}at column 15/,
    ],
    [
      'a tab for blanks',
      "gem\t'g3', '~> 3.0'",
      /at column 4 the file has a space \(U\+0020\), `old` has a tab \(U\+0009\)/,
    ],
    ['line numbers of read', "4\tgem 'g3', '~> 3.0'\n5\tgem 'g4', '~> 4.0'", /has the line numbers that read shows/],
    ['a line end that isn’t there', "gem 'g24', '~> 24.0'\n\n", /differs/],
    ['nothing like it', 'zzzzzzzzzzzz', /No line there is like/],
    [
      'an escape for a line end',
      "gem 'g3', '~> 3.0'\\ngem",
      /lines 4-5\. It differs in an escape:\n4\t.*\n {2}at column 19 the file has a line break \(U\+000A\), `old` has “\\n”/,
    ],
  ];
  for (const [name, old, expected] of misses) {
    test(`refused with a hint: ${name}`, async () => {
      await using session = await toolSession({ files: { Gemfile: gemfile } });
      const { result, bytes } = await edit(session, 'Gemfile', old, 'x');
      assert.equal(result.outcome, 'error');
      assert.match(result.text, expected);
      assert.equal(bytes.toString(), gemfile);
      assert.equal(result.changes, undefined);
      assert.equal(result.mayHaveChanged, undefined);
    });
  }

  test('an empty `old` creates a file only where there is none; without `old` nothing runs', async () => {
    const big = 'const x = 1;\n'.repeat(600);
    await using session = await toolSession({ files: { 'big.ts': big, 'empty.ts': '' } });
    const { result, bytes } = await edit(session, 'big.ts', '', 'ten\n'.repeat(10));
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /big\.ts exists/);
    assert.equal(bytes.toString(), big);
    assert.equal((await edit(session, 'empty.ts', '', 'x')).result.outcome, 'error');
    const missing = await session.call('edit', { path: 'big.ts', new: 'x' });
    assert.equal(missing.outcome, 'error');
    assert.match(missing.text, /- old: missing, expected string/);
    assert.equal((await session.workspace.read('big.ts')).toString(), big);
    const created = await session.call('edit', { path: 'src/deep/new.ts', old: '', new: 'a\n' });
    assert.equal(created.outcome, 'ok', created.text);
    assert.equal(created.text, 'Created src/deep/new.ts (1 line).');
    assert.equal((await session.workspace.read('src/deep/new.ts')).toString(), 'a\n');
  });

  test('`old` and `new` alike, a missing file, a file that has gone', async () => {
    await using session = await toolSession({ files: { a: 'one\n', gone: 'x\n' } });
    assert.match((await edit(session, 'a', 'one', 'one')).result.text, /are the same/);
    const missing = await session.call('edit', { path: 'b', old: 'x', new: 'y' });
    assert.match(missing.text, /There is no b\. The nearest names in that folder: a, gone\./);
    await session.call('read', { path: 'gone' });
    await rm(join(session.workspace.path, 'gone'));
    const gone = await session.call('edit', { path: 'gone', old: 'x', new: 'y' });
    assert.equal(gone.outcome, 'error');
    await writeFile(join(session.workspace.path, 'gone'), '');
    const emptied = await session.call('edit', { path: 'gone', old: 'x', new: 'y' });
    assert.match(emptied.text, /The file is empty/);
  });
});
