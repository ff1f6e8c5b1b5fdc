/** Turns the physical lines of a log into events and named damage, and keeps the tree whole where lines are missing. */
import type { Damage, Event, EventId } from '../core/index.ts';
import { isKind, wrongWith } from './event-shapes.ts';
import { castUp, formats, type Formats } from './formats.ts';
import { parseLine, type Head, type Line } from './line.ts';
import type { PhysicalLine } from './physical-lines.ts';
import { salvage } from './salvage.ts';

/** An event or a damage, and where it stands in the file. */
export interface Entry {
  item: Event | Damage;
  /** Number of the physical line, from 1. */
  line: number;
  /** First byte in the file, and the number of bytes without the newline. */
  offset: number;
  bytes: number;
  /** The format that the line was written in. */
  format: number;
  /** The hash that an event's line was chained to, and whether it is the whole line: one that was salvaged can't be chained. */
  prev?: string | null;
  salvaged?: boolean;
  /** The events that a damaged line held, where that can still be read. */
  lost?: EventId[];
}

/** Where a record stands: number of the line, first byte in the file, number of bytes. */
interface Place {
  line: number;
  offset: number;
  length: number;
}

export class Decoder {
  readonly #formats: Formats;
  readonly #readable = new Set<EventId>();
  /** Events that can't be read, by id: the nearest readable one above them on their path. */
  readonly #lost = new Map<EventId, EventId | null>();
  #last: EventId | null = null;
  #format: number;

  /** `format`: the one in force before the first line that it is given. */
  constructor(known: Formats = formats, format = known.current) {
    this.#formats = known;
    this.#format = format;
  }

  /** The format in force, as the last session event names it. */
  get format(): number {
    return this.#format;
  }

  decode(physical: PhysicalLine): Entry[] {
    if (physical.bytes === undefined) return [this.#damage(physical, 'a line too long to be read')];
    const line = parseLine(physical.bytes);
    if (!('damage' in line)) return [this.#take(line, physical)];
    return this.#decodeDamaged(physical, physical.bytes, line.damage);
  }

  #decodeDamaged(physical: PhysicalLine, bytes: Buffer, what: string): Entry[] {
    const known = (id: EventId): boolean => this.#readable.has(id) || this.#lost.has(id);
    const { records, halves } = salvage(bytes, known);
    for (const half of halves) this.#lose(half);
    const rest = physical.length - records.reduce((sum, { start, end }) => sum + end - start, 0);
    const entries: Entry[] = [];
    if (rest > 0 || records.length === 0) {
      entries.push({ ...this.#damage({ ...physical, length: rest }, what), lost: halves.map(({ id }) => id) });
    }
    for (const { line, start, end } of records) {
      const place = { line: physical.line, offset: physical.offset + start, length: end - start };
      entries.push({ ...this.#take(line, place), salvaged: true });
    }
    return entries;
  }

  #take(raw: Line, place: Place): Entry {
    if (this.#readable.has(raw.id)) return this.#damage(place, `the id ${raw.id} for a second time`);
    this.#readFormat(raw);
    const line = castUp(raw, this.#format, this.#formats);
    const event = asEvent(line);
    if ('damage' in event) {
      this.#lose(line);
      return { ...this.#damage(place, event.damage), prev: line.prev, lost: [line.id] };
    }
    event.parent = this.#nearestReadable(line.parent);
    this.#readable.add(event.id);
    this.#lost.delete(event.id);
    this.#last = event.id;
    const { line: number, offset, length } = place;
    return { item: event, line: number, offset, bytes: length, format: this.#format, prev: line.prev };
  }

  #damage(place: Place, damage: string): Entry {
    const { line, offset, length } = place;
    return { item: { damage, line, bytes: length }, line, offset, bytes: length, format: this.#format };
  }

  /** A session event names the format of the lines from itself on. */
  #readFormat(line: Line): void {
    if (line.kind !== 'session' || wrongWith('session', line.data) !== undefined) return;
    this.#format = (line.data as { format: number }).format;
  }

  #lose(head: Head): void {
    if (!this.#readable.has(head.id)) this.#lost.set(head.id, this.#nearestReadable(head.parent));
  }

  /** The parent itself, else the nearest above it; where nothing tells, the nearest before it in the file. */
  #nearestReadable(parent: EventId | null): EventId | null {
    if (parent === null) return this.#last;
    if (this.#readable.has(parent)) return parent;
    return this.#lost.get(parent) ?? this.#last;
  }
}

export function asEvent(line: Line): Event | { damage: string } {
  if (!isKind(line.kind)) return { damage: `an event of the unknown kind ${JSON.stringify(line.kind.slice(0, 40))}` };
  const wrong = wrongWith(line.kind, line.data);
  if (wrong !== undefined) return { damage: `not a whole ${line.kind} event: ${wrong}` };
  const { id, parent, at, kind, data } = line;
  return { id, parent, at, kind, data } as Event;
}
