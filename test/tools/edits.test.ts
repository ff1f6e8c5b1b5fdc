import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { applyEdit } from '../../src/tools/edits/index.ts';

/** Lines with their ends, in bytes: the sum of them is the file. */
const encodings = {
  // Every byte but those that make a file binary or a line end.
  bytes: fc
    .uint8Array({ maxLength: 12 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte >= 0x20 && byte !== 0x7f))),
  utf8: fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => Buffer.from(text.replaceAll(/[\0-\x1f]/g, ''))),
};
const lineEnd = fc.constantFrom('\n', '\r\n');

/** A file of lines with a marker line in the middle that stands nowhere else. */
const fileWithMarker = (line: fc.Arbitrary<Buffer>) =>
  fc.record({
    before: fc.array(fc.tuple(line, lineEnd), { maxLength: 8 }),
    marked: fc.tuple(line, line),
    end: fc.constantFrom('\n', '\r\n', ''),
    after: fc.array(fc.tuple(line, lineEnd), { maxLength: 8 }),
  });

const marker = '##marker 7##';
const joined = (lines: [Buffer, string][]) => Buffer.concat(lines.flatMap(([line, end]) => [line, Buffer.from(end)]));
const ascii = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '\t', '\n', '$', '\\', '"', '&'), maxLength: 12 });

for (const [name, line] of Object.entries(encodings)) {
  test(`every byte outside the replaced span is kept: ${name}`, () => {
    fc.assert(
      fc.property(fileWithMarker(line), ascii, ({ before, marked, end, after }, text) => {
        const replacement = name === 'bytes' ? text.replaceAll('é', 'e') : text;
        const start = Buffer.concat([joined(before), marked[0]]);
        const rest = Buffer.concat([marked[1], Buffer.from(end), ...(end === '' ? [] : [joined(after)])]);
        const file = Buffer.concat([start, Buffer.from(marker), rest]);
        // Those begin UTF-16, which has a property of its own.
        fc.pre(!['fffe', 'feff'].includes(file.subarray(0, 2).toString('hex')));
        const result = applyEdit(file, { old: marker, new: replacement, all: false });
        if ('problem' in result) {
          // Only what looks binary is refused here.
          assert.match(result.problem, /binary/);
          return;
        }
        const made = result.bytes.subarray(start.length, result.bytes.length - rest.length);
        assert.deepEqual(result.bytes.subarray(0, start.length), start);
        assert.deepEqual(result.bytes.subarray(result.bytes.length - rest.length), rest);
        assert.equal(made.toString().replaceAll('\r\n', '\n'), replacement);
        if (!joined(after).includes('\r') && !joined(before).includes('\r') && !end.includes('\r')) {
          assert.equal(made.toString(), replacement);
        }
      }),
      { numRuns: 300 },
    );
  });
}

test('multi-line edits with LF fit any mixture of line ends; shared first and last lines keep theirs', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '}'), maxLength: 4 });
  const lines = fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 6 });
  const text = (part: [string, string][]) => part.map(([content, end]) => content + end).join('');
  const plain = (part: [string, string][]) => part.map(([content]) => `${content}\n`).join('');
  fc.assert(
    fc.property(lines, lines, lines, lines, fc.array(line, { maxLength: 4 }), (head, first, old, last, made) => {
      const target: [string, string][] = [...first, ['#unique#', '\r\n'], ...old, ...last];
      const file = text(head) + text(target);
      const wanted = plain(target);
      const replacement = plain(first) + made.map((content) => `${content}!\n`).join('') + plain(last);
      const result = applyEdit(Buffer.from(file), { old: wanted, new: replacement, all: false });
      assert.ok('bytes' in result, JSON.stringify(result));
      const after = result.bytes.toString();
      assert.ok(after.startsWith(text(head) + text(first)), JSON.stringify(after));
      assert.ok(after.endsWith(text(last)), JSON.stringify(after));
      assert.equal(after.replaceAll('\r\n', '\n'), plain(head) + replacement);
      assert.ok(!after.includes('\r\r'));
    }),
    { numRuns: 300 },
  );
});

test('`all` replaces each match, left to right, and counts the lines right', () => {
  const pieces = fc.array(fc.constantFrom('x', 'yy', '\n', '\r\n', 'é', 'xx'), { maxLength: 40 });
  fc.assert(
    fc.property(pieces, fc.constantFrom('', 'z', 'z\nz', 'z\n'), (parts, replacement) => {
      const file = parts.join('');
      const result = applyEdit(Buffer.from(file), { old: 'x', new: replacement, all: true });
      if (!file.includes('x')) {
        assert.ok('problem' in result);
        return;
      }
      assert.ok('bytes' in result);
      const after = result.bytes.toString();
      assert.equal(after.replaceAll('\r\n', '\n'), file.replaceAll('\r\n', '\n').replaceAll('x', replacement));
      const lines = after.split('\n').length;
      for (const { before, after: now } of result.places) {
        assert.ok(before[0] >= 1 && before[1] >= before[0]);
        assert.ok(now[0] >= 1 && now[1] <= lines, JSON.stringify({ now, lines }));
      }
    }),
  );
});

test('UTF-16 of either order, odd bytes at the end included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.boolean(), (content, big, odd) => {
      const text = `\ufeff${content.replaceAll(/[\0-\x1f@]/g, '')}@1@ tail\r\n`;
      const little = Buffer.from(text, 'utf16le');
      const body = big ? Buffer.from(little).swap16() : little;
      const file = odd ? Buffer.concat([body, Buffer.from([0x41])]) : body;
      const result = applyEdit(file, { old: '@1@', new: '2\n中', all: false });
      assert.ok('bytes' in result, JSON.stringify(result));
      const wanted = Buffer.from(text.replace('@1@', '2\r\n中'), 'utf16le');
      const expected = big ? Buffer.from(wanted).swap16() : wanted;
      assert.deepEqual(result.bytes, odd ? Buffer.concat([expected, Buffer.from([0x41])]) : expected);
    }),
  );
});

describe('a hint is found in bounded time', () => {
  test('in a file of 200,000 lines', () => {
    const file = Buffer.from(
      Array.from({ length: 200_000 }, (_, index) => `const value${index} = ${index};\n`).join(''),
    );
    const started = performance.now();
    const result = applyEdit(file, { old: 'const value150000 =  150000;', new: 'x', all: false });
    assert.ok('problem' in result);
    assert.match(result.problem, /150001\tconst value150000/);
    // Generous: it takes a fraction of this; quadratic work would take minutes.
    assert.ok(performance.now() - started < 10_000);
  });
});
