/** Reading a log as a stream of events and named damage. */
import type { Damage, Event } from '../core/index.ts';
import { Decoder, type Entry } from './decoder.ts';
import { logFile } from './folders.ts';
import { formats, type Formats } from './formats.ts';
import { physicalLines } from './physical-lines.ts';

/**
 * All lines of a session's log in the order of the file: events, and by name what can't be read. Memory doesn't grow with the
 * file but for the ids. Every event's parent is an event that came before it: where the real one can't be read, it is the nearest
 * readable one above it. Throws `session-missing` and `log-unreadable`.
 */
export function* readLog(folder: string, known: Formats = formats): Generator<Event | Damage> {
  for (const entry of readEntries(folder, known)) yield entry.item;
}

/** The same with the place of each in the file. */
export function* readEntries(folder: string, known: Formats = formats): Generator<Entry> {
  const decoder = new Decoder(known);
  for (const physical of physicalLines(logFile(folder))) yield* decoder.decode(physical);
}
