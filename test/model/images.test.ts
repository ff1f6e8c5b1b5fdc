import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImagePart } from '../../src/core/index.ts';
import { castEffort } from '../../src/model/sending/efforts.ts';
import { imageData, imageNote, type ImageGap, type ImageRule } from '../../src/model/sending/images.ts';
import { able } from '../support/abilities.ts';

const png = (bytes: number): ImagePart => ({ type: 'image', mediaType: 'image/png', blob: 'b', bytes });

describe('the words in place of an image', () => {
  const sizes: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 kB'],
    [12_345, '12 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [4_250_000, '4.3 MB'],
  ];
  for (const [bytes, size] of sizes) {
    test(size, () => {
      assert.equal(
        imageNote(png(bytes), 'unable'),
        `[An image was here (image/png, ${size}); this model can’t see images.]`,
      );
    });
  }

  test('say why', () => {
    const gaps: ImageGap[] = ['unable', 'lost', 'large', 'unsupported'];
    assert.equal(new Set(gaps.map((gap) => imageNote(png(1), gap))).size, gaps.length);
  });
});

describe('an image for a provider', () => {
  const rule: ImageRule = { mediaTypes: ['image/png'], longest: 8 };
  const of = (data: string | undefined, images = true, mediaType = 'image/png') => {
    const target = {
      ...able,
      provider: 'p',
      wire: 'w',
      model: 'm',
      settings: {},
      window: 1,
      abilities: { ...able.abilities, images },
    };
    return imageData({ ...png(6), mediaType }, { target, image: () => data }, rule);
  };

  test('goes as its bytes, or as a note of what is in the way', () => {
    assert.deepEqual(of('AAAABBBB'), { data: 'AAAABBBB' });
    assert.deepEqual(of('AAAABBBBC'), { note: imageNote(png(6), 'large') });
    assert.deepEqual(of(undefined), { note: imageNote(png(6), 'lost') });
    assert.deepEqual(of(''), { note: imageNote(png(6), 'lost') });
    assert.deepEqual(of('AAAA', false), { note: imageNote(png(6), 'unable') });
    assert.deepEqual(of('AAAA', true, 'image/gif'), {
      note: imageNote({ ...png(6), mediaType: 'image/gif' }, 'unsupported'),
    });
  });
});

describe('an effort as a model knows it', () => {
  const cases: [string | undefined, string[], string | undefined][] = [
    ['high', ['low', 'high'], 'high'],
    ['high', ['low', 'medium'], 'medium'],
    ['low', ['minimal', 'medium'], 'minimal'],
    ['none', ['minimal', 'low'], 'minimal'],
    ['none', ['none', 'low'], 'none'],
    ['low', ['high', 'max'], 'high'],
    ['odd', ['odd'], 'odd'],
    ['odd', ['low', 'high'], 'low'],
    ['high', ['odd'], undefined],
    ['high', [], undefined],
    [undefined, ['low'], undefined],
  ];
  for (const [effort, known, sent] of cases) {
    test(`${effort} of ${known.join(', ') || 'none'}: ${sent}`, () => assert.equal(castEffort(effort, known), sent));
  }
});
