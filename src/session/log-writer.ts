/** The log on disk: appends lines to a file that only ever grows. */
import { hash } from 'node:crypto';
import { ReinsError, type Draft, type Event, type EventId, type Log } from '../core/index.ts';
import { isKind, wrongWith } from './event-shapes.ts';
import { reasonOf } from './folders.ts';
import { Identifiers } from './identifiers.ts';
import { encodeLine, identifier } from './line.ts';
import type { LogHandle } from './log-handle.ts';

export interface LogEnd {
  /** The hash of the last physical line, null in an empty file. */
  prev: string | null;
  /** Whether the file ends in a newline (or is empty). */
  ended: boolean;
}

/**
 * Appends to one log; its user holds the session's lock. An event is one write, made before `append` returns its promise, so
 * that it survives the end of the process from then on. After a failed write or sync all later ones reject with `log-append-failed`:
 * what a half-written line cost is named when the log is read, and the next to open the log goes on in a new line.
 */
export class LogWriter implements Log {
  readonly #file: string;
  readonly #handle: LogHandle;
  readonly #identifiers = new Identifiers();
  #prev: string | null;
  #ended: boolean;
  #failure: ReinsError | undefined;
  #closed = false;
  #appended = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;

  constructor(file: string, handle: LogHandle, end: LogEnd, known: Iterable<EventId>) {
    this.#file = file;
    this.#handle = handle;
    this.#prev = end.prev;
    this.#ended = end.ended;
    for (const id of known) this.#identifiers.continueAfter(id);
  }

  /** The hash of the last line. */
  get head(): string | null {
    return this.#prev;
  }

  // No await before the write: events are written in the order of the calls.
  async append(draft: { parent: EventId | null; at: number } & Draft): Promise<Event> {
    return this.#write({ ...draft, id: this.#identifiers.next(draft.at) });
  }

  /** Writes an event of another log under its own id: a fork keeps the ids of what it copies. */
  async copy(event: Event): Promise<Event> {
    this.#identifiers.continueAfter(event.id);
    return this.#write(event);
  }

  /** Resolves when everything appended before the call survives the end of the machine. */
  async sync(): Promise<void> {
    const target = this.#appended;
    while (this.#synced < target) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#syncing ??= this.#startSync();
      await this.#syncing;
    }
  }

  /** From now on nothing can be appended. Waits for a sync that is under way; its outcome is for whoever asked for it. */
  async close(): Promise<void> {
    this.#failure ??= new ReinsError('log-append-failed', `${this.#file} is closed.`);
    if (this.#closed) return;
    this.#closed = true;
    await this.#syncing?.catch(() => undefined);
    this.#handle.close();
  }

  async #startSync(): Promise<void> {
    const covered = this.#appended;
    try {
      await this.#handle.datasync();
      this.#synced = covered;
    } catch (error) {
      // What the system failed to write may be gone from its memory too: a second try would only seem to work.
      this.#failure ??= this.#failed(error);
      throw this.#failure;
    } finally {
      this.#syncing = undefined;
    }
  }

  #write(given: Event): Event {
    if (this.#failure !== undefined) throw this.#failure;
    const data = toJson(given);
    const { id, parent, at, kind } = given;
    // What is handed on is what a reader will get, whatever the caller's objects hold besides or become later.
    const event = { id, parent, at, kind, data: JSON.parse(data) as unknown } as Event;
    const wrong = wrongWithEvent(event);
    if (wrong !== undefined) throw new ReinsError('defect', `A ${kind} event can’t be recorded: ${wrong}.`);
    const line = encodeLine({ id, parent, at, kind, data, prev: this.#prev });
    const bytes = Buffer.from(this.#ended ? line : `\n${line}`);
    try {
      writeWhole(this.#handle, bytes);
    } catch (error) {
      this.#failure = this.#failed(error);
      throw this.#failure;
    }
    this.#prev = hash('sha256', bytes.subarray(this.#ended ? 0 : 1, -1), 'hex');
    this.#ended = true;
    this.#appended += 1;
    return event;
  }

  #failed(error: unknown): ReinsError {
    return new ReinsError('log-append-failed', `${this.#file} can’t be written: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

function toJson({ kind, data }: Event): string {
  try {
    return JSON.stringify(data) ?? 'null';
  } catch (error) {
    // Nothing was written: the log is whole, and the fault is in who made the event.
    throw new ReinsError('defect', `A ${kind} event can’t be recorded: ${reasonOf(error)}.`, { cause: error });
  }
}

/** A line that no reader would take must not be written. */
function wrongWithEvent({ parent, at, kind, data }: Event): string | undefined {
  if (!isKind(kind)) return 'there is no such kind';
  if (!Number.isFinite(at)) return 'its time is no number';
  if (parent !== null && !identifier.test(parent)) return 'its parent can’t be the id of an event';
  return wrongWith(kind, data);
}

function writeWhole(handle: LogHandle, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) {
    const more = handle.write(bytes, written);
    if (more <= 0) throw new Error('the system wrote nothing');
    written += more;
  }
}
