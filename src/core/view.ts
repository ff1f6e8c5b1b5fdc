/** The view: two folds of the log. The transcript follows the path from root to head, the ledger sees every line. */
import { createLedger, foldLedger, type Ledger } from './ledger.ts';
import type { Damage, Event, EventData, EventId } from './events.ts';
import { createTranscript, foldTranscript, type Segment, type Transcript } from './transcript.ts';

export interface View {
  /** The last event; what is recorded next hangs on it. */
  head: EventId | null;
  session?: EventData['session'];
  /** The setup in force: the last one, over every line (settings don't move with the head). */
  setup?: EventData['setup'];
  transcript: Transcript;
  ledger: Ledger;
  /** The typed end of the last run; a new setup or input takes it away. */
  stop?: EventData['stop'];
  /** A cancel that no stop has answered yet. */
  cancel?: EventData['cancel'];
  /** Why the last attempt at the model failed, as long as no reply came. */
  failure?: { data: EventData['failure']; attempts: number; firstAt: number };
  /** The last request of this path and whether its outcome is still open. */
  lastRequest?: EventId;
  inFlight?: EventId;
  /** What the harness has told the model since the setup, by code. */
  noted: Map<string, EventId>;
  /** Replies in a row that were cut or had only malformed calls. */
  badReplies: number;
}

export function createView(): View {
  return {
    head: null,
    transcript: createTranscript(),
    ledger: createLedger(),
    noted: new Map(),
    badReplies: 0,
  };
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
  const view = createView();
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
  foldRun(view, event);
}

/** Where the run stands: its setup, its last request, what stopped it. */
function foldRun(view: View, event: Event): void {
  switch (event.kind) {
    case 'session':
      view.session = event.data;
      return;
    case 'setup':
      view.setup = event.data;
      delete view.stop;
      delete view.failure;
      delete view.cancel;
      view.noted.clear();
      view.badReplies = 0;
      return;
    case 'input':
      if (event.data.from === 'harness') view.noted.set(event.data.code ?? 'note', event.id);
      else delete view.stop;
      return;
    case 'cancel':
      if (view.stop === undefined) view.cancel = event.data;
      return;
    case 'request':
      view.lastRequest = event.id;
      view.inFlight = event.id;
      return;
    case 'reply':
      delete view.inFlight;
      delete view.failure;
      view.badReplies = isBad(view.transcript.segments.at(-1)) ? view.badReplies + 1 : 0;
      return;
    case 'failure':
      delete view.inFlight;
      view.failure = {
        data: event.data,
        attempts: (view.failure?.attempts ?? 0) + 1,
        firstAt: view.failure?.firstAt ?? event.at,
      };
      return;
    case 'stop':
      view.stop = event.data;
      delete view.cancel;
      return;
    case 'head':
      delete view.inFlight;
      delete view.failure;
      return;
    default:
      return;
  }
}

function isBad(segment: Segment | undefined): boolean {
  if (segment?.reply === undefined) return false;
  if (segment.reply.stop === 'length') return true;
  return segment.calls.length > 0 && segment.calls.every((call) => call.malformed !== undefined);
}
