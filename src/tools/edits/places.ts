/** Lines that an edit touched. */
import type { Span } from './match.ts';

/** Lines (from, to; counted from 1) that a change touched, and those that stand there now; none where `to` is below `from`. */
export interface EditPlace {
  before: [number, number];
  after: [number, number];
}

/** A replacement in the units of a text. */
export interface Made {
  span: Span;
  units: string;
}

/** The lines of replacements in a text that had these units; the replacements rise. */
export function placesOf(units: string, made: readonly Made[]): EditPlace[] {
  const lineAt = lineCounter(units);
  let grown = 0;
  return made.map(({ span, units: replacement }) => {
    const from = lineAt(span.start);
    const ends = lineAt(span.end) - from;
    const madeEnds = countLineEnds(replacement);
    // Where a last line end goes and none takes its place, the next line is joined to this one, and touched as well.
    const wholeLines =
      span.end > span.start && units[span.end - 1] === '\n' && (replacement === '' || replacement.endsWith('\n'));
    const openLine = wholeLines ? 0 : 1;
    const first = from + grown;
    grown += madeEnds - ends;
    return { before: [from, from + ends - (wholeLines ? 1 : 0)], after: [first, first + madeEnds + openLine - 1] };
  });
}

/** Earlier places as they lie after a later change to the same text, whose places rise. */
export function carryPlaces(earlier: readonly EditPlace[], later: readonly EditPlace[]): EditPlace[] {
  return earlier.map(({ before, after: [from, to] }) => ({
    before,
    after: [carryLine(from, later, 0), carryLine(to, later, 1)],
  }));
}

/** Where a line lies after a change; one that was replaced itself counts as the first (0) or last (1) of what stands there now. */
function carryLine(line: number, later: readonly EditPlace[], edge: 0 | 1): number {
  const holds = ({ before }: EditPlace): boolean => before[0] <= line && line <= before[1];
  const place = edge === 0 ? later.find(holds) : later.findLast(holds);
  if (place !== undefined) return place.after[edge];
  const above = later.findLast(({ before }) => before[1] < line);
  return above === undefined ? line : line + above.after[1] - above.before[1];
}

/** The numbers of the lines at these places and so many on either side, none below 1. */
export function linesAround(places: readonly EditPlace[], around: number): Set<number> {
  const numbers = new Set<number>();
  for (const { after } of places) {
    for (let line = Math.max(1, after[0] - around); line <= after[1] + around; line++) numbers.add(line);
  }
  return numbers;
}

/** Gives the line (from 1) of places that are asked for in rising order. */
export function lineCounter(units: string): (place: number) => number {
  let line = 1;
  let seen = 0;
  return (place) => {
    for (let at = units.indexOf('\n', seen); at !== -1 && at < place; at = units.indexOf('\n', at + 1)) line += 1;
    seen = place;
    return line;
  };
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1;
}
