/** Gives the new text the line ends of the place it goes to. */
import type { Span } from './match.ts';

/**
 * The replacement with each bare LF turned into the line end that belongs there: lines that the old text shares at its start or
 * end keep theirs, the others take that of the replaced line beside them. What is CRLF in the replacement stays CRLF.
 */
export function withLocalLineEnds(units: string, span: Span, replacement: string): string {
  if (!replacement.includes('\n')) return replacement;
  const old = units.slice(span.start, span.end).split('\n');
  const made = replacement.split('\n');
  const ends = old.slice(0, -1).map((line) => (line.endsWith('\r') ? '\r\n' : '\n'));
  const fallback = endOfLineAt(units, span.end);
  const head = sharedAtStart(old, made);
  const tail = sharedAtEnd(old, made, head);
  return made
    .map((line, index) => {
      if (index === made.length - 1) return line;
      if (line.endsWith('\r')) return `${line}\n`;
      const fromEnd = made.length - 1 - index;
      const place = fromEnd <= tail ? ends.length - fromEnd : Math.min(index, ends.length - 1);
      return line + (ends[place] ?? fallback);
    })
    .join('');
}

const bare = (line: string | undefined): string | undefined => (line?.endsWith('\r') ? line.slice(0, -1) : line);

/** Whole lines that both begin with. */
function sharedAtStart(old: string[], made: string[]): number {
  const most = Math.min(old.length, made.length) - 1;
  let shared = 0;
  while (shared < most && bare(old[shared]) === bare(made[shared])) shared += 1;
  return shared;
}

/** Line ends that both have in common at the end, those counted at the start left out. */
function sharedAtEnd(old: string[], made: string[], head: number): number {
  const most = Math.min(old.length, made.length) - 1 - head;
  let shared = 0;
  while (shared < most && bare(old.at(-1 - shared)) === bare(made.at(-1 - shared))) shared += 1;
  return shared;
}

/** The line end after a place; in the last line the one before it; LF where there is none at all. */
function endOfLineAt(units: string, place: number): string {
  const after = units.indexOf('\n', place);
  const at = after === -1 ? units.lastIndexOf('\n') : after;
  return units[at - 1] === '\r' ? '\r\n' : '\n';
}
