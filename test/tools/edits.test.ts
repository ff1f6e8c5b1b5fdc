import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import {
  applyEdits,
  findText,
  linesAround,
  linesAt,
  lineSpans,
  lineText,
  openDocument,
  replaceSpans,
  type Replacement,
  type TextDocument,
} from '../../src/tools/edits/index.ts';

async function open(bytes: Buffer | string): Promise<TextDocument> {
  const document = await openDocument(Buffer.from(bytes as string));
  assert.ok(!('problem' in document), JSON.stringify(document));
  return document;
}

const replacement = (old: string, made: string, all = false): Replacement => ({ old, new: made, all });

async function editText(text: string, ...edits: Replacement[]) {
  return applyEdits(await open(text), edits);
}

const lineEnd = fc.constantFrom('\n', '\r\n');

describe('line ends', () => {
  test('a text with LF fits any mixture; shared first and last lines keep theirs', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '}'), maxLength: 4 });
    const lines = fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 6 });
    const text = (part: [string, string][]) => part.map(([content, end]) => content + end).join('');
    const plain = (part: [string, string][]) => part.map(([content]) => `${content}\n`).join('');
    await fc.assert(
      fc.asyncProperty(
        lines,
        lines,
        lines,
        lines,
        fc.array(line, { maxLength: 4 }),
        async (head, first, old, last, made) => {
          const target: [string, string][] = [...first, ['#unique#', '\r\n'], ...old, ...last];
          const file = text(head) + text(target);
          const wanted = plain(target);
          const put = plain(first) + made.map((content) => `${content}!\n`).join('') + plain(last);
          const result = await editText(file, replacement(wanted, put));
          assert.ok('bytes' in result, JSON.stringify(result));
          const after = result.bytes.toString();
          assert.ok(after.startsWith(text(head) + text(first)), JSON.stringify(after));
          assert.ok(after.endsWith(text(last)), JSON.stringify(after));
          assert.equal(after.replaceAll('\r\n', '\n'), plain(head) + put);
          assert.ok(!after.includes('\r\r'));
        },
      ),
      { numRuns: 300 },
    );
  });

  const cases: [name: string, file: string, old: string, made: string, after: string][] = [
    ['new lines take the end of the line that they replace', 'a\r\nb\nc\n', 'a', '1\n2', '1\r\n2\r\nb\nc\n'],
    ['and in the last line that of the line before', 'a\r\nb', 'b', '1\n2', 'a\r\n1\r\n2'],
    ['without any line end they have LF', 'a', 'a', '1\n2', '1\n2'],
    ['CRLF in the new text stays', 'a\nb\n', 'a', '1\r\n2', '1\r\n2\nb\n'],
    ['and gets no second CR', 'a\r\nb\r\n', 'a\nb', '1\r\n2\n3', '1\r\n2\r\n3\r\n'],
    ['lines that are others are counted from the start', 'a\nb\r\nc\nd', 'a\nb\nc\n', 'x\ny\n', 'x\ny\nd'],
    ['lines that stay at the start come before those at the end', 'a\nb\r\nb\n', 'a\nb\nb\n', 'a\nb\n', 'a\nb\r\n'],
    ['a line end alone may be replaced', 'a\r\nb\r\n', 'a\nb', 'ab', 'ab\r\n'],
    ['a lone carriage return is a character', 'a\rb\n', 'a\rb', 'c', 'c\n'],
    [
      'the first and the last line keep theirs',
      'a\nb\r\nc\nd\r\n',
      'a\nb\nc\n',
      'a\nx\ny\nc\n',
      'a\nx\r\ny\r\nc\nd\r\n',
    ],
    ['fewer lines than before', 'a\nb\r\nc\r\nd\n', 'a\nb\nc\nd\n', 'a\nd\n', 'a\nd\n'],
    ['lines that are alike at both ends', 'a\r\na\na\r\n', 'a\na\na\n', 'a\na\na\na\n', 'a\r\na\na\r\na\r\n'],
    ['a text that ends inside a line', 'a\r\nbc\nd\n', 'a\nb', 'a\nx\ny', 'a\r\nx\r\nyc\nd\n'],
  ];
  for (const [name, file, old, made, after] of cases) {
    test(name, async () => {
      const result = await editText(file, replacement(old, made));
      assert.ok('bytes' in result, JSON.stringify(result));
      assert.equal(result.bytes.toString(), after);
    });
  }

  test('CRLF in the old text stands for CRLF only', async () => {
    const document = await open('a\nb\r\na\r\nb\n');
    assert.deepEqual(findText(document, 'a\r\nb'), [{ start: 5, end: 9 }]);
    assert.deepEqual(findText(document, 'a\nb'), [
      { start: 0, end: 3 },
      { start: 5, end: 9 },
    ]);
    assert.deepEqual(findText(document, '\r'), [
      { start: 3, end: 4 },
      { start: 6, end: 7 },
    ]);
  });

  test('a carriage return alone stands for itself beside line ends, also at the end of a text', async () => {
    const document = await open('a\rb\r\nc\nd\r\n');
    assert.deepEqual(findText(document, 'a\rb\nc'), [{ start: 0, end: 6 }]);
    assert.deepEqual(findText(document, 'c\nd\r'), [{ start: 5, end: 9 }]);
    assert.deepEqual(findText(document, 'b\nc\r'), []);
  });

  test('places that lie apart are counted from where one asks', async () => {
    const document = await open('a\r\na\r\na\r\na');
    const from = (place: number) => findText(document, 'a\na', { from: place, apart: true });
    assert.deepEqual(
      [0, 1, 3, 4, 6, 7].map((place) => from(place).map(({ start }) => start)),
      [[0, 6], [3], [3], [6], [6], []],
    );
  });

  test('a text with a line end is found from a place in the middle of CRLF on', async () => {
    const document = await open('a\r\nb\r\nb\r\n');
    const starts = (from: number): number[] => findText(document, 'b\n', { from }).map(({ start }) => start);
    assert.deepEqual([0, 3, 4, 5, 6, 7, 99].map(starts), [[3, 6], [3, 6], [6], [6], [6], [], []]);
    // The line end before it begins with its CR.
    assert.deepEqual(findText(document, '\nb', { from: 1 }), [
      { start: 1, end: 4 },
      { start: 4, end: 7 },
    ]);
    assert.deepEqual(findText(document, '\nb', { from: 2 }), [{ start: 4, end: 7 }]);
  });
});

