/** In what two stretches differ that hold nothing but blanks, line ends, escapes and what can't be seen. */
import { withoutInvisible } from './look-alikes.ts';

/** A difference between what is there and what was wanted. */
export interface Difference {
  /** In words: “indentation”, “quotes”. */
  kind: string;
  /** Where in the text that is there. */
  at: number;
  there: string;
  wanted: string;
}

/** Where in the wanted text it stands: what is there may go on before its first and after its last character. */
export type Side = 'before' | 'between' | 'after';

/** The first difference; undefined where there is none. `at` is where the stretch begins in the text that is there. */
export function gapDifference(there: string, wanted: string, at: number, side: Side): Difference | undefined {
  const linesThere = there.split('\n');
  const lines = wanted.split('\n');
  if (linesThere.length < lines.length || (side === 'between' && linesThere.length > lines.length)) {
    return { kind: hasEscape(there + wanted) ? 'an escape' : 'line breaks', at, there, wanted };
  }
  const skipped = side === 'before' ? linesThere.length - lines.length : 0;
  let start = at + lengthOf(linesThere.slice(0, skipped));
  for (const [index, line] of lines.entries()) {
    const lineThere = linesThere[skipped + index] ?? '';
    const isOpen = { before: side === 'before' && index === 0, after: side === 'after' && index === lines.length - 1 };
    if (!isSame(lineThere, line, isOpen)) {
      const isStart = index > 0 || skipped > 0 || at === 0;
      const isEnd = index < lines.length - 1;
      return { kind: kindOf(lineThere, line, { isStart, isEnd }), at: start, there: lineThere, wanted: line };
    }
    start += lineThere.length + 1;
  }
  return undefined;
}

function lengthOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function isSame(there: string, wanted: string, isOpen: { before: boolean; after: boolean }): boolean {
  if (isOpen.before) return there.endsWith(wanted);
  return isOpen.after ? there.startsWith(wanted) : there === wanted;
}

function kindOf(there: string, wanted: string, { isStart, isEnd }: { isStart: boolean; isEnd: boolean }): string {
  if (withoutInvisible(there) === withoutInvisible(wanted)) return 'an invisible character';
  if (hasEscape(there + wanted)) return 'an escape';
  if (isEnd) return 'blanks at the end of a line';
  return isStart ? 'indentation' : 'blanks';
}

function hasEscape(text: string): boolean {
  return text.includes('\\');
}
