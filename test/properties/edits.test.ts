import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import {
  applyEdits,
  findText,
  lineSpans,
  lineText,
  openDocument,
  replaceSpans,
  textOf,
  type Replacement,
  type Span,
  type TextDocument,
} from '../../src/tools/edits/index.ts';

/** The engine on bytes, as the tools use it. */
async function editBytes(bytes: Buffer, edits: readonly Replacement[]) {
  const document = await openDocument(bytes);
  return 'problem' in document ? document : applyEdits(document, edits);
}

const lineEnd = fc.constantFrom('\n', '\r\n');
const withoutControls = (text: string): string => text.replaceAll(/[\0-\x1f\x7f]/g, '');

/** How a file may be encoded: lines of it, what follows the marker, new text, and what its bytes are. */
interface Kind {
  name: string;
  /** Characters of lines and of new text. */
  letters: fc.Arbitrary<string>;
  /** So much of it at the start that the encoding is sure. */
  head: string;
  encode: (text: string) => Buffer;
}

const legacy = (name: string, letters: string, head: string): Kind => ({
  name,
  letters: fc.constantFrom(...Array.from(letters)),
  head,
  encode: (text) => iconv.encode(text, name),
});
const grapheme = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).map(withoutControls);
const mark = '\ufeff';

const kinds: Kind[] = [
  { name: 'UTF-8', letters: grapheme, head: '', encode: (text) => Buffer.from(text) },
  { name: 'UTF-8 with a mark', letters: grapheme, head: '', encode: (text) => Buffer.from(mark + text) },
  { name: 'UTF-16, little', letters: grapheme, head: '', encode: (text) => Buffer.from(mark + text, 'utf16le') },
  { name: 'UTF-16, big', letters: grapheme, head: '', encode: (text) => Buffer.from(mark + text, 'utf16le').swap16() },
  {
    name: 'Latin-1',
    letters: fc.constantFrom(...Array.from('abc xyz {};')),
    head: 'le café où la crème brûlée est née\n',
    encode: (text) => Buffer.from(text, 'latin1'),
  },
  legacy(
    'gb18030',
    'ab {};中文测试表示汉字的双字节編輯',
    '这是一个用于测试的注释，请不要修改。计算两个日期之间的天数\n',
  ),
  legacy('big5', 'ab {};中文測試功能許蓋', '這是一個用於測試的註解，請不要修改。計算兩個日期之間的天數\n'),
  legacy(
    'shift_jis',
    'ab {};表ソ能示日本語のテスト',
    '日本語のコメントです。修正しないでください。エラーが発生しました。\n',
  ),
  legacy(
    'euc-kr',
    'ab {};한국어주석파일',
    '이 파일은 테스트용입니다. 수정하지 마세요. 설정 파일을 찾을 수 없습니다.\n',
  ),
  legacy(
    'windows-1251',
    ' {};файлошибка',
    'Это комментарий на русском языке, не изменяйте его. Ошибка: файл не найден.\n'.repeat(10),
  ),
];

interface Sample {
  before: string;
  after: string;
}

/** A file with a place in it that stands nowhere else: what comes before, and what after. */
function samples({ letters, head }: Kind): fc.Arbitrary<Sample> {
  const line = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''));
  const lines = fc
    .array(fc.tuple(line, lineEnd), { maxLength: 8 })
    .map((all) => all.map(([text, end]) => text + end).join(''));
  return fc
    .record({ before: lines, start: line, rest: line, end: fc.constantFrom('\n', '\r\n', ''), after: lines })
    .map(({ before, start, rest, end, after }) => ({
      before: head + before + start,
      after: end === '' ? rest : rest + end + after,
    }));
}

const marker = '##marker 7##';
const plain = (text: string): string => text.replaceAll('\r\n', '\n');

