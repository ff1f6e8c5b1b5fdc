/** What of a session can be taken back: the calls that had effects, with the workspace right before and right after each. */
import { isAbsolute, relative } from 'node:path';
import type { CallKey, Damage, Event, EventData, EventId, EventOf } from '../../core/index.ts';

/** One effect. A call's key, or the id of an earlier undo. */
export interface Operation {
  id: string;
  what: 'call' | 'undo';
  /** Of the call, from 1; that of the newest call before it for an undo. */
  turn: number;
  tool: string;
  before: string;
  /** Absent as long as nothing was kept since: then the workspace of now stands for it. */
  after?: string;
  /** The event that tells its outcome; absent as long as none does. */
  ended?: EventId;
  /** The only paths that it changed, where they are known. */
  paths?: string[];
  /** Of an undo: the calls that it took back, and the paths that it left as they were. */
  calls?: CallKey[];
  left?: string[];
  /** It was taken back and not brought back since. */
  isUndone: boolean;
}

/** A file that a call changed while nothing was kept. */
export interface Unkept {
  turn: number;
  ended: EventId;
  path: string;
}

export interface History {
  /** In the order in which they began, on every branch: what was done stays done when the head moves. */
  operations: Operation[];
  unkept: Unkept[];
  /** Lines that can't be read: what they say of calls is not known. */
  damaged: number;
}

/** A place in a session from which on effects are meant: a turn and what follows it, or whatever came of calls after an event. */
export type Since = number | { after: EventId };

/** Ids of events are sortable, so that what came after one needs no list of all. */
export function isSince({ turn, ended }: Pick<Operation, 'turn' | 'ended'>, since: Since): boolean {
  return typeof since === 'number' ? turn >= since : ended === undefined || ended > since.after;
}

export function historyIn(items: Iterable<Event | Damage>): History {
  const folding = new Folding();
  let damaged = 0;
  for (const item of items) {
    if ('damage' in item) damaged += 1;
    else folding.take(item);
  }
  return { operations: folding.operations, unkept: folding.unkept, damaged };
}

class Folding {
  readonly operations: Operation[] = [];
  readonly unkept: Unkept[] = [];
  #workspace = '';
  /** What a call that is open may write; only where it says so. */
  readonly #written = new Map<CallKey, string[]>();
  readonly #turns = new Map<EventId | null, number>();
  /** Turn by the id of the reply, which the keys of its calls begin with. */
  readonly #replies = new Map<EventId, number>();
  readonly #open = new Map<CallKey, Operation>();
  #turn = 0;

  take(event: Event): void {
    switch (event.kind) {
      case 'session':
        this.#workspace = event.data.workspace;
        return;
      case 'request':
        this.#turns.set(event.id, event.data.turn);
        return;
      case 'reply':
        this.#turn = this.#turns.get(event.data.request) ?? this.#turn;
        this.#replies.set(event.id, this.#turn);
        return;
      case 'verdict':
        return this.#judged(event.data);
      case 'start':
        return this.#start(event.data);
      case 'result':
        return this.#end(event);
      case 'undo':
        return this.#undo(event);
      default:
    }
  }

  #judged({ call, resources }: EventData['verdict']): void {
    if (resources === 'unknown') return;
    const written = resources.filter(({ access }) => access === 'write').map(({ path }) => path);
    const areFiles = written.length > 0 && written.every((path) => isAbsolute(path) && !/[*?[{]/.test(path));
    if (!areFiles) return;
    const keys = written.map((path) => this.#keyOf(path));
    this.#written.set(call, keys);
  }

  /** A path as the store calls it. */
  #keyOf(path: string): string {
    const inside = isAbsolute(path) ? relative(this.#workspace, path) : path;
    return inside.startsWith('"') ? `"${[...Buffer.from(inside)].map(octal).join('')}"` : inside;
  }

  #turnOf(call: CallKey): number {
    return this.#replies.get(call.slice(0, call.lastIndexOf('/'))) ?? this.#turn;
  }

  #start({ call, tool, snapshot }: { call: CallKey; tool: string; snapshot?: string }): void {
    if (snapshot === undefined) return;
    this.#closeInterrupted(snapshot);
    const operation: Operation = {
      id: call,
      what: 'call',
      turn: this.#turnOf(call),
      tool,
      before: snapshot,
      isUndone: false,
    };
    // What it was cut off in can be no more than this.
    const written = this.#written.get(call);
    if (written !== undefined) operation.paths = written;
    this.operations.push(operation);
    this.#open.set(call, operation);
  }

  #end({ id: ended, data }: EventOf<'result'>): void {
    const { call, snapshot, changes, mayHaveChanged = false, outcome } = data;
    const operation = this.#open.get(call);
    this.#written.delete(call);
    if (operation === undefined) {
      for (const { path } of changes ?? []) {
        this.unkept.push({ turn: this.#turnOf(call), ended, path: this.#keyOf(path) });
      }
      return;
    }
    operation.ended = ended;
    if (mayHaveChanged && outcome !== 'interrupted') delete operation.paths;
    else if (changes !== undefined) operation.paths = changes.map(({ path }) => this.#keyOf(path));
    if (snapshot === undefined) return;
    operation.after = snapshot;
    this.#open.delete(call);
  }

  /** A call of an earlier process that never said how the workspace was after it: the next that was kept says it. */
  #closeInterrupted(snapshot: string): void {
    for (const [key, operation] of this.#open) {
      if (operation.turn === this.#turn) continue;
      operation.after ??= snapshot;
      this.#open.delete(key);
    }
  }

  #undo({ id, data: { calls, undone, before, after, kept } }: EventOf<'undo'>): void {
    for (const operation of this.operations) {
      if (operation.id === undone) operation.isUndone = true;
      if (calls.includes(operation.id)) operation.isUndone = undone === undefined;
    }
    // Bringing back what was taken back leaves nothing that could be brought back.
    if (undone !== undefined) return;
    const left = kept.map(({ path }) => path);
    this.operations.push({
      id,
      ended: id,
      what: 'undo',
      turn: this.#turn,
      tool: '',
      before,
      after,
      calls,
      left,
      isUndone: false,
    });
  }
}

function octal(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}
