/** Formats of the log: how lines of an older one become today's events when they are read. The file itself is never changed. */
import { logFormat } from '../core/index.ts';
import type { Line } from './line.ts';

export type UpCast = (line: Line) => Line;

export interface Formats {
  /** The format that this version writes. */
  current: number;
  /** Turns a line of format n into one of format n + 1. */
  upCasts: { [format: number]: UpCast };
}

/** Format 1 is the first: there is nothing older to be cast up yet. */
export const formats: Formats = { current: logFormat, upCasts: {} };

export function castUp(line: Line, format: number, known: Formats): Line {
  for (let from = format; from < known.current; from += 1) line = known.upCasts[from]?.(line) ?? line;
  return line;
}
