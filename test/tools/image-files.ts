/** Image files made by hand, so that tests have every kind, whole and broken. */
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([number32(data.length), body, number32(crc32(body))]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export interface PngOptions {
  width: number;
  height: number;
  /** Bits of a colour. */
  depth?: 8 | 16;
  /** Colours of a pixel: 1 grey, 2 grey and opacity, 3 colour, 4 colour and opacity. */
  channels?: 1 | 2 | 3 | 4;
  /** The bytes of a row's pixels; grey when left out. */
  row?: (y: number, bytes: number) => Buffer;
}

export function png({ width, height, depth = 8, channels = 3, row }: PngOptions): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = [0, 0, 4, 2, 6][channels]!;
  const length = (width * channels * depth) / 8;
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.from([0]),
    row?.(y, length) ?? Buffer.alloc(length, 0x80),
  ]);
  return pngOf(header, deflateSync(Buffer.concat(rows.flat()), { level: 1 }));
}

/** A PNG that says it has so many pixels and holds none of them. */
export function pngThatSays(width: number, height: number): Buffer {
  const header = Buffer.concat([number32(width), number32(height), Buffer.from([8, 2, 0, 0, 0])]);
  return pngOf(header, deflateSync(Buffer.alloc(1000)));
}

function pngOf(header: Buffer, data: Buffer): Buffer {
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Bytes that don’t compress, the same each time. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let index = 0; index < length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state & 255;
  }
  return bytes;
}

export function noisyPng(width: number, height: number): Buffer {
  return png({ width, height, row: (y, bytes) => noise(bytes, y + 1) });
}

export interface JpegOptions {
  width: number;
  height: number;
  components?: 1 | 3 | 4;
  /** As EXIF counts. */
  orientation?: number;
}

/** A JPEG of one shade (all of its coefficients are 0): the smallest coding there is. */
export function jpeg({ width, height, components = 3, orientation }: JpegOptions): Buffer {
  const each = <T>(part: (component: number) => T[]): T[] =>
    Array.from({ length: components }, (_, index) => part(index + 1)).flat();
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, components, ...each((id) => [id, 0x11, 0])];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * components;
  const bits = blocks * 2;
  const rest = bits % 8 === 0 ? [] : [(1 << (8 - (bits % 8))) - 1];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(orientation === undefined ? [] : [exif(orientation)]),
    ...(components === 4 ? [segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 2])] : []),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(0xc0, frame),
    segment(0xc4, [0x00, ...oneCode]),
    segment(0xc4, [0x10, ...oneCode]),
    segment(0xda, [components, ...each((id) => [id, 0]), 0, 63, 0]),
    Buffer.alloc(Math.floor(bits / 8)),
    Buffer.from([...rest, 0xff, 0xd9]),
  ]);
}

function segment(marker: number, data: number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

/** The segment that says how a camera was held; a faulty one also says when, as a number where a text belongs. */
export function exif(orientation: number, faulty = false): Buffer {
  const held = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const when = [0x01, 0x32, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0];
  const entries = faulty ? [...held, ...when] : held;
  const count = faulty ? 2 : 1;
  return segment(0xe1, [...Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'), 0, count, ...entries, 0, 0, 0, 0]);
}

/** A JPEG with a segment put right behind its start. */
export function withSegment(file: Buffer, added: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 2), added, file.subarray(2)]);
}

export interface GifPicture {
  width: number;
  height: number;
  left?: number;
  top?: number;
  /** An index into the colours for each pixel, row by row in the order of the file. */
  indices: Uint8Array;
  transparent?: number;
  interlaced?: boolean;
  /** Codes for which a full table is used on before it is cleared. */
  stall?: number;
}

export interface GifOptions {
  width: number;
  height: number;
  /** Red, green and blue of each of 2, 4, 8, ... 256 colours. */
  colours: number[][];
  pictures: GifPicture[];
}

export function gif({ width, height, colours, pictures }: GifOptions): Buffer {
  const bits = Math.log2(colours.length);
  const screen = [...number16(width), ...number16(height), 0x80 | (bits - 1), 0, 0];
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...screen, ...colours.flat()]),
    ...pictures.map((picture) => gifPicture(picture, Math.max(2, bits))),
    Buffer.from([0x3b]),
  ]);
}

function number16(value: number): number[] {
  return [value & 255, value >> 8];
}

function gifPicture(picture: GifPicture, size: number): Buffer {
  const { width, height, left = 0, top = 0, indices, transparent, interlaced = false, stall = 0 } = picture;
  const control =
    transparent === undefined ? [0x21, 0xf9, 4, 0, 10, 0, 0, 0] : [0x21, 0xf9, 4, 1, 10, 0, transparent, 0];
  const place = [...number16(left), ...number16(top), ...number16(width), ...number16(height)];
  const data = lzw(indices, size, stall);
  const blocks: number[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return Buffer.from([...control, 0x2c, ...place, interlaced ? 0x40 : 0, size, ...blocks, 0]);
}

/** Packs indices as GIF does. */
function lzw(indices: Uint8Array, size: number, stall: number): Buffer {
  const clear = 2 ** size;
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  let width = size + 1;
  let table = new Map<string, number>();
  let next = clear + 2;
  let waited = 0;
  const put = (code: number): void => {
    held |= code << bits;
    bits += width;
    for (; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  const codeOf = (row: string): number => (row.length === 1 ? row.charCodeAt(0) : table.get(row)!);
  put(clear);
  let row = '';
  for (const index of indices) {
    const longer = row + String.fromCharCode(index);
    if (longer.length === 1 || table.has(longer)) {
      row = longer;
      continue;
    }
    put(codeOf(row));
    row = String.fromCharCode(index);
    if (next < 4096) {
      table.set(longer, next);
      if (next === 2 ** width && width < 12) width += 1;
      next += 1;
    } else if (waited++ >= stall) {
      put(clear);
      table = new Map();
      next = clear + 2;
      width = size + 1;
      waited = 0;
    }
  }
  if (row !== '') put(codeOf(row));
  if (next === 2 ** width && width < 12) width += 1;
  put(clear + 1);
  if (bits > 0) bytes.push(held & 255);
  return Buffer.from(bytes);
}

/** An animated WebP of several of the pictures that a plain one holds. */
export function animatedWebp(plain: Buffer, width: number, height: number): Buffer {
  const number24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];
  const part = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)]);
  };
  const size = [...number24(width - 1), ...number24(height - 1)];
  const frame = Buffer.concat([
    Buffer.from([...number24(0), ...number24(0), ...size, ...number24(100), 0]),
    plain.subarray(12),
  ]);
  const parts = Buffer.concat([
    Buffer.from('WEBP'),
    part('VP8X', Buffer.from([0x12, 0, 0, 0, ...size])),
    part('ANIM', Buffer.alloc(6)),
    part('ANMF', frame),
    part('ANMF', frame),
  ]);
  return part('RIFF', parts);
}
