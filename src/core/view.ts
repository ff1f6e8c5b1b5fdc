/** The view: two folds of the log. The transcript follows the path from root to head, the ledger sees every line. */
import type { Damage, Event, EventData, EventId } from './events.ts';
import { isNearlyFull } from './estimate.ts';
import { foldWith, type Folds } from './fold.ts';
import { planCode, planIn, type PlanItem } from './plan.ts';
import { isReply, planDecision, planningAt, type Planning } from './planning.ts';
import { foldLedger, Ledger } from './ledger.ts';
import { targetName, targetNamed } from './target.ts';
import { measuredBytesPerToken, standingSize } from './tokens.ts';
import { promptCut, promptsRead, type PromptsRead } from './prompts-read.ts';
import type { Segment } from './segment.ts';
import { foldTranscript, Transcript } from './transcript.ts';

/** How often the attempts at one model failed since the last reply, and how at last. */
export interface FailureState {
  /** `provider/model`. */
  name: string;
  data: EventData['failure'];
  attempts: number;
  /** Attempts whose stream broke or whose host wasn't reached. */
  broken: number;
  /** When the first failed, in milliseconds since the epoch. */
  firstAt: number;
}

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
  /** Why the last attempt at a model failed, as long as no reply came; and the same for each model that was tried. */
  failure?: FailureState;
  readonly failures = new Map<string, FailureState>();
  /** Models that a route was taken past in this run. */
  readonly down = new Map<string, FailureState>();
  /** The last request of this path, and the model it went to. */
  lastRequest?: EventId;
  asked?: string;
  /** Compactions in a row that did not bring the conversation below the limit; and whether the last came after the last reply. */
  compactions = 0;
  compacted = false;
  /** Windows that are smaller than they are said to be, and what the prompts that a model read tell of that. */
  readonly windows = new Map<string, number>();
  readonly prompts = new Map<string, PromptsRead>();
  /** Bytes of a token for each model, as its replies have reported. */
  readonly bytesPerToken = new Map<string, number>();
  /** Bytes of the standing part that the last reply answered. */
  standingAsked = 0;
  /** What the harness has told the model since the setup, by code. */
  readonly noted = new Map<string, EventId>();
  /** Replies in a row that were cut or had only malformed calls. */
  badReplies = 0;
  /** The model's task list as it set it last, and the turn in which it was last shown to it. */
  plan?: { items: PlanItem[]; shown: number };
  /** In mode plan, once something is written to the plan file. */
  planning?: Planning | undefined;
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
    forgetFailures(view);
    view.down.clear();
    view.compactions = 0;
    if (data.switched !== undefined) return;
    view.planning = planningAt(view.planning, data.mode);
    clear(view, 'stop', 'cancel');
    view.noted.clear();
    view.badReplies = 0;
  },
  input(view, { from, code = 'note' }, { id }) {
    if (from === 'harness') view.noted.set(code, id);
    if (isReply(from) && view.planning !== undefined && planDecision(view.planning) !== 'accepted') view.planning = {};
    if (code === planCode && view.plan !== undefined) view.plan.shown = view.ledger.turns;
    else clear(view, 'stop');
  },
  cancel(view, data) {
    if (view.stop === undefined) view.cancel = data;
  },
  request(view, { source, route }, { id }) {
    view.lastRequest = id;
    view.asked = targetName(source);
    const past = route?.from === undefined ? undefined : view.failures.get(route.from);
    if (past !== undefined) view.down.set(past.name, past);
    view.down.delete(view.asked);
  },
  reply(view, data) {
    forgetFailures(view);
    // Whatever was said of the plan is answered now: it is to be reviewed anew.
    if (view.planning !== undefined) view.planning = {};
    const name = targetName(data.source);
    view.standingAsked = standingSize(view.setup);
    const sent = view.standingAsked + view.transcript.sizeAsked;
    const bytes = measuredBytesPerToken(sent, data.usage);
    if (bytes !== undefined) view.bytesPerToken.set(name, bytes);
    const read = promptsRead(view.prompts.get(name), sent, data.usage);
    if (read !== undefined) view.prompts.set(name, read);
    view.compacted = false;
    const target = view.setup && targetNamed(view.setup, name);
    const isBelow = target !== undefined && !isNearlyFull(view, target);
    if (data.stop !== 'overflow' && isBelow) view.compactions = 0;
    view.badReplies = isBad(view.transcript.segments.at(-1)) ? view.badReplies + 1 : 0;
  },
  failure(view, data, { at }) {
    const name = view.asked ?? '';
    const { attempts = 0, broken = 0, firstAt = at } = view.failures.get(name) ?? {};
    const isBroken = data.class === 'broken-stream' || data.class === 'unreachable';
    view.failure = { name, data, attempts: attempts + 1, broken: broken + (isBroken ? 1 : 0), firstAt };
    view.failures.set(name, view.failure);
  },
  ask(view, { plan }, { id }) {
    if (plan !== undefined) view.planning = { review: { id, plan } };
  },
  answer({ planning }, data) {
    if (planning?.review?.id === data.ask) planning.review.answer ??= data;
  },
  result(view, { changes = [], facts = {} }) {
    const { planFile } = view.setup ?? {};
    if (changes.some(({ path }) => path === planFile)) view.planning = {};
    const items = planIn(facts['plan']);
    if (items !== undefined) view.plan = { items, shown: view.ledger.turns };
  },
  compaction(view, { why }) {
    forgetFailures(view);
    // What showed it may be gone now.
    if (view.plan !== undefined) view.plan.shown = -Infinity;
    view.compacted = true;
    view.compactions = why === 'manual' ? 0 : view.compactions + 1;
  },
  notice(view, { code, data = {} }) {
    const { model, window } = data;
    if (code !== promptCut || typeof model !== 'string' || typeof window !== 'number') return;
    view.windows.set(model, window);
    // What it reported of prompts that it cut says nothing of how much text makes a token.
    view.prompts.delete(model);
    view.bytesPerToken.delete(model);
  },
  stop(view, data) {
    view.stop = data;
    clear(view, 'cancel');
  },
  head(view) {
    forgetFailures(view);
    Object.assign(view, { compacted: false, compactions: 0 });
    if (view.planning !== undefined) view.planning = {};
    clear(view, 'cancel');
  },
};

function forgetFailures(view: View): void {
  view.failures.clear();
  clear(view, 'failure');
}

function clear(view: View, ...keys: ('stop' | 'failure' | 'cancel')[]): void {
  for (const key of keys) delete view[key];
}

function isBad(segment: Segment | undefined): boolean {
  if (segment?.reply === undefined) return false;
  if (segment.reply.stop === 'length') return true;
  return segment.calls.length > 0 && segment.calls.every((call) => call.malformed !== undefined);
}