describe('edits', () => {
  test('`all` replaces each match, left to right, and counts the lines right', async () => {
    const pieces = fc.array(fc.constantFrom('x', 'yy', '\n', '\r\n', 'é', 'xx'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom('', 'z', 'z\nz', 'z\n'), async (parts, made) => {
        const file = parts.join('');
        const result = await editText(file, replacement('x', made, true));
        if (!file.includes('x')) {
          assert.ok('problem' in result);
          return;
        }
        assert.ok('bytes' in result);
        const after = result.bytes.toString();
        assert.equal(after.replaceAll('\r\n', '\n'), file.replaceAll('\r\n', '\n').replaceAll('x', made));
        const lines = after.split('\n').length;
        for (const { before, after: now } of result.places) {
          assert.ok(before[0] >= 1 && before[1] >= before[0]);
          assert.ok(now[0] >= 1 && now[1] <= lines, JSON.stringify({ now, lines }));
        }
      }),
    );
  });

  test('`all` replaces matches that overlap once, from the left', async () => {
    for (const [file, after] of [
      ['aaa', 'ba'],
      ['aaaa', 'bb'],
    ] as const) {
      const result = await editText(file, replacement('aa', 'b', true));
      assert.ok('bytes' in result);
      assert.equal(result.bytes.toString(), after);
    }
    const lines = await editText('a\r\na\r\na\r\n', replacement('a\na', 'b', true));
    assert.ok('bytes' in lines);
    assert.equal(lines.bytes.toString(), 'b\r\na\r\n');
  });

  test('the second sees the result of the first', async () => {
    const result = await editText('one\ntwo\n', replacement('one', 'two!'), replacement('two!\ntwo', 'three'));
    assert.ok('bytes' in result);
    assert.equal(result.bytes.toString(), 'three\n');
    const again = await editText('one\n', replacement('one', 'two'), replacement('one', 'three'));
    assert.ok('problem' in again);
    assert.equal(again.number, 2);
    assert.match(again.problem, /isn’t in the file as it is now/);
  });

  test('an unambiguous place may become ambiguous by an edit before', async () => {
    const result = await editText('a\nb\n', replacement('a', 'b'), replacement('b', 'c'));
    assert.ok('problem' in result);
    assert.equal(result.number, 2);
    assert.match(result.problem, /stands there 2 times.*:\n1\tb\n2\tb$/);
  });

  test('their lines are those of the text after all of them', async () => {
    const text = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join('');
    const result = await editText(
      text,
      replacement('line 8', 'eight\nand a half'),
      replacement('line 2\n', ''),
      replacement('line 5', 'five'),
    );
    assert.ok('bytes' in result);
    assert.deepEqual(result.places, [
      { before: [8, 8], after: [7, 8] },
      { before: [2, 2], after: [2, 1] },
      { before: [4, 4], after: [4, 4] },
    ]);
  });

  test('what an edit put there and a later one changed counts as one place of the later', async () => {
    const result = await editText('a\nb\nc\n', replacement('b', '1\n2\n3'), replacement('2', 'x\ny'));
    assert.ok('bytes' in result);
    assert.equal(result.bytes.toString(), 'a\n1\nx\ny\n3\nc\n');
    assert.deepEqual(result.places, [
      { before: [2, 2], after: [2, 5] },
      { before: [3, 3], after: [3, 4] },
    ]);
  });

  const carried: [name: string, file: string, edits: Replacement[], first: [number, number]][] = [
    ['lines come in above', 'a\nb\nc\n', [replacement('b', 'x'), replacement('a', '1\n2\n3')], [4, 4]],
    ['lines go above', 'a\nb\nc\n', [replacement('c', 'x'), replacement('a\nb\n', '')], [1, 1]],
    ['lines come in below', 'a\nb\nc\n', [replacement('a', 'x'), replacement('b', '1\n2')], [1, 1]],
    ['a change around it', 'a\nb\nc\nd\n', [replacement('b', 'x'), replacement('a\nx\nc', '1\n2\n3\n4')], [1, 4]],
    ['two changes in its line', 'a\nb\nc\n', [replacement('b', 'x x'), replacement('x', 'y\nz', true)], [2, 4]],
    ['a change of its first line', 'a\nb\nc\n', [replacement('b', '1\n2'), replacement('a\n1', 'x\ny\nz')], [1, 4]],
    ['a change of its last line', 'a\nb\nc\n', [replacement('b', '1\n2'), replacement('2\nc', 'x\ny\nz')], [2, 5]],
    ['changes above and below', 'a\nb\na\n', [replacement('b', 'x'), replacement('a', '1\n2', true)], [3, 3]],
    [
      'it is nothing, and nothing stands before it',
      'bb\n',
      [replacement('\n', ''), replacement('b', '\nx', true)],
      [1, 0],
    ],
    ['it is nothing, and lines come in above', 'a\nb\nc\n', [replacement('b\n', ''), replacement('a', '1\n2')], [3, 2]],
    [
      'it is nothing, and the line after it changes',
      'a\nb\nc\n',
      [replacement('b\n', ''), replacement('c', '1\n2')],
      [2, 1],
    ],
  ];
  for (const [name, file, edits, first] of carried) {
    test(`the place of the first, when ${name} by the second`, async () => {
      const result = await editText(file, ...edits);
      assert.ok('bytes' in result, JSON.stringify(result));
      assert.deepEqual(result.places[0]?.after, first);
    });
  }

  test('an empty old text, the same new text, nothing but other line ends: refused', async () => {
    const problemOf = async (file: string, edit: Replacement): Promise<string> => {
      const result = await editText(file, edit);
      assert.ok('problem' in result);
      return result.problem;
    };
    assert.match(await problemOf('a', replacement('', 'b')), /only creates a file/);
    assert.match(await problemOf('a', replacement('a', 'a')), /are the same/);
    assert.match(await problemOf('a\r\nb', replacement('a\r\nb', 'a\nb')), /Nothing would change/);
  });

  test('several matches are shown with their lines, ten at most, long lines cut', async () => {
    const file = Array.from({ length: 12 }, (_, index) => `${'-'.repeat(index * 20)}x${index}\n`).join('');
    const result = await editText(file, replacement('x', 'y'));
    assert.ok('problem' in result);
    const [head, ...lines] = result.problem.split('\n');
    assert.match(head ?? '', /^`old` stands there 12 times; it must be unique\./);
    assert.equal(lines.length, 11);
    assert.equal(lines[1], `2\t${'-'.repeat(20)}x1`);
    assert.match(lines[9] ?? '', /^10\t-{120} \[\.\.\. 62 more characters in this line\]$/);
    assert.equal(lines[10], '[2 more]');
  });
});

