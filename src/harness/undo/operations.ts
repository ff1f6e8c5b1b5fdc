/** What of a session can be taken back: the calls that had effects, with the workspace right before and right after each. */
import type { CallKey, Change, Damage, Event, EventId } from '../../core/index.ts';

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
  /** The only paths that it changed, where they are known. */
  paths?: string[];
  /** Of an undo: the calls that it took back. */
  calls?: CallKey[];
  /** It was taken back and not brought back since. */
  isUndone: boolean;
}

/** The operations of a log in the order in which they began, on every branch: what was done stays done when the head moves. */
export function operationsIn(items: Iterable<Event | Damage>): Operation[] {
  const folding = new Folding();
  for (const item of items) if (!('damage' in item)) folding.take(item);
  return folding.operations;
}

class Folding {
  readonly operations: Operation[] = [];
  readonly #turns = new Map<EventId, number>();
  /** Turn by the id of the reply, which the keys of its calls begin with. */
  readonly #replies = new Map<EventId, number>();
  readonly #open = new Map<CallKey, Operation>();
  #turn = 0;

  take(event: Event): void {
    switch (event.kind) {
      case 'request':
        this.#turns.set(event.id, event.data.turn);
        return;
      case 'reply':
        this.#turn = this.#turns.get(event.data.request) ?? this.#turn;
        this.#replies.set(event.id, this.#turn);
        return;
      case 'start':
        return this.#start(event.data);
      case 'result':
        return this.#end(event.data);
      case 'undo':
        return this.#undo(event);
      default:
    }
  }

  #start({ call, tool, snapshot }: { call: CallKey; tool: string; snapshot?: string }): void {
    if (snapshot === undefined) return;
    this.#closeInterrupted(snapshot);
    const turn = this.#replies.get(call.slice(0, call.lastIndexOf('/'))) ?? this.#turn;
    const operation: Operation = { id: call, what: 'call', turn, tool, before: snapshot, isUndone: false };
    this.operations.push(operation);
    this.#open.set(call, operation);
  }

  #end(data: { call: CallKey; snapshot?: string; changes?: Change[]; mayHaveChanged?: boolean }): void {
    const operation = this.#open.get(data.call);
    if (operation === undefined || data.snapshot === undefined) return;
    this.#open.delete(data.call);
    operation.after = data.snapshot;
    if (data.changes !== undefined && data.mayHaveChanged !== true) {
      operation.paths = data.changes.map(({ path }) => path);
    }
  }

  /** A call of an earlier process that never said how the workspace was after it: the next that was kept says it. */
  #closeInterrupted(snapshot: string): void {
    for (const [key, operation] of this.#open) {
      if (operation.turn === this.#turn) continue;
      operation.after ??= snapshot;
      this.#open.delete(key);
    }
  }

  #undo({
    id,
    data,
  }: {
    id: EventId;
    data: { calls: CallKey[]; undone?: EventId; before: string; after: string };
  }): void {
    const { calls, undone, before, after } = data;
    for (const operation of this.operations) {
      if (operation.id === undone) operation.isUndone = true;
      if (calls.includes(operation.id)) operation.isUndone = undone === undefined;
    }
    const earlier = { id, what: 'undo' as const, turn: this.#turn, tool: '', before, after, calls, isUndone: false };
    // Bringing back what was taken back leaves nothing that could be brought back.
    if (undone === undefined) this.operations.push(earlier);
  }
}
