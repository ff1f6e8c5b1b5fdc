/** Lines of a text and how they end. */

export type LineEnds = 'none' | 'LF' | 'CRLF' | 'mixed';

export interface Lines {
  /** Without their ends; a last line end starts no further line. */
  lines: string[];
  ends: LineEnds;
}

export function linesOf(text: string): Lines {
  if (text === '') return { lines: [], ends: 'none' };
  const lines = text.split('\n');
  const ended = lines.length - 1;
  if (lines.at(-1) === '') lines.pop();
  let carriage = 0;
  for (let index = 0; index < ended; index++) {
    const line = lines[index] ?? '';
    if (!line.endsWith('\r')) continue;
    carriage += 1;
    lines[index] = line.slice(0, -1);
  }
  if (ended === 0) return { lines, ends: 'none' };
  if (carriage === 0) return { lines, ends: 'LF' };
  return { lines, ends: carriage === ended ? 'CRLF' : 'mixed' };
}

/** Cuts a line to so many characters, never inside one, and says how many more there are. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const shown = headOf(line, limit);
  return `${shown} [... ${count(line.length - shown.length, 'more character')} in this line]`;
}

/** The first characters, without half a surrogate pair at the end. */
export function headOf(text: string, length: number): string {
  const head = text.slice(0, Math.max(0, length));
  return /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
}

/** The last characters, without half a surrogate pair at the start. */
export function tailOf(text: string, length: number): string {
  const tail = length <= 0 ? '' : text.slice(-length);
  return /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail;
}

/** Head and tail of a text, so many characters in all, and how many lie between. */
export function endsOf(text: string, length: number): { head: string; tail: string; left: number } {
  const head = headOf(text, Math.ceil(length / 2));
  const tail = tailOf(text, Math.floor(length / 2));
  return { head, tail, left: text.length - head.length - tail.length };
}

/** A text within so many characters, its middle left out where it is longer, and the gap counted. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const { head, tail, left } = endsOf(text, limit);
  return `${head}\n[... ${count(left, 'character')} not shown ...]\n${tail}`;
}

/** A number with its thousands set apart; the engine's own way to do it takes a third of a millisecond. */
function grouped(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 line", "2,000 lines". */
export function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