describe('encodings', () => {
  test('UTF-16 of either order, odd bytes at the end included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.boolean(), async (content, big, odd) => {
        const text = `\ufeff${content.replaceAll(/[\0-\x1f@]/g, '')}@1@ tail\r\n`;
        const little = Buffer.from(text, 'utf16le');
        const body = big ? Buffer.from(little).swap16() : little;
        const file = odd ? Buffer.concat([body, Buffer.from([0x41])]) : body;
        const result = applyEdits(await open(file), [replacement('@1@', '2\n中')]);
        assert.ok('bytes' in result, JSON.stringify(result));
        const wanted = Buffer.from(text.replace('@1@', '2\r\n中'), 'utf16le');
        const expected = big ? Buffer.from(wanted).swap16() : wanted;
        assert.deepEqual(result.bytes, odd ? Buffer.concat([expected, Buffer.from([0x41])]) : expected);
      }),
    );
  });

  test('a byte order mark is no text: it is neither found nor replaced', async () => {
    for (const bytes of [Buffer.from('\ufeffab'), Buffer.from('\ufeffab', 'utf16le')]) {
      const document = await open(bytes);
      assert.deepEqual(findText(document, '\ufeff'), []);
      assert.deepEqual(
        lineSpans(document).map((span) => lineText(document, span)),
        ['ab'],
      );
      const result = applyEdits(document, [replacement('ab', '')]);
      assert.ok('bytes' in result);
      assert.deepEqual(result.bytes, bytes.subarray(0, bytes.length === 5 ? 3 : 2));
    }
  });

  const chinese = '// 这是一个用于测试的注释，请不要修改。计算两个日期之间的天数\nint a = 1; // 甲\n';

  test('text of a legacy encoding is found and replaced as text', async () => {
    const document = await open(iconv.encode(chinese, 'gb18030'));
    const result = applyEdits(document, [replacement('请不要修改', '请修改'), replacement('甲', '乙\n丙')]);
    assert.ok('bytes' in result, JSON.stringify(result));
    assert.deepEqual(
      result.bytes,
      iconv.encode(chinese.replace('请不要修改', '请修改').replace('甲', '乙\n丙'), 'gb18030'),
    );
  });

  test('a later edit goes by the encoding of the file, also where few letters are left', async () => {
    const document = await open(iconv.encode(chinese, 'gb18030'));
    const [line] = chinese.split('\n');
    const result = applyEdits(document, [replacement(`${line}\n`, ''), replacement('甲', '乙')]);
    assert.ok('bytes' in result, JSON.stringify(result));
    assert.deepEqual(result.bytes, iconv.encode('int a = 1; // 乙\n', 'gb18030'));
  });

  test('what an encoding doesn’t hold is named', async () => {
    const document = await open(iconv.encode(chinese, 'gb18030'));
    const refused = applyEdits(document, [replacement('甲', '\ufffd')]);
    assert.ok('problem' in refused);
    assert.match(refused.problem, /encoding is GB18030 \(GBK\): “\ufffd” can’t be written into it safely/);
    const half = applyEdits(document, [replacement('甲', 'x\ud83d')]);
    assert.ok('problem' in half);
    assert.match(half.problem, /half of a surrogate pair/);
  });

  test('in an unknown encoding no place begins or ends inside what may be a character', async () => {
    // 95 5C is one character of Shift-JIS, and so is 83 65; nothing says that it is Shift-JIS.
    const document = await open(Buffer.from('a \x95\\b \x83e c\n', 'latin1'));
    assert.equal(document.encoded.encoding, '8-bit');
    for (const [old, made] of [
      ['\\b', 'x'],
      ['a \x95', 'x'],
      ['\x95', ''],
      ['e c', 'x'],
    ] as const) {
      const result = applyEdits(document, [replacement(old, made)]);
      assert.ok('problem' in result, old);
      assert.match(result.problem, /^At line 1 .* perhaps inside a character/);
    }
    // 80 is the first byte above 7F; a blank is no second half of anything.
    const edges = await open(Buffer.from('q \x83 x \x80b\n', 'latin1'));
    assert.equal(edges.encoded.encoding, '8-bit');
    assert.ok('problem' in applyEdits(edges, [replacement('b', 'x')]));
    assert.ok('bytes' in applyEdits(edges, [replacement(' x', ' y')]));
    assert.ok('bytes' in applyEdits(edges, [replacement('q \x83', 'q')]));
    const fine = applyEdits(document, [replacement('\x95\\b \x83e', 'x')]);
    assert.ok('bytes' in fine, JSON.stringify(fine));
    assert.deepEqual(fine.bytes, Buffer.from('a x c\n'));
  });

  test('in an unknown encoding bytes of the replaced text may be repeated, in whole runs', async () => {
    const file = Buffer.from('a(); // \xd6\xd0\xce\xc4 \xe9\nb(); // \x95\\ x\n', 'latin1');
    const document = await open(file);
    assert.equal(document.encoded.encoding, '8-bit');
    const text = file.toString('latin1').trimEnd();
    for (const made of [
      text.replace('a()', 'c()'),
      text.split('\n').toReversed().join('\n'),
      'x',
      '// \x95\\\n// \x95\\\n// \xe9',
    ]) {
      const result = applyEdits(document, [replacement(text, made)]);
      assert.ok('bytes' in result, JSON.stringify(result));
      assert.deepEqual(result.bytes, Buffer.from(`${made}\n`, 'latin1'));
    }
    for (const made of [
      // A part of a run, a longer one, a first half with another second half, and letters that the text hasn't.
      text.replace('\xd6\xd0\xce\xc4', '\xd6\xd0'),
      text.replace('\xd6\xd0\xce\xc4 \xe9', '\xd6\xd0\xce\xc4\xe9'),
      text.replace('\x95\\', '\x95'),
      text.replace('\x95\\', '\x95b'),
      text.replace('\xe9', '\xe9a'),
      text.replace('\xe9', '\xe8'),
      `${text} 中`,
    ]) {
      const result = applyEdits(document, [replacement(text, made)]);
      assert.ok('problem' in result, JSON.stringify(made));
      assert.match(result.problem, /can’t be written into it safely/);
    }
    const named = applyEdits(document, [replacement(text, `${text} 中`)]);
    assert.ok('problem' in named);
    assert.match(named.problem, /“中” can’t be written/);
    // Elsewhere in the file is not in the replaced text.
    assert.ok('problem' in applyEdits(document, [replacement('a()', '\xe9')]));
  });

  test('in Shift-JIS a backslash is found only where it is one', async () => {
    const japanese = '日本語のコメントです。修正しないでください。エラーが発生しました。表\\n表n\n';
    const document = await open(iconv.encode(japanese, 'shift_jis'));
    const result = applyEdits(document, [replacement('\\n', '\\t')]);
    assert.ok('bytes' in result, JSON.stringify(result));
    assert.deepEqual(result.bytes, iconv.encode(japanese.replace('\\n', '\\t'), 'shift_jis'));
  });

  test('half of a pair of characters that has bytes of its own is no place', async () => {
    // Big5 has two bytes for a letter with two marks, which are two characters.
    const text = '這是一個用於測試的註解，請不要修改。計算兩個日期之間的天數 Ê̄ \n';
    const document = await open(iconv.encode(text, 'big5'));
    assert.equal(document.encoded.encoding, 'big5');
    const at = document.units.indexOf('Ê');
    const result = replaceSpans(document, [{ span: { start: at, end: at + 1 }, text: 'E' }]);
    assert.ok('problem' in result);
    assert.match(result.problem, /perhaps inside a character/);
    const joined = replaceSpans(document, [{ span: { start: at + 2, end: at + 2 }, text: '!' }]);
    assert.ok('bytes' in joined);
    assert.deepEqual(joined.bytes, iconv.encode(text.replace('Ê̄', 'Ê̄!'), 'big5'));
  });

  test('half of a surrogate pair is no place in bytes of four', async () => {
    const document = await open(iconv.encode(`${chinese}😀\n`, 'gb18030'));
    assert.equal(document.encoded.encoding, 'gb18030');
    const at = document.units.indexOf('😀');
    for (const span of [
      { start: at, end: at + 1 },
      { start: at + 1, end: at + 2 },
      { start: at + 1, end: at + 1 },
    ]) {
      const result = replaceSpans(document, [{ span, text: 'x' }]);
      assert.ok('problem' in result);
      assert.match(result.problem, /^At line 3 /);
    }
    const whole = replaceSpans(document, [{ span: { start: at, end: at + 2 }, text: '𠀀' }]);
    assert.ok('bytes' in whole);
    assert.deepEqual(whole.bytes, iconv.encode(`${chinese}𠀀\n`, 'gb18030'));
  });

  test('bytes that would become another character side by side are refused', async () => {
    // An encoding in which the bytes of a and b together are one character.
    const table = {
      encoding: 'big5' as const,
      decode: (bytes: Buffer) => bytes.toString('latin1').replaceAll('ab', '甲'),
      encode: (text: string) => Buffer.from(text.replaceAll('甲', 'ab'), 'latin1'),
    };
    const bytes = Buffer.from('\na-b 甲'.replace('甲', 'ab'), 'latin1');
    const document: TextDocument = { bytes, encoded: { encoding: 'big5', mark: 0, table }, units: '\na-b 甲' };
    const result = applyEdits(document, [replacement('-', '')]);
    assert.ok('problem' in result);
    assert.match(result.problem, /^At line 2 /);
    const fine = applyEdits(document, [replacement('-', '+'), replacement('甲', 'c')]);
    assert.ok('bytes' in fine);
    assert.equal(fine.bytes.toString(), '\na+b c');
  });

  test('binary is refused', async () => {
    assert.deepEqual(await openDocument(Buffer.from('a\0b')), {
      problem: 'The file is binary; it can’t be edited as text.',
    });
  });
});

