/** The lines of a file, compared as they are: nothing but the line end after them is set aside. */
import { lineSpans, lineText, type TextDocument } from '../document.ts';
import type { Span } from '../match.ts';

export interface FileLines {
  document: TextDocument;
  spans: Span[];
  texts: string[];
}

export function linesOfDocument(document: TextDocument): FileLines {
  const spans = lineSpans(document);
  return { document, spans, texts: spans.map((span) => lineText(document, span)) };
}

/** Whether a line of the file (from 0) is this one. A carriage return at its end stands for CRLF. */
export function isLine({ document, spans, texts }: FileLines, index: number, wanted: string): boolean {
  const text = texts[index];
  if (text === undefined) return false;
  if (text === wanted) return true;
  const isCrlf = document.units[spans[index]?.end ?? -1] === '\r';
  return isCrlf && wanted.length === text.length + 1 && wanted === `${text}\r`;
}

/** All places (from 0) at which these lines stand one after the other, none before `from`; in rising order. */
export function placesOfLines(file: FileLines, wanted: readonly string[], from: number): number[] {
  const places: number[] = [];
  for (let at = from; at + wanted.length <= file.texts.length; at++) {
    if (wanted.every((line, offset) => isLine(file, at + offset, line))) places.push(at);
  }
  return places;
}

/** The first of rising numbers that is above a limit. */
export function firstAbove(rising: readonly number[], limit: number): number | undefined {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return rising[low];
}
