/** How large things are in bytes of text, for estimates. */
import type { ImagePart } from './messages.ts';

/** What an image of ordinary size takes of the window, in bytes of text. */
export const imageSize = 4_800;

/** Bytes of a text and its images. */
export function sizeOf(text: string, images: readonly ImagePart[] = []): number {
  return byteLength(text) + images.length * imageSize;
}

/** Bytes of a text in UTF-8; surrogate pairs count as six instead of four, which errs on the safe side. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) bytes += code > 0x7ff ? 2 : 1;
  }
  return bytes;
}