describe('every byte outside the replaced place is kept, and putting the old text back gives the old file', () => {
  for (const kind of kinds) {
    const text = fc
      .array(fc.oneof(kind.letters, fc.constantFrom('\n', '\t', '$&', '\\n', '"')), { maxLength: 8 })
      .map((parts) => parts.join(''));
    test(kind.name, async () => {
      await fc.assert(
        fc.asyncProperty(samples(kind), text, async ({ before, after }, replacement) => {
          const start = kind.encode(before);
          const whole = kind.encode(before + marker + after);
          const rest = whole.subarray(kind.encode(before + marker).length);
          const document = await openDocument(whole);
          assert.ok(!('problem' in document), JSON.stringify(document));
          assert.equal(textOf(document), before + marker + after);
          const result = applyEdits(document, [{ old: marker, new: replacement, all: false }]);
          assert.ok('bytes' in result, JSON.stringify(result));
          assert.deepEqual(result.bytes.subarray(0, start.length), start);
          assert.deepEqual(result.bytes.subarray(result.bytes.length - rest.length), rest);
          const made = textOf(result.document).slice(before.length, textOf(result.document).length - after.length);
          assert.equal(plain(made), replacement);
          assert.ok(!made.includes('\r\r'));
          // What the bytes say by themselves is what the engine says that they are.
          assert.equal(textOf({ ...result.document, bytes: result.bytes }), before + made + after);
          if (replacement === '' || findText(result.document, replacement).length !== 1) return;
          const back = applyEdits(result.document, [{ old: replacement, new: marker, all: false }]);
          assert.ok('bytes' in back, JSON.stringify(back));
          assert.deepEqual(back.bytes, whole);
        }),
        { numRuns: 150 },
      );
    });
  }
});

test('any bytes: what is outside stays, or nothing is done', async () => {
  const line = fc
    .uint8Array({ maxLength: 16 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte >= 0x20 && byte !== 0x7f)));
  const part = fc
    .array(fc.tuple(line, lineEnd), { maxLength: 6 })
    .map((lines) => Buffer.concat(lines.flatMap(([bytes, end]) => [bytes, Buffer.from(end)])));
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '中', ' ', '\t', '\n', '$', '\\', '\ufffd'), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(part, line, line, part, text, async (before, left, right, after, replacement) => {
      const start = Buffer.concat([before, left]);
      const rest = Buffer.concat([right, Buffer.from('\n'), after]);
      const result = await editBytes(Buffer.concat([start, Buffer.from(marker), rest]), [
        { old: marker, new: replacement, all: false },
      ]);
      if ('problem' in result) {
        assert.match(
          result.problem,
          /binary|can’t be written into it safely|perhaps inside a character|isn’t in the file/,
        );
        return;
      }
      assert.deepEqual(result.bytes.subarray(0, start.length), start);
      assert.deepEqual(result.bytes.subarray(result.bytes.length - rest.length), rest);
      const made = result.bytes.subarray(start.length, result.bytes.length - rest.length);
      assert.equal(made.includes(Buffer.from('\ufffd')), replacement.includes('\ufffd'));
    }),
    { numRuns: 1500 },
  );
});

/** A file of few letters, so that much of it matches, and edits of it. */
const letter = fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '中');
const smallFile = fc.array(letter, { maxLength: 24 }).map((parts) => parts.join(''));
const word = fc.array(fc.constantFrom('a', 'b', '\n', 'é', '中'), { maxLength: 3 }).map((parts) => parts.join(''));
const someEdits = fc.array(fc.record({ old: word, new: word, all: fc.boolean() }), { minLength: 1, maxLength: 4 });

/** What the edits mean, on a text with LF alone. */
function meant(text: string, edits: readonly Replacement[]): string | undefined {
  let now = plain(text);
  for (const { old, new: made, all } of edits) {
    const places = Array.from(now).keys();
    if (old === '' || old === made) return undefined;
    const found = [...places].filter((at) => now.startsWith(old, at)).length;
    if (found === 0 || (found > 1 && !all)) return undefined;
    now = now.split(old).join(made);
  }
  return now;
}

test('several edits mean what they mean one after the other, all or none; line ends apart', async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(smallFile, someEdits, async (text, edits) => {
      const bytes = Buffer.from(text);
      const copy = Buffer.from(bytes);
      const expected = meant(text, edits);
      const result = await editBytes(bytes, edits);
      assert.deepEqual(bytes, copy);
      if ('problem' in result) {
        // An edit that only line ends could mean does nothing.
        if (!/Nothing would change/.test(result.problem)) assert.equal(expected, undefined, result.problem);
        return;
      }
      applied += 1;
      assert.equal(plain(result.bytes.toString()), expected);
    }),
    { numRuns: 3000 },
  );
  assert.ok(applied > 60, String(applied));
});

