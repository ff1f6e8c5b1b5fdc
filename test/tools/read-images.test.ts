import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { Transformer } from '@napi-rs/image';
import { imageSize } from 'image-size';
import { imageFault } from '../../src/testing/dialects/anthropic/strict/image.ts';
import { createReadTool } from '../../src/tools/builtin/read/index.ts';
import { animatedWebp, exif, gif, jpeg, noisyPng, noise, png, pngThatSays, withSegment } from './image-files.ts';
import { toolSession, type ToolSession } from './session.ts';

/** What a session of one file says of it, with the bytes that the model is given, which a strict provider takes. */
async function look(name: string, bytes: Buffer, options: Partial<Parameters<typeof createReadTool>[0]> = {}) {
  await using session = await toolSession({
    files: { [name]: bytes },
    tools: [createReadTool({ tags: false, images: true, ...options })],
  });
  const result = await session.call('read', { path: name });
  return { result, text: result.text, shown: shown(session, result.images?.[0]) };
}

function shown(session: ToolSession, image: { blob: string; mediaType: string; bytes: number } | undefined) {
  if (image === undefined) return undefined;
  const bytes = session.blobs.get(image.blob)!;
  assert.equal(image.bytes, bytes.length);
  assert.equal(imageFault(image.mediaType, bytes.toString('base64')), undefined);
  assert.ok(Math.ceil(bytes.length / 3) * 4 <= 4 * 1024 * 1024, `${bytes.length} bytes`);
  const { width, height } = imageSize(bytes);
  return { bytes, mediaType: image.mediaType, width, height };
}

/** Red, green and blue of a pixel. */
async function pixel(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { width, height } = imageSize(bytes);
  const transformer = new Transformer(bytes);
  const pixels = await transformer.rawPixels();
  const channels = pixels.length / (width * height);
  return [...pixels.subarray((y * width + x) * channels, (y * width + x) * channels + Math.min(3, channels))];
}

/** Left half red, right half blue. */
function halves(width: number, height: number): Buffer {
  const row = Buffer.concat([
    Buffer.alloc((width / 2) * 3, Buffer.from([255, 0, 0])),
    Buffer.alloc((width / 2) * 3, Buffer.from([0, 0, 255])),
  ]);
  return png({ width, height, row: () => row });
}

