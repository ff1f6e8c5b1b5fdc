/** The lines of a file that match, with those around them. */
import type { FileLines, LineBudget, LineRecord } from '../engine.ts';
import type { Pattern } from '../pattern/index.ts';
import { ByteLines } from './byte-lines.ts';
import { searchable } from './counting.ts';
import { matchLines } from './matching.ts';
import { piecesOf } from './text.ts';

export interface Wanted {
  context: number;
  limit: number;
  budget: LineBudget;
}

/** Its lines, until there are more than `limit` matches. */
export function linesIn(path: Buffer, pattern: Pattern, wanted: Wanted): Omit<FileLines, 'path'> {
  const { limit } = wanted;
  const collector = new Collector(wanted);
  for (const piece of piecesOf(path, pattern.spansLines)) {
    const searched = searchable(piece, pattern);
    if (searched.binary) return { binary: true, records: [] };
    const matched = matchedLines(pattern, piece, limit);
    if (pattern.spansLines && hasNul(piece, matched)) return { binary: true, records: [] };
    if (!collector.take(piece, matched)) break;
  }
  return { binary: false, records: collector.records };
}

/** Numbers of the lines that match, counted from 0; one more than is wanted, so that the end is seen. */
function matchedLines(pattern: Pattern, piece: Buffer, limit: number): Set<number> {
  const matched = new Set<number>();
  matchLines(pattern, piece, (from, to) => {
    for (let line = from; line <= to && matched.size <= limit; line++) matched.add(line);
    return matched.size <= limit;
  });
  return matched;
}

function hasNul(piece: Buffer, matched: Set<number>): boolean {
  const lines = new ByteLines(piece);
  return [...matched].some((line) => lines.of(line, line).includes(0));
}

class Collector {
  readonly records: LineRecord[] = [];
  readonly #context: number;
  readonly #budget: LineBudget;
  #left: number;
  /** The last lines that weren't shown. */
  #before: LineRecord[] = [];
  /** So many more lines are shown behind a match. */
  #behind = 0;
  /** Lines and bytes of the pieces so far. */
  #line = 0;
  #offset = 0;

  constructor({ context, limit, budget }: Wanted) {
    this.#context = context;
    this.#left = limit;
    this.#budget = budget;
  }

  /** Takes what is wanted of a piece; false when nothing more is. */
  take(piece: Buffer, matched: Set<number>): boolean {
    const lines = new ByteLines(piece);
    // Without lines around them, only those that match are looked at.
    const wanted = this.#context === 0 ? matched : everyLine(piece);
    for (const index of wanted) {
      const start = lines.startOf(index);
      if (start >= piece.length) break;
      const record = this.#recordOf(piece, start, index, matched.has(index));
      if (record.matched && this.#left === 0) return false;
      this.#show(record);
    }
    this.#line += countLines(piece);
    this.#offset += piece.length;
    return true;
  }

  #recordOf(piece: Buffer, start: number, index: number, matched: boolean): LineRecord {
    const found = piece.indexOf(10, start);
    const end = found < 0 ? piece.length : found;
    const place = { line: this.#line + index + 1, matched, offset: this.#offset + start };
    return { ...place, bytes: piece.subarray(start, end) };
  }

  #show(record: LineRecord): void {
    if (record.matched) {
      for (const shown of [...this.#before, record]) this.#add(shown);
      this.#before = [];
      this.#left -= 1;
      this.#behind = this.#context;
    } else if (this.#behind > 0) {
      this.#add(record);
      this.#behind -= 1;
    } else {
      this.#before.push(record);
      if (this.#before.length > this.#context) this.#before.shift();
    }
  }

  #add({ bytes, ...place }: LineRecord): void {
    const isHeld = bytes !== undefined && this.#budget.allows(bytes.length);
    // A copy with memory of its own: what goes to another thread takes all of its memory along.
    this.records.push(isHeld ? { ...place, bytes: Buffer.from(new Uint8Array(bytes).buffer) } : place);
  }
}

function* everyLine(piece: Buffer): Generator<number> {
  const count = countLines(piece);
  for (let line = 0; line <= count; line++) yield line;
}

function countLines(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) count += 1;
  return count;
}
