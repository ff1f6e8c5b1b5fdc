/** How lines look: colours where they are wanted, and the width to keep to. */
import type { Writer } from '../output.ts';

export interface Style {
  /** Columns that a line may take. */
  width: number;
  good: (text: string) => string;
  bad: (text: string) => string;
  warn: (text: string) => string;
  dim: (text: string) => string;
  bold: (text: string) => string;
}

const same = (text: string): string => text;

/** No colours: for what isn't a terminal, and for NO_COLOR. */
export function plainStyle(width: number): Style {
  return { width, good: same, bad: same, warn: same, dim: same, bold: same };
}

const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`;

/** Columns for what isn't a terminal: long enough to be useful in a file, short enough to be a line. */
const fileWidth = 200;

export function styleOf(writer: Pick<Writer, 'isTerminal' | 'hasColors' | 'width'>): Style {
  const width = writer.isTerminal ? writer.width() : fileWidth;
  if (!writer.hasColors) return plainStyle(width);
  return { width, good: sgr(32, 39), bad: sgr(31, 39), warn: sgr(33, 39), dim: sgr(2, 22), bold: sgr(1, 22) };
}
