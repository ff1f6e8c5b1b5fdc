/** The first picture of a GIF file (GIF89a specification): the image library has no decoder for it, and few models take animations. */
import { decodeLzw } from './lzw.ts';

export interface GifFrame {
  width: number;
  height: number;
  /** Four bytes a pixel: red, green, blue, opacity. */
  rgba: Buffer;
  /** More pictures follow. */
  animated: boolean;
  /** All of the picture was there. */
  complete: boolean;
}

interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The first picture on its canvas; undefined where the bytes don't hold one. At most `mostPixels` pixels. */
export function firstGifFrame(bytes: Buffer, mostPixels: number): GifFrame | undefined {
  if (bytes.length < 13) return undefined;
  const canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (canvas.width * canvas.height === 0 || canvas.width * canvas.height > mostPixels) return undefined;
  const common = colourTable(bytes, 13, bytes[10] ?? 0);
  const found = toPicture(bytes, 13 + (common?.length ?? 0));
  if (found === undefined || found.at + 10 > bytes.length) return undefined;
  const { at, transparent } = found;
  const place: Place = {
    left: bytes.readUInt16LE(at + 1),
    top: bytes.readUInt16LE(at + 3),
    width: bytes.readUInt16LE(at + 5),
    height: bytes.readUInt16LE(at + 7),
  };
  if (place.width * place.height === 0 || place.width * place.height > mostPixels) return undefined;
  const flags = bytes[at + 9] ?? 0;
  const own = colourTable(bytes, at + 10, flags);
  const colours = own ?? common;
  if (colours === undefined) return undefined;
  const start = at + 10 + (own?.length ?? 0);
  const { data, end } = subBlocks(bytes, start + 1);
  const { indices, filled } = decodeLzw(data, bytes[start] ?? 0, place.width * place.height);
  const rgba = Buffer.alloc(canvas.width * canvas.height * 4);
  const drawn = { indices, filled, colours, transparent, interlaced: (flags & 0x40) !== 0 };
  draw(rgba, canvas, place, drawn);
  return { ...canvas, rgba, animated: toPicture(bytes, end) !== undefined, complete: filled === indices.length };
}

/** The table of colours whose size the flags tell, three bytes each; undefined where there is none. */
function colourTable(bytes: Buffer, at: number, flags: number): Buffer | undefined {
  if ((flags & 0x80) === 0) return undefined;
  const size = 3 * 2 ** ((flags & 7) + 1);
  return at + size > bytes.length ? undefined : bytes.subarray(at, at + size);
}

/** Where the next picture begins, and the index that is seen through; undefined where none comes. */
function toPicture(bytes: Buffer, from: number): { at: number; transparent: number } | undefined {
  let transparent = -1;
  for (let at = from; at < bytes.length;) {
    if (bytes[at] === 0x2c) return { at, transparent };
    if (bytes[at] !== 0x21) return undefined;
    const isControl = bytes[at + 1] === 0xf9 && ((bytes[at + 3] ?? 0) & 1) === 1;
    if (isControl) transparent = bytes[at + 6] ?? -1;
    at = subBlocks(bytes, at + 2).end;
  }
  return undefined;
}

/** The data of a row of blocks, each with its length before it, and where it ends. */
function subBlocks(bytes: Buffer, from: number): { data: Buffer; end: number } {
  const blocks: Buffer[] = [];
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) {
    blocks.push(bytes.subarray(at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { data: Buffer.concat(blocks), end: at + 1 };
}

interface Drawn {
  indices: Buffer;
  /** So many of the indices were there. */
  filled: number;
  colours: Buffer;
  /** The index that is seen through; -1 for none. */
  transparent: number;
  interlaced: boolean;
}

function draw(rgba: Buffer, canvas: { width: number; height: number }, place: Place, drawn: Drawn): void {
  const rows = drawn.interlaced ? interlacedRows(place.height) : undefined;
  for (let index = 0; index < drawn.filled; index++) {
    const colour = drawn.indices[index] ?? 0;
    const row = Math.floor(index / place.width);
    const x = place.left + (index % place.width);
    const y = place.top + (rows?.[row] ?? row);
    if (colour === drawn.transparent || x >= canvas.width || y >= canvas.height) continue;
    const to = (y * canvas.width + x) * 4;
    // An index beyond the table gives black.
    rgba[to] = drawn.colours[colour * 3] ?? 0;
    rgba[to + 1] = drawn.colours[colour * 3 + 1] ?? 0;
    rgba[to + 2] = drawn.colours[colour * 3 + 2] ?? 0;
    rgba[to + 3] = 255;
  }
}

/** In which order the rows of an interlaced picture come. */
function interlacedRows(height: number): number[] {
  const rows: number[] = [];
  for (const [from, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const) {
    for (let row = from; row < height; row += step) rows.push(row);
  }
  return rows;
}
