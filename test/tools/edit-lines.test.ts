import assert from 'node:assert/strict';
import { appendFile, lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { editLinesTool } from '../../src/tools/builtin/edit-lines/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import { tagOf } from '../../src/tools/edits/index.ts';
import { toolSession, type SessionOptions, type ToolSession } from './session.ts';

const session = (options: SessionOptions) => toolSession({ tools: [readTool, editLinesTool], ...options });
const named = (number: number, text: string) => `${number}:${tagOf(text)}`;

type Edit = { from?: string; to?: string; after?: string; text: string };

async function editLines(open: ToolSession, path: string, edits: Edit[], read = true) {
  if (read) await open.call('read', { path });
  const result = await open.call('edit_lines', { path, edits });
  return { result, bytes: await open.workspace.read(path) };
}

const poem = 'one\ntwo\nthree\nfour\nfive\n';

describe('edit_lines changes the named lines and nothing else', () => {
  test('replaces one line and several, by fewer and more', async () => {
    await using open = await session({ files: { a: poem } });
    const { result, bytes } = await editLines(open, 'a', [
      { from: named(4, 'four'), text: '4\n4.5' },
      { from: named(1, 'one'), to: named(2, 'two'), text: '1-2\n' },
    ]);
    assert.equal(result.outcome, 'ok', result.text);
    assert.equal(bytes.toString(), '1-2\nthree\n4\n4.5\nfive\n');
    assert.match(result.text, /^Edited a: 2 places\.\n1:\w{3}\t1-2\n/);
    assert.equal(result.changes?.[0]?.path, 'a');
  });

  test('takes out, puts in after a line, at the start and at the end', async () => {
    await using open = await session({ files: { a: poem } });
    const { result, bytes } = await editLines(open, 'a', [
      { after: '0', text: 'zero' },
      { after: named(5, 'five'), text: 'six\n\n' },
      { after: named(2, 'two'), text: '\n' },
      { from: named(3, 'three'), text: '' },
    ]);
    assert.equal(result.outcome, 'ok', result.text);
    assert.equal(bytes.toString(), 'zero\none\ntwo\n\nfour\nfive\nsix\n\n');
  });

  test('says what was done with one place, and names lines anew', async () => {
    await using open = await session({ files: { a: poem } });
    const said: [Edit, RegExp][] = [
      [{ from: named(2, 'two'), to: named(3, 'three'), text: 'x' }, /^Edited a: lines 2-3 replaced by 1 line\.\n/],
      [{ from: named(2, 'x'), text: '' }, /^Edited a: line 2 taken out\.\n/],
      [{ after: named(1, 'one'), text: 'two\nthree' }, /^Edited a: 2 lines put after line 1\.\n/],
      [
        { after: '0', text: 'zero' },
        /^Edited a: 1 line put at the start\.\n1:\w{3}\tzero\n2:\w{3}\tone\n3:\w{3}\ttwo$/,
      ],
    ];
    for (const [edit, expected] of said) {
      const { result } = await editLines(open, 'a', [edit], edit === said[0]?.[0]);
      assert.match(result.text, expected);
    }
    // The names in a result can be used at once.
    const [, name = ''] = /^(\d+:\w{3})\ttwo$/m.exec(open.results().at(-1)?.text ?? '') ?? [];
    const { bytes } = await editLines(open, 'a', [{ from: name, text: 'TWO' }], false);
    assert.equal(bytes.toString(), 'zero\none\nTWO\nthree\nfour\nfive\n');
  });

  test('edits at one line go in the order that they have', async () => {
    await using open = await session({ files: { a: poem } });
    const { bytes } = await editLines(open, 'a', [
      { after: named(1, 'one'), text: 'a' },
      { from: named(2, 'two'), text: 'b' },
      { after: named(1, 'one'), text: 'a2' },
      { after: named(2, 'two'), text: 'c' },
    ]);
    assert.equal(bytes.toString(), 'one\na\na2\nb\nc\nthree\nfour\nfive\n');
  });

  test('keeps line ends, also mixed ones, and the end of the file', async () => {
    const mixed = 'one\r\ntwo\nthree\r\nfour\nfive';
    await using open = await session({ files: { crlf: poem.replaceAll('\n', '\r\n'), mixed } });
    const crlf = await editLines(open, 'crlf', [{ from: named(2, 'two'), text: 'x\ny' }]);
    assert.equal(crlf.bytes.toString(), 'one\r\nx\r\ny\r\nthree\r\nfour\r\nfive\r\n');
    const made = await editLines(open, 'mixed', [
      { from: named(3, 'three'), text: '3' },
      { from: named(4, 'four'), text: '4' },
      { after: named(5, 'five'), text: 'six' },
    ]);
    assert.equal(made.bytes.toString(), 'one\r\ntwo\n3\r\n4\nfive\nsix');
    const last = await editLines(open, 'mixed', [{ from: named(6, 'six'), text: '6\n' }], false);
    assert.equal(last.bytes.toString(), 'one\r\ntwo\n3\r\n4\nfive\n6');
  });

  test('keeps encodings, and refuses what they don’t hold', async () => {
    const files = {
      latin: Buffer.from('caf\xe9 x\nb\n', 'latin1'),
      wide: Buffer.from('\ufeffä\r\nb\r\n', 'utf16le'),
    };
    await using open = await session({ files });
    const latin = await editLines(open, 'latin', [{ from: named(2, 'b'), text: 'è ' }]);
    assert.equal(latin.bytes.toString('latin1'), 'caf\xe9 x\n\xe8 \n');
    const refused = await editLines(open, 'latin', [{ from: named(1, 'café x'), text: '€' }], false);
    assert.match(refused.result.text, /“€” can’t be written into it safely/);
    assert.deepEqual(refused.bytes, latin.bytes);
    const wide = await editLines(open, 'wide', [{ from: named(1, 'ä'), text: '中\nö' }]);
    assert.equal(wide.bytes.toString('utf16le'), '\ufeff中\r\nö\r\nb\r\n');
  });

  test('what is sent is written as it is', async () => {
    await using open = await session({ files: { a: poem } });
    const text = '  x = "\\n\\0\\t"; // “é”\u00a0\t';
    const { bytes } = await editLines(open, 'a', [{ from: named(2, 'two'), text }]);
    assert.equal(bytes.toString(), poem.replace('two', text));
  });

  test('goes through links, and keeps the mode', async () => {
    await using open = await session({
      files: { run: { content: poem, mode: 0o755 }, link: { link: 'run' } },
    });
    const { result } = await editLines(open, 'link', [{ from: named(1, 'one'), text: '1' }]);
    assert.match(result.text, /^Edited run: line 1/);
    assert.ok((await lstat(join(open.workspace.path, 'link'))).isSymbolicLink());
    assert.equal((await stat(join(open.workspace.path, 'run'))).mode & 0o777, 0o755);
  });

  test('begins an empty file', async () => {
    await using open = await session({ files: { a: '' } });
    const { bytes } = await editLines(open, 'a', [{ after: '0', text: 'one\ntwo' }]);
    assert.equal(bytes.toString(), 'one\ntwo\n');
  });
});

describe('edit_lines that doesn’t fit leaves the file alone', () => {
  test('a line that is another one now: what stands there, and where the named one may be', async () => {
    await using open = await session({ files: { a: poem } });
    await open.call('read', { path: 'a' });
    await open.workspace.write('a', `new\n${poem}`);
    const { result, bytes } = await editLines(open, 'a', [{ from: named(2, 'two'), text: 'x' }], false);
    assert.equal(result.outcome, 'error');
    const shown = ['new', 'one', 'two', 'three', 'four'].map((line, index) => `${named(index + 1, line)}\t${line}`);
    assert.equal(
      result.text,
      [
        'a: nothing was changed.',
        `edits.0: ${named(2, 'two')} isn’t there, line 2 is another one now (${named(2, 'one')}). The line with that tag may now be ${named(3, 'two')}.`,
        ...shown,
      ].join('\n'),
    );
    assert.equal(bytes.toString(), `new\n${poem}`);
    assert.equal(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
  });

  test('where the tag stands twice, or nowhere, no place is named', async () => {
    await using open = await session({ files: { a: 'x\nsame\nsame\n' } });
    const twice = await editLines(open, 'a', [{ from: named(1, 'same'), text: '' }]);
    assert.doesNotMatch(twice.result.text, /may now be/);
    const nowhere = await editLines(open, 'a', [{ from: named(1, 'other'), text: '' }], false);
    assert.doesNotMatch(nowhere.result.text, /may now be/);
  });

  test('a line that is the first one now', async () => {
    await using open = await session({ files: { a: poem } });
    const { result } = await editLines(open, 'a', [{ from: named(2, 'one'), text: '' }]);
    assert.match(result.text, /The line with that tag may now be 1:/);
  });

  test('a line that is beyond the end', async () => {
    await using open = await session({ files: { a: poem } });
    const { result } = await editLines(open, 'a', [{ after: named(9, 'five'), text: 'x' }]);
    assert.match(result.text, /9:\w{3} isn’t there, the file has 5 lines\. The line with that tag may now be 5:/);
  });

  test('one of several doesn’t fit: none is applied, and all that don’t are named', async () => {
    await using open = await session({ files: { a: poem } });
    const { result, bytes } = await editLines(open, 'a', [
      { from: named(1, 'one'), text: 'x' },
      { from: named(2, 'other'), to: named(3, 'three'), text: 'y' },
      { after: named(5, 'other'), text: 'z' },
    ]);
    assert.match(result.text, /edits\.1: 2:/);
    assert.match(result.text, /edits\.2: 5:/);
    assert.doesNotMatch(result.text, /edits\.0/);
    assert.equal(bytes.toString(), poem);
  });

  test('many wrong lines are told in bounds', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `${'l'.repeat(500)}${index}`);
    await using open = await session({ files: { a: `${lines.join('\n')}\n` } });
    const edits = lines.map((_, index) => ({ from: named(index + 1, 'gone'), text: 'x' }));
    const { result } = await editLines(open, 'a', edits);
    assert.match(result.text, /\[495 more lines alike\]$/);
    assert.ok(result.text.length < 12_000, String(result.text.length));
  });

  const overlaps: [string, Edit[]][] = [
    [
      'the same line twice',
      [
        { from: named(2, 'two'), text: 'x' },
        { from: named(2, 'two'), text: 'y' },
      ],
    ],
    [
      'ranges that share a line',
      [
        { from: named(1, 'one'), to: named(3, 'three'), text: 'x' },
        { from: named(3, 'three'), text: '' },
      ],
    ],
    [
      'a range in a range',
      [
        { from: named(1, 'one'), to: named(5, 'five'), text: 'x' },
        { from: named(3, 'three'), text: '' },
      ],
    ],
    [
      'an insertion into a range',
      [
        { after: named(2, 'two'), text: 'x' },
        { from: named(2, 'two'), to: named(3, 'three'), text: '' },
      ],
    ],
  ];
  for (const [name, edits] of overlaps) {
    test(`edits that overlap: ${name}`, async () => {
      await using open = await session({ files: { a: poem } });
      const { result, bytes } = await editLines(open, 'a', edits);
      assert.match(result.text, /edits\.\d and edits\.\d overlap at line \d: join them into one\./);
      assert.equal(bytes.toString(), poem);
    });
  }

  const odd: [string, object, RegExp][] = [
    ['no edit', { edits: [] }, /^edits: there is none\. Nothing was changed\.$/],
    [
      'neither from nor after',
      { edits: [{ text: 'x' }] },
      /^edits\.0: `from` \(lines to replace\) or `after` \(to insert\) is missing/,
    ],
    ['both', { edits: [{ from: '1:aaa', after: '2:aaa', text: 'x' }] }, /^edits\.0: `after` inserts and stands alone/],
    ['to without from', { edits: [{ to: '2:aaa', text: 'x' }] }, /^edits\.0: `from` .* is missing/],
    ['to above from', { edits: [{ from: '2:aaa', to: '1:aaa', text: 'x' }] }, /^edits\.0: `to` is above `from`/],
    [
      'a number alone',
      { edits: [{ from: '2', text: 'x' }] },
      /^edits\.0\.from: “2” names no line\. Give number and tag as read shows them, like 12:k3f\./,
    ],
    [
      'a whole line',
      { edits: [{ after: '2:aaa\ttwo', text: 'x' }] },
      /^edits\.0\.after: “2:aaa\ttwo” names no line.*, or 0 for the start of the file/,
    ],
    ['line 0', { edits: [{ from: '0', text: 'x' }] }, /^edits\.0\.from: “0” names no line/],
    ['nothing to insert', { edits: [{ after: '0', text: '' }] }, /^edits\.0\.text is empty: nothing to insert/],
    [
      'an unknown part',
      { edits: [{ from: '1:aaa', new: 'x', text: 'x' }] },
      /^edits\.0\.new: unknown; known are from, to, after, text/,
    ],
    [
      'an unknown argument',
      { edits: [{ from: '1:aaa', text: 'x' }], all: true },
      /^all: unknown; known are path, edits/,
    ],
    [
      'half of a surrogate pair',
      { edits: [{ after: '0', text: '\ud83d' }] },
      /^edits\.0\.text holds half of a surrogate pair/,
    ],
    ['a text that is missing', { edits: [{ from: '1:aaa' }] }, /edits\.0\.text: missing/],
    ['a number for a name', { edits: [{ from: 1, text: 'x' }] }, /edits\.0\.from/],
  ];
  for (const [name, args, expected] of odd) {
    test(`odd arguments: ${name}`, async () => {
      await using open = await session({ files: { a: poem } });
      await open.call('read', { path: 'a' });
      const result = await open.call('edit_lines', { path: 'a', ...args });
      assert.equal(result.outcome, 'error');
      assert.match(result.text, expected);
      assert.equal((await open.workspace.read('a')).toString(), poem);
    });
  }

  test('an unread file, a missing one, a folder, a binary one, one outside, nothing to change', async () => {
    await using open = await session({ files: { a: poem, 'dir/b': 'x\n', bin: Buffer.from([0, 1, 2]) } });
    const edits = [{ from: named(1, 'one'), text: 'x' }];
    const unread = await open.call('edit_lines', { path: 'a', edits });
    assert.match(unread.text, /a hasn’t been read in this session\. Read it, then send this edit again\./);
    assert.match((await open.call('edit_lines', { path: 'aa', edits })).text, /There is no aa\. The nearest names/);
    assert.match((await open.call('edit_lines', { path: 'dir', edits })).text, /dir is a folder/);
    assert.equal((await open.call('edit_lines', { path: '../a', edits })).outcome, 'denied');
    assert.equal((await editLines(open, 'bin', edits)).result.outcome, 'error');
    const same = await editLines(open, 'a', [{ from: named(1, 'one'), text: 'one' }]);
    assert.match(same.result.text, /Nothing would change/);
    assert.equal(same.bytes.toString(), poem);
  });

  test('a change elsewhere since it was read stays, and is said', async () => {
    await using open = await session({ files: { a: poem } });
    await open.call('read', { path: 'a' });
    await open.workspace.write('a', poem.replace('five', 'FIVE'));
    const { result, bytes } = await editLines(open, 'a', [{ from: named(1, 'one'), text: '1' }], false);
    assert.equal(result.outcome, 'ok', result.text);
    assert.match(result.text, /changed by something else since it was read/);
    assert.equal(bytes.toString(), poem.replace('five', 'FIVE').replace('one', '1'));
    assert.equal([...open.seen.values()][0]?.whole, false);
  });

  test('a change between looking and writing is refused, and nothing of it is lost', async () => {
    await using open = await session({
      files: { a: poem },
      wrap: (files) => ({
        ...files,
        write: async (path, bytes, expected) => {
          await appendFile(path, 'foreign\n');
          return files.write(path, bytes, expected);
        },
      }),
    });
    const { result, bytes } = await editLines(open, 'a', [{ from: named(1, 'one'), text: '1' }]);
    assert.match(result.text, /its content has changed meanwhile\. Nothing was changed; look at it again/);
    assert.equal(bytes.toString(), `${poem}foreign\n`);
  });
});

test('a person is shown what would be done', () => {
  const summary = editLinesTool.summary({
    path: 'a',
    edits: [
      { from: '1:aaa', to: '2:bbb', text: 'x\ny\n' },
      { after: '3:ccc', text: 'z' },
      { from: '4:ddd', text: '' },
    ],
  });
  assert.equal(summary, 'edit a\n@ 1:aaa to 2:bbb\n+ x\n+ y\n@ after 3:ccc\n+ z\n@ 4:ddd');
  const long = editLinesTool.summary({ path: 'a', edits: [{ after: '0', text: 'x'.repeat(100_000) }] });
  assert.ok(long.length < 4_000);
});
