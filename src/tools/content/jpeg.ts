/** What the segments of a JPEG file say, without decoding it (ITU-T T.81, annex B). */

export interface JpegFacts {
  /** Colour components: 1 grey, 3 colour, 4 CMYK or a kin of it; 0 where no frame header was found. */
  components: number;
  /** The end of the image is there. Decoders fill what is missing with grey; some providers refuse it. */
  complete: boolean;
  /** The same image without its APP1 segments (EXIF): the decoder writes to the terminal about faulty ones. */
  bare: Buffer;
}

const endOfImage = Buffer.from([0xff, 0xd9]);

export function jpegFacts(bytes: Buffer): JpegFacts {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let components = 0;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const next = isBare(marker) ? at + 2 : at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xff) {
      at += 1; // Any marker may have more of these before it.
      continue;
    }
    if (isFrame(marker)) components = bytes[at + 9] ?? 0;
    if (marker !== 0xe1) kept.push(bytes.subarray(at, next));
    at = next;
    if (marker === 0xda) break;
  }
  kept.push(bytes.subarray(at));
  // In coded data FF never stands before D9, so the first one after its start is the end.
  return { components, complete: bytes.includes(endOfImage, at), bare: Buffer.concat(kept) };
}

/** Markers without a length: restarts and the start of an image. */
function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
}

/** SOF0 to SOF15, but for DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