test('the lines that a result names are lines of the file, and each holds what was put there', async () => {
  await fc.assert(
    fc.asyncProperty(smallFile, someEdits, async (text, edits) => {
      const numbered = edits.map((edit, index) => ({ ...edit, new: edit.new === '' ? '' : `${edit.new}#${index}#` }));
      const result = await editBytes(Buffer.from(text), numbered);
      if ('problem' in result) return;
      const lines = lineSpans(result.document).map((span) => lineText(result.document, span));
      for (const { before, after } of result.places) {
        assert.ok(before[0] >= 1 && before[1] >= before[0], JSON.stringify(before));
        assert.ok(
          after[0] >= 1 && after[1] >= after[0] - 1 && after[1] <= lines.length + 1,
          JSON.stringify({ after, lines }),
        );
      }
      const last = numbered.at(-1);
      if (last === undefined || last.new === '') return;
      const places = result.places.slice(-1);
      for (const { after } of places) {
        const there = lines.slice(after[0] - 1, after[1]).join('\n');
        assert.ok(there.includes(`#${numbered.length - 1}#`), JSON.stringify({ there, after, lines }));
      }
    }),
    {
      numRuns: 1500,
      examples: [
        [
          'b\r\n\r\na',
          [
            { old: 'a', new: '', all: false },
            { old: 'b\n', new: 'a', all: false },
          ],
        ],
      ],
    },
  );
});

describe('places', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'é', '😀'), { maxLength: 30 })
    .map((parts) => parts.join(''));

  test('are all that there are, in rising order, from where one asks', async () => {
    await fc.assert(
      fc.asyncProperty(texts, word, fc.boolean(), fc.nat(40), async (text, wanted, apart, from) => {
        const document = (await openDocument(Buffer.from(`\ufeff${text}`, 'utf16le'))) as TextDocument;
        const spans = findText(document, wanted, { apart, from });
        const expected: Span[] = [];
        const end = wanted === '' ? 0 : text.length;
        for (let start = from; start < end; start++) {
          const matched = endOfMatch(text, wanted, start);
          if (matched === undefined || (apart && start < (expected.at(-1)?.end ?? 0))) continue;
          expected.push({ start, end: matched });
        }
        assert.deepEqual(spans, expected);
      }),
      {
        numRuns: 1500,
        // What begins in the middle of a line end is no place, and hides none.
        examples: [
          ['aaa\r\n\r\n\r\n', '\n\n', true, 4],
          ['a\n\n\r\nb', '\n\r\n', true, 0],
        ],
      },
    );
  });

  /** Where a text ends that begins at a place, LF in it standing for both line ends; a match of CRLF begins at the CR. */
  function endOfMatch(text: string, wanted: string, start: number): number | undefined {
    let at = start;
    for (const [index, character] of Array.from(wanted.split('')).entries()) {
      if (character === '\n' && text.startsWith('\r\n', at)) at += 2;
      else if (character === text[at] && !(character === '\n' && index === 0 && text[at - 1] === '\r')) at += 1;
      else return undefined;
    }
    return at;
  }

  test('of lines cover the file but for its line ends', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const document = (await openDocument(Buffer.from(text))) as TextDocument;
        const spans = lineSpans(document);
        const lines = spans.map((span) => lineText(document, span));
        const expected = text.split(/\r?\n/);
        if (expected.at(-1) === '') expected.pop();
        assert.deepEqual(lines, expected);
        for (const [index, { end }] of spans.entries()) {
          const next = spans[index + 1]?.start ?? document.units.length;
          assert.match(document.units.slice(end, next), /^(?:\r?\n)?$/);
        }
      }),
    );
  });

  test('are replaced all at once, each by its text', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(30), { maxLength: 6 }), async (text, cuts) => {
        const document = (await openDocument(Buffer.from(`\ufeff${text}`, 'utf16le'))) as TextDocument;
        const places = cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b);
        const spans = places.flatMap((end, index) => (index % 2 === 1 ? [{ start: places[index - 1] ?? 0, end }] : []));
        const result = replaceSpans(
          document,
          spans.map((span, index) => ({ span, text: `<${index}>` })),
        );
        assert.ok('bytes' in result);
        const expected = spans.reduceRight(
          (now, { start, end }, index) => `${now.slice(0, start)}<${index}>${now.slice(end)}`,
          text,
        );
        assert.equal(result.bytes.toString('utf16le'), `\ufeff${expected}`);
        assert.equal(result.places.length, spans.length);
      }),
    );
  });
});