describe('read: images', () => {
  test('an image within the limits is given byte for byte, with its size in words', async () => {
    const file = halves(40, 20);
    const { result, text, shown } = await look('a.png', file);
    assert.equal(result.outcome, 'ok');
    assert.equal(text, `a.png is a PNG image, 40 x 20 pixels, ${file.length} bytes.`);
    assert.deepEqual(shown?.bytes, file);
    assert.equal(shown?.mediaType, 'image/png');
    assert.equal(result.facts, undefined);
  });

  test('the kind is what the bytes say, whatever the name', async () => {
    const { text, shown } = await look('photo.png', jpeg({ width: 16, height: 8 }));
    assert.match(text, /^photo\.png is a JPEG image, 16 x 8 pixels/);
    assert.equal(shown?.mediaType, 'image/jpeg');
    const fake = await look('fake.png', Buffer.from('only text\n'));
    assert.equal(fake.text, '1\tonly text');
    assert.equal(fake.shown, undefined);
  });

  test('a model without eyes is told what there is', async () => {
    const { result, text } = await look('a.png', halves(40, 20), { images: false });
    assert.equal(result.images, undefined);
    assert.match(text, /^a\.png is a PNG image, 40 x 20 pixels, \d+ bytes\. This model can’t see images\.$/);
    assert.match((await look('a.png', halves(40, 20).subarray(0, 16), { images: false })).text, /PNG image, 16 bytes/);
  });

  test('the longer side is at most 1,568 pixels, and the proportions stay', async () => {
    const exact = png({ width: 1568, height: 10 });
    assert.deepEqual((await look('a.png', exact)).shown?.bytes, exact);
    const { text, shown } = await look('a.png', png({ width: 1569, height: 784 }));
    assert.deepEqual([shown?.width, shown?.height, shown?.mediaType], [1568, 784, 'image/png']);
    assert.match(
      text,
      /^a\.png is a PNG image, 1569 x 784 pixels, [\d,]+ bytes\. Shown scaled to 1568 x 784 pixels, as PNG/,
    );
  });

  test('another bound can be set, up to the one of requests with many images', async () => {
    const file = png({ width: 2100, height: 30 });
    assert.equal((await look('a.png', file, { pixels: 1000 })).shown?.width, 1000);
    assert.equal((await look('a.png', file, { pixels: 9000 })).shown?.width, 2000);
  });

  test('extreme sides are scaled, a side of less than a pixel to one', async () => {
    const tall = await look('tall.png', png({ width: 300, height: 9000 }));
    assert.deepEqual([tall.shown?.width, tall.shown?.height], [52, 1568]);
    const thin = await look('thin.png', png({ width: 1, height: 60_000 }));
    assert.deepEqual([thin.shown?.width, thin.shown?.height], [1, 1568]);
  });

  test('an image of many bytes comes as one that fits, a PNG as JPEG where PNG can’t be small enough', async () => {
    const file = noisyPng(1600, 1500);
    assert.ok(file.length > 7_000_000);
    const { text, shown } = await look('big.png', file);
    assert.equal(shown?.mediaType, 'image/jpeg');
    assert.deepEqual([shown?.width, shown?.height], [1568, 1470]);
    assert.match(text, /Shown scaled to 1568 x 1470 pixels, as JPEG of [\d,]+ bytes\./);
  });

  test('of few pixels and many bytes, only the encoding changes', async () => {
    const file = noisyPng(1100, 1000);
    assert.ok(file.length > 3 * 1024 * 1024);
    const { text, shown } = await look('dense.png', file);
    assert.deepEqual([shown?.mediaType, shown?.width, shown?.height], ['image/jpeg', 1100, 1000]);
    assert.match(text, /\. Shown as JPEG of [\d,]+ bytes\.$/);
  });

  test('what is clear becomes white where JPEG has to do', async () => {
    const row = (y: number, bytes: number) => noise(bytes, y + 1).map((byte, at) => (at % 4 === 3 ? 0 : byte));
    const file = png({ width: 1200, height: 1000, channels: 4, row: (y, bytes) => Buffer.from(row(y, bytes)) });
    const { shown } = await look('clear.png', file);
    assert.equal(shown?.mediaType, 'image/jpeg');
    assert.deepEqual(await pixel(shown.bytes, 500, 400), [255, 255, 255]);
  });

  test('sixteen bits a colour become eight', async () => {
    for (const channels of [1, 2, 3, 4] as const) {
      const file = png({ width: 20, height: 10, depth: 16, channels });
      const { shown, text } = await look('deep.png', file);
      assert.equal(shown?.mediaType, 'image/png');
      assert.equal(shown.bytes[24], 8, `bits of ${channels} colours`);
      assert.match(text, /Shown encoded anew, as PNG/);
    }
  });

  test('a photo of a turned camera is shown upright', async () => {
    const upright = await new Transformer(halves(80, 40)).jpeg(95);
    const { text, shown } = await look('turned.jpg', withSegment(upright, exif(6)));
    assert.deepEqual([shown?.width, shown?.height], [40, 80]);
    const [red] = await pixel(shown!.bytes, 20, 10);
    const [, , blue] = await pixel(shown!.bytes, 20, 70);
    assert.ok(red! > 200 && blue! > 200, `${red} ${blue}`);
    assert.match(text, /JPEG image, 40 x 80 pixels/);
    const straight = withSegment(upright, exif(1));
    assert.deepEqual((await look('straight.jpg', straight)).shown?.bytes, straight);
  });

  test('faulty words of a camera reach no terminal', () => {
    const file = withSegment(jpeg({ width: 16, height: 8 }), exif(6, true));
    // The decoder writes by itself, so that only another process can be watched.
    const content = new URL('../../src/tools/content/index.ts', import.meta.url).href;
    const script = `
      const { fitImage } = await import(${JSON.stringify(content)});
      const bytes = Buffer.from(${JSON.stringify(file.toString('base64'))}, 'base64');
      const report = await fitImage(bytes, 'image/jpeg', { side: 8, signal: new AbortController().signal });
      console.log(report.fitted.width, report.fitted.height);`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    assert.deepEqual([child.stdout, child.stderr], ['4 8\n', '']);
  });

  test('CMYK becomes ordinary colour, grey stays', async () => {
    const { shown } = await look('print.jpg', jpeg({ width: 40, height: 30, components: 4 }));
    assert.equal(shown?.mediaType, 'image/jpeg');
    assert.equal((await new Transformer(shown.bytes).metadata()).colorType, 2);
    const grey = jpeg({ width: 40, height: 30, components: 1 });
    assert.deepEqual((await look('grey.jpg', grey)).shown?.bytes, grey);
  });

  test('GIF and WebP become PNG, of an animation the first picture', async () => {
    const colours = [
      [255, 0, 0],
      [0, 0, 255],
      [0, 255, 0],
      [9, 9, 9],
    ];
    const picture = (index: number) => ({ width: 8, height: 6, indices: new Uint8Array(48).fill(index) });
    const still = await look('a.gif', gif({ width: 8, height: 6, colours, pictures: [picture(1)] }));
    assert.deepEqual([still.shown?.mediaType, still.shown?.width, still.shown?.height], ['image/png', 8, 6]);
    assert.deepEqual(await pixel(still.shown!.bytes, 3, 3), [0, 0, 255]);
    assert.match(still.text, /^a\.gif is a GIF image, 8 x 6 pixels, \d+ bytes\. Shown as PNG of \d+ bytes\.$/);
    const moving = await look('b.gif', gif({ width: 8, height: 6, colours, pictures: [picture(0), picture(2)] }));
    assert.deepEqual(await pixel(moving.shown!.bytes, 3, 3), [255, 0, 0]);
    assert.match(moving.text, /It is animated; this is its first picture\.$/);
    const plain = await new Transformer(halves(8, 6)).webpLossless();
    const { shown, text } = await look('a.webp', plain);
    assert.equal(shown?.mediaType, 'image/png');
    assert.match(text, /^a\.webp is a WebP image, 8 x 6 pixels, \d+ bytes\. Shown as PNG of \d+ bytes\.$/);
    const webp = await look('b.webp', animatedWebp(plain, 8, 6));
    assert.equal(webp.shown?.mediaType, 'image/png');
    assert.match(webp.text, /It is animated/);
  });
});