test('places overlap unless they are to lie apart', async () => {
  const document = await open('aaa');
  const starts = (apart?: boolean) =>
    findText(document, 'aa', apart === undefined ? {} : { apart }).map(({ start }) => start);
  assert.deepEqual([starts(), starts(false), starts(true)], [[0, 1], [0, 1], [0]]);
  assert.equal(findText(document, 'aa').length, 2);
  assert.deepEqual(findText(document, ''), []);
});

test('a text that an encoding can’t hold isn’t in the file', async () => {
  for (const [file, wanted] of [
    [Buffer.from('caf\xe9 x\n', 'latin1'), '€'],
    [Buffer.from('// \xd6\xd0\n', 'latin1'), '中'],
    [Buffer.from('é'), '\ud83d'],
  ] as const) {
    assert.deepEqual(findText(await open(file), wanted), []);
  }
});

test('lines of a document', async () => {
  const document = await open('one\r\n\ntwo\rthree\nlast');
  assert.deepEqual(lineSpans(document), [
    { start: 0, end: 3 },
    { start: 5, end: 5 },
    { start: 6, end: 15 },
    { start: 16, end: 20 },
  ]);
  assert.equal(lineText(document, { start: 6, end: 15 }), 'two\rthree');
  assert.equal(lineText(await open(Buffer.from('\ufeffé 中', 'utf16le')), { start: 2, end: 3 }), '中');
  assert.equal(lineText(await open(Buffer.from('caf\xe9 x', 'latin1')), { start: 0, end: 4 }), 'café');
  assert.deepEqual(lineSpans(await open('')), []);
  assert.deepEqual(lineSpans(await open('\n')), [{ start: 0, end: 0 }]);
});

