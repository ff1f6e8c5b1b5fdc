/** Files as pieces of UTF-8 that end with a line: whatever their size, little of them is held at once. */
import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes of a piece, and of the longest line or (where a match may span lines) file that is searched at all. */
const pieceSize = 1024 * 1024;
const largestWhole = 64 * 1024 * 1024;

/** A line, or a file that must be searched as a whole, is too large. */
export class TooLarge extends Error {}

/** The pieces of a file; with `whole`, all of it in one. Throws what the system says, or `TooLarge`. */
export function* piecesOf(path: Buffer, whole: boolean): Generator<Buffer> {
  // A link that has come since isn't followed, and a pipe isn't waited for.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return;
    yield* cutAtLines(decoded(descriptor, status.size), whole);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes as they come, a mark taken off, UTF-16 made UTF-8. */
function* decoded(descriptor: number, size: number): Generator<Buffer> {
  let decoder: ReturnType<typeof decoderFor>;
  // One byte more than there should be, so that the end is seen at once.
  let room = Math.min(pieceSize, size + 1);
  for (let isFirst = true, isLast = false; !isLast; isFirst = false, room = pieceSize) {
    const buffer = Buffer.allocUnsafe(Math.max(room, 4));
    let piece = buffer.subarray(0, fill(descriptor, buffer));
    isLast = piece.length < buffer.length;
    if (isFirst) {
      decoder = decoderFor(piece);
      if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) piece = piece.subarray(3);
    }
    yield decoder === undefined ? piece : Buffer.from(decoder.decode(piece, { stream: true }), 'utf8');
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode(), 'utf8');
}

function fill(descriptor: number, buffer: Buffer): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(descriptor, buffer, filled, buffer.length - filled, null);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

function decoderFor(start: Buffer): InstanceType<typeof TextDecoder> | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  return start[0] === 0xfe && start[1] === 0xff ? new TextDecoder('utf-16be') : undefined;
}

function* cutAtLines(pieces: Iterable<Buffer>, whole: boolean): Generator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for (const piece of pieces) {
    const end = whole ? 0 : piece.lastIndexOf(10) + 1;
    if (size + piece.length - (end > 0 ? piece.length : 0) > largestWhole) throw new TooLarge();
    if (end > 0) {
      yield held.length === 0 ? piece.subarray(0, end) : Buffer.concat([...held, piece.subarray(0, end)]);
      held = [];
      size = 0;
    }
    if (end === piece.length) continue;
    held.push(piece.subarray(end));
    size += piece.length - end;
  }
  if (size > 0) yield Buffer.concat(held);
}

export interface Text {
  /** One that has as many line feeds as the bytes, and for each byte that is no UTF-8 half of a surrogate pair. */
  text: string;
  ascii: boolean;
}

export function textOfBytes(bytes: Buffer): Text {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), ascii: true };
  return { text: isUtf8(bytes) ? bytes.toString('utf8') : withEscapedBytes(bytes), ascii: false };
}

/** Bytes up to a place in such a text. */
export function bytesBefore(text: string, index: number): number {
  const before = text.slice(0, index);
  const escaped = before.match(/[\udc80-\udcff]/gv)?.length ?? 0;
  // Half of a pair counts as a replacement mark of three bytes.
  return Buffer.byteLength(before, 'utf8') - 2 * escaped;
}

function withEscapedBytes(bytes: Buffer): string {
  const parts: string[] = [];
  let valid = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > valid) parts.push(bytes.toString('utf8', valid, at));
    parts.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at += 1;
    valid = at;
  }
  parts.push(bytes.toString('utf8', valid));
  return parts.join('');
}

/** Bytes of the valid character at a place; 0 where there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
