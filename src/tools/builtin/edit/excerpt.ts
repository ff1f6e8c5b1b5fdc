/** The changed lines of a file with their numbers, in bounds. */
import type { EditPlace } from '../../edits/index.ts';
import { count, cutLine, visible } from '../../text/index.ts';

const linesShown = 40;
const lineLength = 200;

/** The lines around each place, so many on either side; what is left out is counted. */
export function excerpt(lines: string[], places: EditPlace[], around: number): string[] {
  const wanted = new Set<number>();
  for (const { after } of places) {
    const last = Math.min(lines.length, after[1] + around);
    for (let line = Math.max(1, after[0] - around); line <= last; line++) wanted.add(line);
  }
  const shown: string[] = [];
  let previous: number | undefined;
  for (const line of wanted) {
    if (shown.length >= linesShown) break;
    if (previous !== undefined && line > previous + 1) shown.push('...');
    shown.push(`${line}\t${cutLine(visible(lines[line - 1] ?? ''), lineLength)}`);
    previous = line;
  }
  const left = wanted.size - shown.filter((line) => line !== '...').length;
  return left > 0 ? [...shown, `[${count(left, 'more line')} not shown]`] : shown;
}
