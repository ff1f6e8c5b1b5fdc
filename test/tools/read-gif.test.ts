import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Transformer } from '@napi-rs/image';
import * as fc from 'fast-check';
import { fitImage } from '../../src/tools/content/index.ts';
import { gif, noise, type GifOptions } from './image-files.ts';

const signal = new AbortController().signal;

/** Four bytes a pixel of what is shown of a GIF. */
async function shownPixels(options: GifOptions): Promise<Buffer> {
  const report = await fitImage(gif(options), 'image/gif', { side: 2000, signal });
  assert.ok('fitted' in report, JSON.stringify(report));
  assert.deepEqual(report.remarks, []);
  const { bytes, width, height } = report.fitted;
  assert.deepEqual([width, height], [options.width, options.height]);
  const pixels = await new Transformer(bytes).rawPixels();
  assert.equal(pixels.length, width * height * 4);
  return pixels;
}

/** The same, drawn in the simplest way. */
function drawn({ width, height, colours, pictures }: GifOptions): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  const [picture] = pictures;
  const { left = 0, top = 0, indices, transparent, interlaced = false } = picture!;
  const rows = Array.from({ length: picture!.height }, (_, row) => row);
  const pass = (row: number): number => [row % 8 === 0, row % 8 === 4, row % 4 === 2, true].indexOf(true);
  if (interlaced) rows.sort((a, b) => pass(a) - pass(b) || a - b);
  for (const [at, index] of indices.entries()) {
    const x = left + (at % picture!.width);
    const y = top + rows[Math.floor(at / picture!.width)]!;
    if (index === transparent || x >= width || y >= height) continue;
    pixels.set([...colours[index]!, 255], (y * width + x) * 4);
  }
  return pixels;
}

const palette = (size: number) => Array.from({ length: size }, (_, index) => [index, 255 - index, (index * 7) & 255]);

describe('read: GIF', () => {
  test('random pictures come out pixel by pixel, wherever they lie on the canvas', async () => {
    const picture = fc.record({
      bits: fc.integer({ min: 1, max: 8 }),
      canvas: fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })),
      size: fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })),
      at: fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })),
      seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      clear: fc.boolean(),
      interlaced: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(picture, async ({ bits, canvas, size, at, seed, clear, interlaced }) => {
        const [width, height] = size;
        const indices = new Uint8Array(noise(width * height, seed)).map((byte) => byte & (2 ** bits - 1));
        const transparent = clear ? { transparent: indices[0]! } : {};
        const place = { width, height, left: at[0], top: at[1], indices, interlaced, ...transparent };
        const options = { width: canvas[0], height: canvas[1], colours: palette(2 ** bits), pictures: [place] };
        assert.deepEqual(await shownPixels(options), drawn(options));
      }),
      { numRuns: 60 },
    );
  });

  test('a full table is used on until it is cleared, early or late', async () => {
    for (const stall of [0, 1, 5000, 100_000]) {
      const indices = new Uint8Array(noise(150 * 100, 7));
      const picture = { width: 150, height: 100, indices, stall };
      const options = { width: 150, height: 100, colours: palette(256), pictures: [picture] };
      assert.deepEqual(await shownPixels(options), drawn(options), `${stall}`);
    }
  });

  test('long rows of one colour, whose codes refer to the row that they make', async () => {
    const picture = { width: 200, height: 200, indices: new Uint8Array(40_000).fill(1) };
    const options = { width: 200, height: 200, colours: palette(4), pictures: [picture] };
    assert.deepEqual(await shownPixels(options), drawn(options));
  });

  test('damaged bytes give a picture or a reason, never a crash', async () => {
    const indices = new Uint8Array(noise(400, 3)).map((byte) => byte & 7);
    const whole = gif({ width: 20, height: 20, colours: palette(8), pictures: [{ width: 20, height: 20, indices }] });
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(whole.length), async (changes, length) => {
        const bytes = Buffer.from(whole.subarray(0, length));
        for (const [at, value] of changes) if (at < length) bytes[at] = value;
        const report = await fitImage(bytes, 'image/gif', { side: 100, signal });
        assert.ok('fitted' in report || report.problem !== '');
      }),
      { numRuns: 60 },
    );
  });
});
