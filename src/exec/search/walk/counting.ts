/** How many lines of a file match. */
import type { Counted } from '../engine.ts';
import type { Pattern } from '../pattern/index.ts';
import { ByteLines } from './byte-lines.ts';
import { matchLines } from './matching.ts';
import { piecesOf } from './text.ts';

/** Bytes at its beginning in which a NUL makes a file binary that is searched as a whole; in others one anywhere does. */
const binaryProbe = 65_536;

export interface CountAsked {
  filesOnly: boolean;
  withoutBinary: boolean;
}

/** The count of one file; undefined where nothing matches. */
export function countIn(path: Buffer, pattern: Pattern, asked: CountAsked): Omit<Counted, 'path'> | undefined {
  let count = 0;
  let binary = false;
  for (const piece of piecesOf(path, pattern.spansLines)) {
    const searched = searchable(piece, pattern);
    binary ||= searched.binary;
    if (binary && asked.withoutBinary) return undefined;
    const bytes = new ByteLines(piece);
    let last = -1;
    matchLines(pattern, searched.piece, (from, to) => {
      count += Math.max(0, to - Math.max(from - 1, last));
      last = Math.max(last, to);
      if (pattern.spansLines) binary ||= bytes.of(from, to).includes(0);
      return !asked.filesOnly;
    });
    if (asked.filesOnly && count > 0) return { count: 1, binary };
  }
  return count > 0 ? { count, binary } : undefined;
}

/** A piece as it is searched, and whether a NUL in it makes its file binary. Line by line, a NUL ends a line, as it does to ripgrep. */
export function searchable(piece: Buffer, { spansLines }: Pattern): { piece: Buffer; binary: boolean } {
  if (spansLines) return { piece, binary: piece.subarray(0, binaryProbe).includes(0) };
  if (!piece.includes(0)) return { piece, binary: false };
  const copy = Buffer.from(piece);
  for (let at = copy.indexOf(0); at >= 0; at = copy.indexOf(0, at + 1)) copy[at] = 10;
  return { piece: copy, binary: true };
}
