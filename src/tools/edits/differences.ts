/** In what a text differs from one that looks like it. */
import { gapDifference, type Difference } from './gaps.ts';
import { lookOf, marksOf, placeAlike, type Mark } from './look-alikes.ts';

export interface Comparison {
  /** Where the text that looks like the wanted one stands. */
  start: number;
  end: number;
  /** The first of each kind; none where both are the same. */
  differences: Difference[];
}

/** Where `wanted` stands in a text but for look-alikes, and in what it differs; undefined where it doesn't. Line ends are LF in both. */
export function compareAlike(text: string, wanted: string): Comparison | undefined {
  const there = marksOf(text);
  const sought = marksOf(wanted);
  const first = placeAlike(there, sought);
  if (first === undefined) return undefined;
  const matched = there.marks.slice(first, first + sought.marks.length);
  const [start = 0, end = 0] = [matched.at(0)?.start, matched.at(-1)?.end];
  const all = matched.flatMap((mark, index) => markDifferences(text, mark, wanted, sought.marks[index], index));
  const behind = text.slice(end, there.marks[first + matched.length]?.start);
  const last = gapDifference(behind, wanted.slice(sought.marks.at(-1)?.end), end, 'after');
  return { start, end, differences: firstOfEachKind([...all, last]) };
}

/** What differs in a character and in what is passed over before it. */
function markDifferences(
  text: string,
  mark: Mark,
  wanted: string,
  sought: Mark | undefined,
  index: number,
): (Difference | undefined)[] {
  if (sought === undefined) return [];
  const side = index === 0 ? 'before' : 'between';
  const gap = gapDifference(text.slice(mark.gap, mark.start), wanted.slice(sought.gap, sought.start), mark.gap, side);
  if (mark.raw === sought.raw) return [gap];
  return [gap, { kind: kindOf(mark.raw, sought.raw), at: mark.start, there: mark.raw, wanted: sought.raw }];
}

function firstOfEachKind(all: (Difference | undefined)[]): Difference[] {
  const kinds = new Map<string, Difference>();
  for (const difference of all) {
    if (difference !== undefined && !kinds.has(difference.kind)) kinds.set(difference.kind, difference);
  }
  return [...kinds.values()];
}

/** What tells two characters apart that look alike. */
function kindOf(there: string, wanted: string): string {
  if (there.normalize('NFC') === wanted.normalize('NFC')) return 'composed characters (Unicode normalisation)';
  if (there.toLowerCase() === wanted.toLowerCase()) return 'letter case';
  const kinds: { [look: string]: string } = { "'": 'quotes', '-': 'dashes', '\u2026': 'dots' };
  return kinds[lookOf(there)] ?? 'look-alikes';
}
