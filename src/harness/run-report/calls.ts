/** What became of each call, as far as a report needs it. */
import type { CallKey, Event, EventData, EventId, EventOf, FailureKind, Outcome } from '../../core/index.ts';
import { whatOf } from '../shorten.ts';

/** Characters of what a call was about, and of what it answered. */
const longestWhat = 500;
const longestSaid = 300;

export interface DoneCall {
  key: CallKey;
  /** Of `reins log`, from 1; 0 where the log no longer says it. */
  turn: number;
  tool: string;
  /** Its command, its path, or whatever says most. */
  what: string;
  outcome?: Outcome;
  exit?: number | null;
  failed?: FailureKind;
  /** The beginning of its result, the end where it is the output of a command. */
  said: string;
  /** Paths that it reported as changed. */
  paths: string[];
  /** It could be taken back: something was kept before it, and was another thing after it. */
  isUndoable: boolean;
  undoneBy?: EventId;
}

/** The calls of every branch: what was done was done. */
export class DoneCalls {
  readonly calls = new Map<CallKey, DoneCall>();
  /** The first turn of the run that goes on. */
  firstTurn = 1;
  readonly #turns = new Map<EventId | null, number>();
  readonly #kept = new Map<CallKey, string>();
  #turn = 0;
  #isOver = false;

  take(event: Event): void {
    switch (event.kind) {
      case 'setup':
        if (event.data.switched === undefined) this.firstTurn = this.#turn + 1;
        return;
      case 'input':
        // The next task of a session that a process still holds begins without a setup.
        if (this.#isOver && event.data.from === 'user') this.firstTurn = this.#turn + 1;
        return;
      case 'stop':
        this.#isOver = true;
        return;
      case 'request':
        this.#turns.set(event.id, event.data.turn);
        this.#isOver = false;
        return;
      case 'reply':
        return this.#reply(event);
      case 'verdict':
        this.#call(event.data.call, event.data.tool).what = shortened(whatOf(event.data.arguments));
        return;
      case 'start':
        this.#call(event.data.call, event.data.tool);
        if (event.data.snapshot !== undefined) this.#kept.set(event.data.call, event.data.snapshot);
        return;
      case 'result':
        return this.#result(event.data);
      case 'undo':
        return this.#undo(event);
      default:
    }
  }

  #call(key: CallKey, tool: string): DoneCall {
    const known = this.calls.get(key);
    if (known !== undefined) return known;
    const call: DoneCall = { key, turn: this.#turn, tool, what: '', said: '', paths: [], isUndoable: false };
    this.calls.set(key, call);
    return call;
  }

  #reply({ id, data }: EventOf<'reply'>): void {
    this.#turn = this.#turns.get(data.request) ?? this.#turn;
    const calls = data.parts.filter((part) => part.type === 'call');
    for (const [index, { name, arguments: args }] of calls.entries()) {
      this.#call(`${id}/${index}`, name).what = shortened(whatOf(args));
    }
  }

  #result(data: EventData['result']): void {
    const call = this.#call(data.call, data.tool);
    const { outcome, exit, failed, text, changes = [], snapshot } = data;
    call.outcome = outcome;
    if (exit !== undefined) call.exit = exit;
    if (failed !== undefined) call.failed = failed;
    call.said = exit === undefined ? shortened(text, longestSaid) : ending(text);
    call.paths = changes.map(({ path }) => path);
    const before = this.#kept.get(data.call);
    call.isUndoable = before !== undefined && before !== snapshot;
  }

  #undo({ id, data: { calls, undone } }: EventOf<'undo'>): void {
    for (const key of calls) {
      const call = this.calls.get(key);
      if (call === undefined) continue;
      if (undone === undefined) call.undoneBy = id;
      else delete call.undoneBy;
    }
  }
}

export function shortened(text: string, most = longestWhat): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function ending(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= longestSaid ? trimmed : `…${trimmed.slice(1 - longestSaid).toWellFormed()}`;
}
