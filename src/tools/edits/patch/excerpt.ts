/** The changed lines of a file as a result shows them, in bounds. */
import { count, cutLine, visible } from '../../text/index.ts';
import type { EditPlace } from '../places.ts';

const lineLength = 200;

export interface ExcerptOptions {
  /** Lines on either side of each place. */
  around: number;
  /** Lines at most; what is left out is counted. */
  limit: number;
  /** What stands before a line (numbered from 1); its number when left out. */
  name?: (number: number, line: string) => string;
}

/** The lines at and around the places, as they are now. */
export function excerptOf(lines: readonly string[], places: readonly EditPlace[], options: ExcerptOptions): string[] {
  const { around, limit, name = String } = options;
  const wanted = new Set<number>();
  for (const { after } of places) {
    const last = Math.min(lines.length, after[1] + around);
    for (let line = Math.max(1, after[0] - around); line <= last; line++) wanted.add(line);
  }
  const shown: string[] = [];
  let previous: number | undefined;
  for (const number of [...wanted].slice(0, limit)) {
    const line = lines[number - 1] ?? '';
    if (previous !== undefined && number > previous + 1) shown.push('...');
    shown.push(`${name(number, line)}\t${cutLine(visible(line), lineLength)}`);
    previous = number;
  }
  const left = wanted.size - Math.min(wanted.size, limit);
  return left > 0 ? [...shown, `[${count(left, 'more line')} not shown]`] : shown;
}
