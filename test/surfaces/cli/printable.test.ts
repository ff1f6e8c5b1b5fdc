import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { clip, oneLine, pad, printable, printableJson, widthOf } from '../../../src/surfaces/cli/printable.ts';

const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

describe('text that a terminal is shown', () => {
  test('has nothing that it obeys, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const shown = printable(text);
        assert.doesNotMatch(shown, obeyed);
        assert.equal(shown.length >= text.replaceAll('\r\n', '\n').length, true);
      }),
    );
  });

  test('writes out escapes, and keeps what is harmless', () => {
    assert.equal(printable('\u001b]0;title\u0007'), '\\x1b]0;title\\x07');
    assert.equal(printable('a\u202eb\u{e0041}c'), 'a\\u202eb\\u{e0041}c');
    for (const hidden of ['\u061c', '\u00ad', '\u180e', '\u115f', '\u3164', '\uffa0', '\u206a', '\ufff9']) {
      assert.match(printable(`a${hidden}b`), /^a\\[xu][0-9a-f]{2,4}b$/, JSON.stringify(hidden));
    }
    assert.equal(printable('a\tb\r\nc\rd'), 'a\tb\nc\\x0dd');
    assert.equal(printable('naïve 日本 👩‍👩‍👧 नि'), 'naïve 日本 👩‍👩‍👧 नि');
  });

  test('on one line it has no colours and no line ends', () => {
    assert.equal(oneLine('\u001b[31mred\u001b[0m\n  and\tgreen \n'), 'red ↵ and green');
    assert.equal(oneLine('\u001b[2Jgone'), '\\x1b[2Jgone');
  });

  test('on one line it is at once, however many blanks are in it', () => {
    const started = performance.now();
    for (const blank of [' ', '\t', '\n ', '\r\n', '\u001b[1;']) oneLine(`a${blank.repeat(500_000)}b`);
    assert.ok(performance.now() - started < 2_000);
    assert.equal(oneLine(`a${' '.repeat(9)}\n\n \t\n b`), 'a ↵ b');
  });
});

describe('width', () => {
  test('counts columns, not characters', () => {
    assert.equal(widthOf('abc'), 3);
    assert.equal(widthOf('日本'), 4);
    assert.equal(widthOf('e\u0301'), 1);
    assert.equal(widthOf('😀'), 2);
  });

  test('a clipped text fits, and what fits is not clipped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (raw, columns) => {
        const text = oneLine(raw);
        const clipped = clip(text, columns);
        assert.ok(widthOf(clipped) <= columns);
        if (widthOf(text) <= columns) assert.equal(clipped, text);
        else assert.ok(clipped.endsWith('…'));
      }),
    );
  });

  test('padding counts columns', () => {
    assert.equal(pad('日', 4), '日  ');
    assert.equal(pad('long', 2), 'long');
  });
});

describe('JSON that a terminal is shown', () => {
  test('is the same value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const json = printableJson(JSON.stringify(text));
        assert.doesNotMatch(json, obeyed);
        assert.equal(JSON.parse(json), text);
      }),
    );
  });
});
