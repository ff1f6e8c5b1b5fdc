/** The skeleton of a log: what there is and where, without the contents. */
import { ReinsError, type Damage, type Event, type EventData, type EventId, type Kind } from '../core/index.ts';
import { asEvent, Decoder, type Entry } from './decoder.ts';
import { logFile } from './folders.ts';
import { castUp, formats, type Formats } from './formats.ts';
import { parseLine } from './line.ts';
import { physicalLines, readPlace, type PhysicalLine } from './physical-lines.ts';

export interface Skeleton {
  /** One for each readable event, in the order of the file. */
  ids: EventId[];
  kinds: Kind[];
  /** Index of the parent; -1 where there is none. */
  parents: number[];
  /** First byte and number of bytes of each event in the file, and the format it was written in. */
  offsets: number[];
  lengths: number[];
  formats: number[];
  index: Map<EventId, number>;
  /** The last readable event: what comes next hangs on it. */
  head: EventId | null;
  damage: Damage[];
  /** The damaged lines of which it can still be read which event they held. */
  lost: Map<EventId, Damage>;
  /** What the session event holds; undefined where its line can't be read. */
  session: EventData['session'] | undefined;
  /** The format of the last line. */
  format: number;
  /** How the file ends: the hash that the next line is chained to (null in an empty file), and whether a newline is missing. */
  end: { prev: string | null; ended: boolean };
}

/** Goes through a session's log once, showing each item to `each`. Throws `session-missing` and `log-unreadable`. */
export function scan(
  folder: string,
  known: Formats = formats,
  each: (item: Event | Damage) => void = () => undefined,
): Skeleton {
  const decoder = new Decoder(known);
  const skeleton = emptySkeleton();
  let last: PhysicalLine | undefined;
  for (const physical of physicalLines(logFile(folder))) {
    for (const entry of decoder.decode(physical)) {
      addEntry(skeleton, entry);
      each(entry.item);
    }
    last = physical;
  }
  skeleton.format = decoder.format;
  if (last !== undefined) skeleton.end = { prev: last.hash(), ended: last.ended };
  return skeleton;
}

/** Takes away what there is for each event, in place. */
export function forgetPlaces(skeleton: Skeleton): void {
  const { ids, kinds, parents, offsets, lengths, formats: each, index } = skeleton;
  for (const list of [ids, kinds, parents, offsets, lengths, each]) list.length = 0;
  index.clear();
}

function emptySkeleton(): Skeleton {
  return {
    ids: [],
    kinds: [],
    parents: [],
    offsets: [],
    lengths: [],
    formats: [],
    index: new Map(),
    head: null,
    damage: [],
    lost: new Map(),
    session: undefined,
    format: 0,
    end: { prev: null, ended: true },
  };
}

function addEntry(skeleton: Skeleton, { item, offset, bytes, format, lost }: Entry): void {
  if ('damage' in item) {
    skeleton.damage.push(item);
    for (const id of lost ?? []) skeleton.lost.set(id, item);
    return;
  }
  skeleton.index.set(item.id, skeleton.ids.length);
  skeleton.ids.push(item.id);
  skeleton.kinds.push(item.kind);
  skeleton.parents.push(item.parent === null ? -1 : (skeleton.index.get(item.parent) ?? -1));
  skeleton.offsets.push(offset);
  skeleton.lengths.push(bytes);
  skeleton.formats.push(format);
  skeleton.head = item.id;
  if (item.kind === 'session') skeleton.session ??= item.data;
}

/** The events from the root to `head`, the last readable event where none is named. Throws `item-unknown` for an event that isn't there. */
export function pathOf(skeleton: Skeleton, head: EventId | null = skeleton.head): Set<EventId> {
  const path: EventId[] = [];
  for (let at = head === null ? -1 : indexOf(skeleton, head); at >= 0; at = skeleton.parents[at] ?? -1) {
    path.push(skeleton.ids[at] ?? '');
  }
  return new Set(path.reverse());
}

/** Whether every event hangs on the one before it, and every line could be read: then the whole log is the path. */
export function isOnePath({ parents, damage }: Skeleton): boolean {
  return damage.length === 0 && parents.every((parent, index) => parent === index - 1);
}

/** Reads one event again. */
export function readEvent(folder: string, skeleton: Skeleton, id: EventId, known: Formats = formats): Event {
  const at = indexOf(skeleton, id);
  const place = { offset: skeleton.offsets[at] ?? 0, bytes: skeleton.lengths[at] ?? 0 };
  const line = parseLine(readPlace(logFile(folder), place));
  const event = 'damage' in line ? line : asEvent(castUp(line, skeleton.formats[at] ?? known.current, known));
  if ('damage' in event || event.id !== id) {
    throw new ReinsError('log-damaged', `The line of event ${id} was changed while it was read.`);
  }
  event.parent = skeleton.ids[skeleton.parents[at] ?? -1] ?? null;
  return event;
}

function indexOf(skeleton: Skeleton, id: EventId): number {
  const at = skeleton.index.get(id);
  if (at !== undefined) return at;
  const lost = skeleton.lost.get(id);
  if (lost !== undefined) {
    throw new ReinsError('log-damaged', `Event ${id} can’t be read: line ${lost.line} is ${lost.damage}.`);
  }
  throw new ReinsError('item-unknown', `The log has no event ${id}.`);
}
