/** One line of the log: how an event is written, and what can be read of a line, whole or not. */
import { isUtf8 } from 'node:buffer';
import type { EventId } from '../core/index.ts';

/** A line as it stands in the file, before its kind and data are looked at. */
export interface Line {
  id: EventId;
  parent: EventId | null;
  at: number;
  kind: string;
  data: unknown;
  prev: string | null;
}

/** What a damaged line still tells of the event that it held. */
export interface Head {
  id: EventId;
  parent: EventId | null;
}

export const identifier = /^[A-Za-z0-9_-]{1,64}$/;

/** The keys come in a fixed order, so that a damaged line can still be told apart from its neighbour. `data` is JSON already. */
export function encodeLine(line: Omit<Line, 'data'> & { data: string }): string {
  const parent = line.parent === null ? 'null' : `"${line.parent}"`;
  const prev = line.prev === null ? 'null' : `"${line.prev}"`;
  return `{"id":"${line.id}","parent":${parent},"at":${line.at},"kind":"${line.kind}","data":${line.data},"prev":${prev}}\n`;
}

/** The event of a whole line, or what is wrong with it. */
export function parseLine(bytes: Buffer): Line | { damage: string } {
  if (bytes.length === 0) return { damage: 'an empty line' };
  const text = bytes.toString('utf8');
  // Bytes that aren't UTF-8 turn into this mark, so that only a text with the mark needs the closer look.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return { damage: 'not valid UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { damage: isCut(bytes) ? 'half a line' : 'not valid JSON' }; // The parser's own words quote the content.
  }
  return asLine(value) ?? { damage: 'not an event' };
}

function asLine(value: unknown): Line | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, parent, at, kind, data, prev } = value as { [key: string]: unknown };
  if (typeof id !== 'string' || !identifier.test(id)) return undefined;
  if (parent !== null && (typeof parent !== 'string' || !identifier.test(parent))) return undefined;
  if (typeof at !== 'number' || !Number.isFinite(at) || typeof kind !== 'string') return undefined;
  return { id, parent, at, kind, data, prev: typeof prev === 'string' ? prev : null };
}

function isCut(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 7) === '{"id":"' && bytes.at(-1) !== 0x7d;
}
