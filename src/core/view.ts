/** The view: two folds of the log. The transcript follows the path from root to head, the ledger sees every line. */
import type { Damage, Event, EventData, EventId } from './events.ts';
import { foldWith, type Folds } from './fold.ts';
import { foldLedger, Ledger } from './ledger.ts';
import { foldTranscript, type Segment, Transcript } from './transcript.ts';

export class View {
  /** The last event; what is recorded next hangs on it. */
  head: EventId | null = null;
  session?: EventData['session'];
  /** The setup in force: the last one, over every line (settings don't move with the head). */
  setup?: EventData['setup'];
  readonly transcript = new Transcript();
  readonly ledger = new Ledger();
  /** The typed end of the last run; a new setup or input takes it away. */
  stop?: EventData['stop'];
  /** A cancel that no stop has answered yet. */
  cancel?: EventData['cancel'];
  /** Why the last attempt at the model failed, as long as no reply came. */
  failure?: { data: EventData['failure']; attempts: number; firstAt: number };
  /** The last request of this path, and the one whose outcome is still open. */
  lastRequest?: EventId;
  inFlight?: EventId;
  /** What the harness has told the model since the setup, by code. */
  readonly noted = new Map<string, EventId>();
  /** Replies in a row that were cut or had only malformed calls. */
  badReplies = 0;
}

/** Folds one event that extends the head (or moves it, by its parent) into the view, in place. */
export function fold(view: View, event: Event): View {
  foldLedger(view.ledger, event);
  foldPath(view, event);
  return view;
}

/** Folds a line that can't be read: what was open before it may have gone on in it. */
export function foldDamage(view: View): void {
  for (const segment of view.transcript.segments) {
    for (const call of segment.calls) if (call.result === undefined) call.lost = true;
  }
}

/**
 * Folds a whole log: the ledger over every item, the transcript over the events of `path` only. Items come in the order of the
 * file; damage marks the calls that were open before it.
 */
export function foldAll(items: Iterable<Event | Damage>, path: Set<EventId>): View {
  const view = new View();
  for (const item of items) {
    if ('damage' in item) {
      foldDamage(view);
      continue;
    }
    foldLedger(view.ledger, item);
    if (path.has(item.id)) foldPath(view, item);
    else if (item.kind === 'setup') view.setup = item.data;
  }
  return view;
}

function foldPath(view: View, event: Event): void {
  view.head = event.id;
  foldTranscript(view.transcript, event);
  foldWith(folds, view, event);
}

/** Where the run stands: its setup, its last request, what stopped it. */
const folds: Folds<View> = {
  session(view, data) {
    view.session = data;
  },
  setup(view, data) {
    view.setup = data;
    clear(view, 'stop', 'failure', 'cancel');
    view.noted.clear();
    view.badReplies = 0;
  },
  input(view, { from, code = 'note' }, { id }) {
    if (from === 'harness') view.noted.set(code, id);
    else clear(view, 'stop');
  },
  cancel(view, data) {
    if (view.stop === undefined) view.cancel = data;
  },
  request(view, _, { id }) {
    view.lastRequest = id;
    view.inFlight = id;
  },
  reply(view) {
    clear(view, 'inFlight', 'failure');
    view.badReplies = isBad(view.transcript.segments.at(-1)) ? view.badReplies + 1 : 0;
  },
  failure(view, data, { at }) {
    clear(view, 'inFlight');
    const { attempts = 0, firstAt = at } = view.failure ?? {};
    view.failure = { data, attempts: attempts + 1, firstAt };
  },
  stop(view, data) {
    view.stop = data;
    clear(view, 'cancel');
  },
  head(view) {
    clear(view, 'inFlight', 'failure', 'cancel');
  },
};

function clear(view: View, ...keys: ('stop' | 'failure' | 'cancel' | 'inFlight')[]): void {
  for (const key of keys) delete view[key];
}

function isBad(segment: Segment | undefined): boolean {
  if (segment?.reply === undefined) return false;
  if (segment.reply.stop === 'length') return true;
  return segment.calls.length > 0 && segment.calls.every((call) => call.malformed !== undefined);
}
