/** Reads a log on from where it was read to before. */
import { Decoder, type Entry } from './decoder.ts';
import { logFile } from './folders.ts';
import { formats } from './formats.ts';
import { physicalLines } from './physical-lines.ts';

/** Where a log was read to: the next line, its first byte, and the format in force. */
export interface Position {
  line: number;
  offset: number;
  format: number;
}

export const beginning: Position = { line: 1, offset: 0, format: formats.current };

export interface Tail {
  entries: Entry[];
  /** Behind the last whole line. */
  position: Position;
  /** A last line without its end: it may still become whole. */
  rest: Entry[];
}

/**
 * What follows a position, handed on in pieces. A damaged line may hold records that hang on earlier ones: whoever meets damage behind
 * the beginning reads the log anew.
 */
export function* readTail(folder: string, from: Position): Generator<Tail> {
  const decoder = new Decoder(formats, from.format);
  let position = from;
  for (const physical of physicalLines(logFile(folder), from)) {
    const entries = decoder.decode(physical);
    if (!physical.ended) {
      yield { entries: [], position, rest: entries };
      return;
    }
    position = { line: physical.line + 1, offset: physical.offset + physical.length + 1, format: decoder.format };
    yield { entries, position, rest: [] };
  }
}
