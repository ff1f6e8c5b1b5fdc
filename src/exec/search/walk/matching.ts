/** Which lines of a piece of text match. */
import type { Pattern } from '../pattern/index.ts';
import { bytesBefore, textOfBytes } from './text.ts';

/** Calls back with the first and the last line (counted from 0 in the piece) of each match, in order; until it gives false. */
export type OnLines = (first: number, last: number) => boolean;

/** Finds the lines that match. With a pattern that spans lines, the piece must be the whole file. */
export function matchLines(pattern: Pattern, piece: Buffer, onLines: OnLines): void {
  if (pattern.required !== '' && !piece.includes(pattern.required)) return;
  const { text, ascii } = textOfBytes(piece);
  const expression = ascii ? pattern.ascii : pattern.unicode;
  if (pattern.spansLines) matchAcross(expression, text, onLines);
  else matchEach(expression, text, onLines);
}

function matchEach(expression: RegExp, text: string, onLines: OnLines): void {
  const lines = new LineCounter(text);
  for (let at = 0; at < text.length;) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    // Behind the last line feed there is no line.
    if (match === null || (match.index === text.length && text.endsWith('\n'))) return;
    const line = lines.at(match.index);
    if (!onLines(line, line)) return;
    const end = text.indexOf('\n', match.index);
    if (end < 0) return;
    at = end + 1;
  }
}

/** Each match is looked for in what is left behind the last one, as if nothing came before: so does ripgrep. */
function matchAcross(expression: RegExp, text: string, onLines: OnLines): void {
  const lines = new LineCounter(text);
  for (let at = 0; at < text.length;) {
    expression.lastIndex = 0;
    const rest = text.slice(at);
    const match = expression.exec(rest);
    if (match === null) return;
    const start = at + match.index;
    const end = start + match[0].length;
    if (start === text.length && text.endsWith('\n')) return;
    if (!onLines(lines.at(start), lines.at(end > start ? end - 1 : start))) return;
    at = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
}

/** Line numbers of growing places in a text. */
class LineCounter {
  readonly #text: string;
  #line = 0;
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = text.indexOf('\n');
  }

  at(place: number): number {
    while (this.#next >= 0 && this.#next < place) {
      this.#line += 1;
      this.#next = this.#text.indexOf('\n', this.#next + 1);
    }
    return this.#line;
  }
}

/** The byte at which the first match in a line begins. */
export function firstMatch(pattern: Pattern, line: Buffer): number | undefined {
  const { text, ascii } = textOfBytes(line);
  const expression = ascii ? pattern.ascii : pattern.unicode;
  expression.lastIndex = 0;
  const match = expression.exec(text);
  return match === null ? undefined : bytesBefore(text, match.index);
}