test('lines by their numbers, and those around places', async () => {
  const document = await open('one\r\ntwo\nthree\nfour');
  const lines = linesAt(document, new Set([2, 4, 9]));
  assert.equal(lines.length, 4);
  assert.deepEqual(Object.entries(lines), [
    ['1', 'two'],
    ['3', 'four'],
  ]);
  assert.deepEqual(linesAt(await open(''), new Set([1])), []);
  const place = (from: number, to: number) => ({
    before: [1, 1] as [number, number],
    after: [from, to] as [number, number],
  });
  assert.deepEqual([...linesAround([place(2, 3), place(7, 6)], 1)], [1, 2, 3, 4, 6, 7]);
  assert.deepEqual([...linesAround([place(2, 2)], 0)], [2]);
  assert.deepEqual([...linesAround([place(1, 1)], 2)], [1, 2, 3]);
});

test('the lines of a replacement of whole lines, and of parts', async () => {
  const cases: [old: string, made: string, before: [number, number], after: [number, number]][] = [
    ['b\n', 'x\ny\n', [2, 2], [2, 3]],
    ['b\n', '\nx', [2, 3], [2, 3]],
    ['b\n', 'x', [2, 3], [2, 2]],
    ['b\n', '', [2, 2], [2, 1]],
    ['b\nc', 'x', [2, 3], [2, 2]],
    ['b', 'x\n', [2, 2], [2, 3]],
    ['\nb', '', [1, 2], [1, 1]],
  ];
  for (const [old, made, before, after] of cases) {
    const result = await editText('a\nb\nc\n', replacement(old, made));
    assert.ok('bytes' in result);
    assert.deepEqual(result.places, [{ before, after }], JSON.stringify([old, made]));
  }
});

test('insertions at the start, in the middle and at the end', async () => {
  const document = await open('a\r\nc\r\n');
  const insert = (at: number, text: string) => ({ span: { start: at, end: at }, text });
  const result = replaceSpans(document, [insert(0, '0\n'), insert(3, 'b\n'), insert(6, 'd\n')]);
  assert.ok('bytes' in result);
  assert.equal(result.bytes.toString(), '0\r\na\r\nb\r\nc\r\nd\r\n');
  assert.deepEqual(
    result.places.map(({ after }) => after),
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  );
});