describe('read: images that can’t be shown', () => {
  const refused = async (name: string, bytes: Buffer, why: RegExp) => {
    const { result, shown } = await look(name, bytes);
    assert.equal(result.outcome, 'ok');
    assert.equal(shown, undefined);
    assert.match(result.text, why);
  };

  test('one that says it has too many pixels is not opened', async () => {
    await refused(
      'bomb.png',
      pngThatSays(60_000, 60_000),
      /60000 x 60000 pixels.*It can’t be shown: it has more than 50 million pixels\./,
    );
    await refused('edge.png', pngThatSays(5000, 10_001), /more than 50 million/);
    await refused('edge.png', pngThatSays(5000, 10_000), /can’t be decoded/);
    const canvas = {
      width: 4000,
      height: 2501,
      colours: [
        [0, 0, 0],
        [9, 9, 9],
      ],
      pictures: [],
    };
    await refused('bomb.gif', gif(canvas), /more than 10 million pixels/);
  });

  test('a damaged or cut file is told as one', async () => {
    const whole = noisyPng(40, 30);
    await refused('cut.png', whole.subarray(0, whole.length / 2), /can’t be decoded/);
    await refused('cut.png', whole.subarray(0, -12), /can’t be decoded/);
    await refused('cut.png', whole.subarray(0, 20), /its header is damaged or cut off/);
    await refused('none.png', pngThatSays(0, 10), /its header is damaged/);
    await refused('cut.jpg', jpeg({ width: 80, height: 80 }).subarray(0, 30), /its header is damaged/);
    await refused('cut.webp', (await new Transformer(whole).webp()).subarray(0, 60), /can’t be decoded/);
    await refused('cut.gif', Buffer.from('GIF89a\x08\0\x08\0\x80\0\0', 'latin1'), /no picture was found in it/);
  });

  test('of a JPEG that is cut off, what there is is shown in a whole file', async () => {
    const whole = await new Transformer(noisyPng(200, 100)).jpeg(90);
    const { shown, text } = await look('cut.jpg', whole.subarray(0, whole.length / 2));
    assert.match(text, /The file is cut off or damaged; this is what could be read of it\.$/);
    assert.deepEqual(shown?.bytes.subarray(-2), Buffer.from([0xff, 0xd9]));
  });

  test('of a GIF that is cut off, too', async () => {
    const indices = new Uint8Array(noise(10_000)).map((byte) => byte & 3);
    const colours = [
      [255, 0, 0],
      [0, 0, 255],
      [0, 255, 0],
      [9, 9, 9],
    ];
    const whole = gif({ width: 100, height: 100, colours, pictures: [{ width: 100, height: 100, indices }] });
    const { shown, text } = await look('cut.gif', whole.subarray(0, whole.length / 2));
    assert.match(text, /cut off or damaged/);
    assert.equal(shown?.mediaType, 'image/png');
  });

  test('where the image can’t be kept, the result says so', async () => {
    await using session = await toolSession({ files: { 'a.png': halves(4, 2) }, brokenBlobs: true });
    const result = await session.call('read', { path: 'a.png' });
    assert.equal(result.images, undefined);
    assert.match(result.text, /It can’t be shown: it could not be kept \(no space left\)/);
  });
});
