import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lineName, tagOf } from '../../src/tools/edits/index.ts';

describe('a tag', () => {
  test('is the same for the same line in every version', () => {
    assert.deepEqual(['', '}', 'const x = 1;', '中', ' ', 'a'.repeat(10_000)].map(tagOf), [
      'b0z',
      'r8e',
      '8fc',
      '96t',
      tagOf(' '),
      tagOf('a'.repeat(10_000)),
    ]);
    assert.notEqual(tagOf(' '), tagOf(''));
    assert.notEqual(tagOf('a'.repeat(10_000)), tagOf('a'.repeat(9_999)));
  });

  test('has three letters, and is shared by one in 32,768 lines', () => {
    const tags = new Map<string, number>();
    const lines = 60_000;
    for (let index = 0; index < lines; index++) {
      const tag = tagOf(`  const value${index} = ${index * 7};`);
      assert.match(tag, /^[0-9a-hjkmnp-tv-z]{3}$/);
      tags.set(tag, (tags.get(tag) ?? 0) + 1);
    }
    // Even spread leaves about e^(-lines/32768) of the tags unused.
    const expected = 32_768 * (1 - Math.exp(-lines / 32_768));
    assert.ok(Math.abs(tags.size - expected) < 400, `${tags.size} instead of ${expected}`);
  });

  test('tells lines apart that differ in one character', () => {
    let same = 0;
    for (let index = 0; index < 20_000; index++) {
      if (tagOf(`x = ${index};`) === tagOf(`x = ${index} ;`)) same += 1;
      if (tagOf(`\tx${index}`) === tagOf(` x${index}`)) same += 1;
    }
    assert.ok(same < 12, String(same));
  });

  test('stands with the number of its line where a line is named', () => {
    assert.equal(lineName(12, '}'), '12:r8e');
  });
});
