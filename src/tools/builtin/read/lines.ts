/** Lines as the model is shown them: numbered, bounded in number and length, with a word about what isn't shown. */
import { count, headOf, visible } from '../../text/index.ts';

const linesShown = 2000;
export const lineLength = 2000;
/** A window ends before this many characters, whole lines only, so that one file can't fill the context window. */
export const charactersShown = 100_000;
/** Characters that all notes together stay below. */
const roomForNotes = 1500;

/** What the call asks to see. */
export interface Window {
  /** The first line, from 1. */
  offset: number;
  /** Lines at most. */
  limit: number;
}

export interface ShownLines {
  lines: string[];
  /** The first one that was too long to be shown whole: its number and its length in characters. */
  cut?: { line: number; length: number };
}

/** The window that the arguments ask for; the schema has seen to it that both count from 1. */
export function windowOf({ offset = 1, limit = linesShown }: { offset?: number; limit?: number }): Window {
  return { offset, limit: Math.min(limit, linesShown) };
}

/**
 * As many of the lines as fit, the first of which has this number. `lead` gives what stands before a line besides its number; `hide` gives
 * a line that is to be cut without what may not be shown.
 */
export function showLines(
  lines: Iterable<string>,
  first: number,
  lead: (line: string) => string = () => '',
  hide: (line: string) => string = (line) => line,
): ShownLines {
  const shown: ShownLines = { lines: [] };
  let room = charactersShown - roomForNotes;
  let number = first;
  for (const line of lines) {
    const text = `${number}${lead(line)}\t${bounded(line, hide)}`;
    room -= text.length + 1;
    if (room < 0 && shown.lines.length > 0) break;
    if (line.length > lineLength) shown.cut ??= { line: number, length: line.length };
    shown.lines.push(text);
    number += 1;
  }
  return shown;
}

/** Cut before control characters are spelled out, so that what counts as cut is the line and not its spelling. */
function bounded(line: string, hide: (line: string) => string): string {
  if (line.length <= lineLength) return visible(line);
  const head = headOf(hide(line), lineLength);
  return `${visible(head)} [... ${count(Math.max(0, line.length - head.length), 'more character')} in this line]`;
}

/** Which lines were shown, and how to go on; nothing where they were all. */
export function whereText(from: number, to: number, of: number): string[] {
  if (from === 1 && to === of) return [];
  const window = `[Lines ${from}-${to} of ${of}.`;
  return [to === of ? `${window} This is the end.]` : `${window} Go on with offset ${to + 1}.]`];
}
