/** Logs for tests: one in memory, and one that fails when it is told to. */
import type { Draft, Event, EventId, Log } from '../core/index.ts';

export interface MemoryLog extends Log {
  /** The events so far, oldest first. What was appended can't be changed any more. */
  readonly events: readonly Event[];
  /** How many of them a `sync` has covered. */
  readonly synced: number;
}

/**
 * A log in memory. It keeps what a file would keep: JSON, and nothing that isn't. Rejects an event whose parent it doesn't have.
 * @param earlier Events that are there already, of an interrupted session say.
 */
export function memoryLog(earlier: readonly Event[] = []): MemoryLog {
  return new MemoryLogOf(earlier);
}

type Appended = { parent: EventId | null; at: number } & Draft;

class MemoryLogOf implements MemoryLog {
  readonly events: Event[];
  readonly #ids: Set<EventId>;
  /** Ids go on from the earlier ones: each is greater than all before it. */
  readonly #prefix: string;
  synced: number;

  constructor(earlier: readonly Event[]) {
    this.events = [...earlier];
    this.#ids = new Set(earlier.map((event) => event.id));
    const greatest = earlier.reduce((id, event) => (event.id > id ? event.id : id), '');
    this.#prefix = greatest === '' ? 'm' : `${greatest}~`;
    this.synced = earlier.length;
  }

  append({ parent, at, kind, data }: Appended): Promise<Event> {
    if (parent !== null && !this.#ids.has(parent)) {
      return Promise.reject(new Error(`The log has no event ${parent} to hang on.`));
    }
    const id = `${this.#prefix}${String(this.events.length).padStart(6, '0')}`;
    const event = frozen(JSON.parse(JSON.stringify({ id, parent, at, kind, data })) as Event);
    this.#ids.add(id);
    this.events.push(event);
    return Promise.resolve(event);
  }

  sync(): Promise<void> {
    this.synced = this.events.length;
    return Promise.resolve();
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

export interface LogFailure {
  /** The append that fails, counted from 1; every later one fails too. */
  failAt?: number;
  /** The sync that fails, counted from 1; every later one fails too, and so do appends. */
  failSyncAt?: number;
  /** Whether the event was written all the same and only its confirmation was lost. Default false. */
  written?: boolean;
  /** What it fails with; default that the disk is full. */
  error?: Error;
}

/** A log that fails on the Nth append or sync, and from then on. */
export function failingLog(log: Log, failure: LogFailure): Log {
  const error = failure.error ?? Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  let appends = 0;
  let syncs = 0;
  let failed = false;
  return {
    async append(event) {
      appends += 1;
      if (failed) throw error;
      if (appends !== failure.failAt) return log.append(event);
      failed = true;
      if (failure.written === true) await log.append(event);
      throw error;
    },
    async sync() {
      syncs += 1;
      failed ||= syncs === failure.failSyncAt;
      if (failed) throw error;
      return log.sync();
    },
  };
}
