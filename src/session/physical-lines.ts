/** The physical lines of a file, in pieces of a fixed size: a log is never held in memory as a whole. */
import { createHash, hash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ReinsError } from '../core/index.ts';
import { errorCode, reasonOf } from './folders.ts';

export interface PhysicalLine {
  /** The bytes without the newline, valid only until the next line comes; undefined for a line beyond all measure. */
  bytes: Buffer | undefined;
  /** Number of the line, from 1. */
  line: number;
  offset: number;
  length: number;
  /** False for a last line without its newline. */
  ended: boolean;
  /** SHA-256 of the bytes without the newline. */
  hash(): string;
}

const pieceSize = 256 * 1024;
/** Longer lines can't be texts any more and aren't kept; they are only counted and hashed. */
const longestLine = 256 * 1024 * 1024;
const newline = 0x0a;

/** Cuts what is pushed into lines, and keeps the beginning of one whose newline hasn't come yet. */
export class LineCutter {
  #kept: Buffer[] = [];
  #keptLength = 0;
  #beyond: Hash | undefined;
  #line: number;
  #offset: number;

  /** Begins with the line of this number, at this byte of the file. */
  constructor({ line, offset }: { line: number; offset: number } = { line: 1, offset: 0 }) {
    this.#line = line;
    this.#offset = offset;
  }

  /** The lines that end in this piece. The piece may be overwritten once all of them were taken. */
  *push(piece: Buffer): Generator<PhysicalLine> {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(newline, from);
      if (end < 0) break;
      yield this.#cut(piece.subarray(from, end), true);
      from = end + 1;
    }
    if (from < piece.length) this.#keep(piece.subarray(from));
  }

  /** The last line, if the file doesn't end in a newline. */
  rest(): PhysicalLine | undefined {
    return this.#keptLength === 0 ? undefined : this.#cut(Buffer.alloc(0), false);
  }

  #keep(part: Buffer): void {
    this.#keptLength += part.length;
    if (this.#beyond === undefined && this.#keptLength > longestLine) {
      this.#beyond = createHash('sha256');
      for (const kept of this.#kept) this.#beyond.update(kept);
      this.#kept = [];
    }
    if (this.#beyond === undefined) this.#kept.push(Buffer.from(part));
    else this.#beyond.update(part);
  }

  #cut(part: Buffer, ended: boolean): PhysicalLine {
    const length = this.#keptLength + part.length;
    const beyond = this.#beyond?.update(part).digest('hex');
    const whole = this.#kept.length === 0 ? part : Buffer.concat([...this.#kept, part]);
    const cut: PhysicalLine = {
      bytes: beyond === undefined ? whole : undefined,
      line: this.#line,
      offset: this.#offset,
      length,
      ended,
      hash: () => beyond ?? hash('sha256', whole, 'hex'),
    };
    this.#kept = [];
    this.#keptLength = 0;
    this.#beyond = undefined;
    this.#line += 1;
    this.#offset += length + (ended ? 1 : 0);
    return cut;
  }
}

/** The lines of a file, one after the other, from the beginning or from a line on whose place is known. Rejects what can't be read with `log-unreadable`. */
export function* physicalLines(file: string, from = { line: 1, offset: 0 }): Generator<PhysicalLine> {
  const fd = openToRead(file);
  try {
    const cutter = new LineCutter(from);
    const left = fstatSync(fd).size - from.offset;
    const piece = Buffer.allocUnsafe(Math.min(pieceSize, Math.max(1, left)));
    for (let position = from.offset; ;) {
      const read = readPiece(fd, file, piece, position);
      if (read === 0) break;
      position += read;
      yield* cutter.push(piece.subarray(0, read));
    }
    const rest = cutter.rest();
    if (rest !== undefined) yield rest;
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a place in a file. */
export function readPlace(file: string, place: { offset: number; bytes: number }): Buffer {
  const fd = openToRead(file);
  try {
    const buffer = Buffer.allocUnsafe(place.bytes);
    for (let read = 0; read < place.bytes;) {
      const more = readPiece(fd, file, buffer.subarray(read), place.offset + read);
      if (more === 0) throw new ReinsError('log-unreadable', `${file} became shorter while it was read.`);
      read += more;
    }
    return buffer;
  } finally {
    closeSync(fd);
  }
}

/** Opens a log to read; `session-missing` where there is none. */
export function openToRead(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      throw new ReinsError('session-missing', `There is no log ${file}.`, { cause: error });
    }
    throw unreadable(file, error);
  }
}

export function readPiece(fd: number, file: string, into: Buffer, position: number): number {
  try {
    return readSync(fd, into, 0, into.length, position);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): ReinsError {
  return new ReinsError('log-unreadable', `${file} can’t be read: ${reasonOf(error)}.`, { cause: error });
}
