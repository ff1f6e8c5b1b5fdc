/** What a portion of a job's output looks like to whoever asked for it. */
import type { Captured } from '../output/index.ts';

/** Characters of the start and of the end that are shown of output that isn't shown whole. */
const partShown = 11_000;

export interface Portion {
  output: string;
  omitted: number;
}

/** Output that is all there is given whole, however much that is; of more, its start and end with the gap in between. */
export function portionText(
  { head, tail, omitted, bytes, blob, dropped }: Captured,
  notes: readonly string[],
): Portion {
  const said = notes.map((note) => `[${note}]`);
  if (omitted === 0) return { output: joined([head, ...said]), omitted };
  const [first, last] = [startOf(head), endOf(tail)];
  const left =
    omitted + Buffer.byteLength(head.slice(first.length)) + Buffer.byteLength(tail.slice(0, tail.length - last.length));
  const where =
    blob === undefined ? 'it was not kept' : `kept in blob ${blob}${dropped > 0 ? `, but for ${dropped} bytes` : ''}`;
  const gap = `[... ${left} of ${bytes} bytes left out here; ${where} ...]`;
  return { output: joined([first, gap, last, ...said]), omitted: left };
}

function joined(parts: string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, index, all) => (index + 1 < all.length && !part.endsWith('\n') ? `${part}\n` : part))
    .join('');
}

/** Never half a surrogate pair. */
function startOf(text: string): string {
  const start = text.slice(0, partShown);
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

function endOf(text: string): string {
  const end = text.slice(-partShown);
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end;
}
