/** The joint for images that a person gives: looked at, kept as blobs, named in the input. */
import { ReinsError, type ImagePart } from '../core/index.ts';

/** The bytes of an image file. */
export type ImageBytes = Uint8Array;

/** The largest that every provider takes. */
const largest = 5 * 1024 * 1024;

/** How the files of each kind begin; the kind is what the bytes say, whatever the name. */
const beginnings: readonly [mediaType: string, begins: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF[^]{4}WEBP/.test(bytes.subarray(0, 12).toString('latin1'))],
];

/** Keeps the images. Rejects with `usage-arguments` for one that is no image a model takes, or too large. */
export async function keepImages(
  images: readonly ImageBytes[],
  keep: (bytes: Uint8Array) => Promise<string>,
): Promise<ImagePart[]> {
  const parts: ImagePart[] = [];
  const looked = images.map((bytes, index) => ({ bytes, mediaType: mediaTypeOf(bytes, index) }));
  for (const { bytes, mediaType } of looked) {
    parts.push({ type: 'image', mediaType, blob: await keep(bytes), bytes: bytes.length });
  }
  return parts;
}

function mediaTypeOf(image: ImageBytes, index: number): string {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.length);
  const which = `Image ${index + 1}`;
  if (bytes.length > largest) {
    throw new ReinsError('usage-arguments', `${which} has ${bytes.length} bytes; at most ${largest} can be sent.`);
  }
  const kind = beginnings.find(([, begins]) => begins(bytes));
  if (kind === undefined) throw new ReinsError('usage-arguments', `${which} is no PNG, JPEG, GIF or WebP file.`);
  return kind[0];
}
