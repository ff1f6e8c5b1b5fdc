/** The ledger: what a session has spent and done, over every line of its log. A rewind refunds nothing. */
import type { ChildData, Use } from './children.ts';
import type { CallKey, Change, Event, EventData, EventId } from './events.ts';
import { foldWith, type Folds } from './fold.ts';
import type { Usage } from './messages.ts';
import { NetChanges } from './net-changes.ts';
import { isReply } from './planning.ts';
import { foldTask, Task } from './task.ts';

/** The longest gap between two events that counts as running: longer ones are a machine that slept or a run that was killed. */
const longestGap = 15 * 60_000;

export class Ledger {
  /** Replies received. */
  turns = 0;
  /** Calls started. */
  calls = 0;
  readonly started = new Set<CallKey>();
  readonly denials: { call: CallKey; tool: string; by: string; reason: string }[] = [];
  /** Calls refused since the setup. */
  denialsInRun = 0;
  /** Tokens since the setup, input and output, as far as they were reported. */
  tokensInRun = 0;
  /** Dollars: what replies and failed attempts cost, estimated where they did not say. */
  settled = 0;
  /** The part of `settled` that nobody reported: an estimate. */
  estimated = 0;
  /** Worst cases of requests without an outcome, in dollars. */
  readonly reserved = new Map<EventId, number>();
  /** Requests whose cost nobody knows: no rate, and no outcome that says it. */
  readonly unpriced = new Set<EventId>();
  readonly usage: Usage = {};
  /** Sessions that work for this one and haven't ended, with what they have used; and all that ever did. */
  readonly children = new Map<string, Use>();
  readonly everChildren = new Set<string>();
  /** What those that have ended used; their cost is in `settled`. */
  endedTurns = 0;
  endedCalls = 0;
  /** Milliseconds of running up to `lastAt`; waiting for a person and the time between runs don't count. */
  running = 0;
  lastAt = 0;
  /** Nothing runs: a person is waited for, or the session has stopped. */
  resting = true;
  readonly openAsks = new Map<EventId, EventData['ask']>();
  readonly answers = new Map<EventId, EventData['answer']>();
  /** Questions that a reviewing model was asked since the last reply, and how many of them it refused. */
  reviewsInTurn = 0;
  reviewDenialsInTurn = 0;
  /** The last event by which files changed, and whether a call since may have changed more. */
  lastChange?: EventId;
  unresolved = false;
  readonly changedPaths = new Set<string>();
  readonly netChanges = new NetChanges();
  /** What the file of the session's plan is known by. */
  planFile?: string;
  /** When each path changed last; and when something did that nobody could name. What a check wrote itself is in neither. */
  readonly changedAt = new Map<string, EventId>();
  unseenChange?: EventId;
  checkpoint?: EventData['checkpoint'];
  /** The checkpoint belongs to the run that goes on now. */
  checkpointInRun = false;
  /** The last evidence of each check command. */
  readonly evidence = new Map<string, { id: EventId; data: EventData['evidence'] }>();
  /** What the model's own commands prove, since its last reply. */
  ownChecks?: EventData['own-checks'];
  /** What the judge said since the last reply, and how often it sent the run on. */
  judgement?: EventData['judgement'];
  judgeRefusals = 0;
  /** The task that is worked on. */
  task = new Task();
  /** Rounds of failed checks in a row. */
  checkFailures = 0;
  failedSinceReply = false;
  /** Background commands of the session's own processes so far. */
  jobs = 0;
  /** Inbox messages already taken. */
  readonly messages = new Set<string>();

  /** Whether something that was spent has no price. */
  get costUnknown(): boolean {
    return this.unpriced.size > 0;
  }
}

/** Dollars spent by a session and those that work for it, the worst case of what is still out included. */
export function spent(ledger: Ledger): number {
  let sum = ledger.settled;
  for (const cost of ledger.reserved.values()) sum += cost;
  for (const { cost } of ledger.children.values()) sum += cost;
  return sum;
}

/** What a session and those that work for it have used: limits hold for all of them together. */
export function useOfTree(ledger: Ledger): Use {
  const use = { turns: ledger.turns + ledger.endedTurns, calls: ledger.calls + ledger.endedCalls, cost: spent(ledger) };
  for (const { turns, calls } of ledger.children.values()) {
    use.turns += turns;
    use.calls += calls;
  }
  return use;
}

/** Milliseconds of running up to now. */
export function runningTime(ledger: Ledger, now: number): number {
  if (ledger.resting) return ledger.running;
  return ledger.running + Math.min(Math.max(0, now - ledger.lastAt), longestGap);
}

export function foldLedger(ledger: Ledger, event: Event): void {
  if (event.kind !== 'setup') ledger.running = runningTime(ledger, event.at);
  ledger.lastAt = event.at;
  foldWith(folds, ledger, event);
  foldTask(ledger.task, event);
}

const folds: Folds<Ledger> = {
  setup(ledger, { switched, mode, planFile }) {
    ledger.resting = false;
    if (planFile !== undefined) ledger.planFile = planFile;
    if (mode !== 'plan') withdrawReviews(ledger);
    if (switched !== undefined) return;
    Object.assign(ledger, {
      denialsInRun: 0,
      tokensInRun: 0,
      checkpointInRun: false,
      checkFailures: 0,
      judgeRefusals: 0,
    });
  },
  request: reserve,
  reply(ledger, data) {
    // What another harness was answered is neither a turn of this session nor its spending.
    if (data.request === null) return;
    ledger.turns += 1;
    Object.assign(ledger, { failedSinceReply: false, reviewsInTurn: 0, reviewDenialsInTurn: 0 });
    delete ledger.ownChecks;
    delete ledger.judgement;
    settle(ledger, data.request, data);
  },
  failure: (ledger, data) => settle(ledger, data.request, data),
  // A model that answers in place of a person works: unlike the person's, its time counts.
  review(ledger, data, event) {
    ledger.reviewsInTurn += 1;
    ledger.resting = false;
    reserve(ledger, data, event);
  },
  'review-end'(ledger, data) {
    if (data.decision === 'deny') ledger.reviewDenialsInTurn += 1;
    ledger.resting = ledger.openAsks.size > 0;
    settle(ledger, data.review, data);
  },
  child(ledger, { session }) {
    ledger.children.set(session, { turns: 0, calls: 0, cost: 0 });
    ledger.everChildren.add(session);
  },
  'child-end': endChild,
  aside: reserve,
  'aside-end': (ledger, data) => settle(ledger, data.aside, data),
  start(ledger, { call }) {
    if (!ledger.started.has(call)) ledger.calls += 1;
    ledger.started.add(call);
  },
  verdict(ledger, { call, tool, decision, by, reason }) {
    if (decision === 'deny') deny(ledger, { call, tool, by, reason });
  },
  ask(ledger, data, { id }) {
    ledger.resting = true;
    if (data.plan !== undefined) withdrawReviews(ledger);
    ledger.openAsks.set(id, data);
  },
  answer(ledger, data) {
    ledger.resting = false;
    take(ledger, data);
    const ask = ledger.openAsks.get(data.ask);
    if (ask === undefined) return;
    ledger.openAsks.delete(data.ask);
    ledger.answers.set(data.ask, data);
    const { by, reason = 'refused' } = data;
    // No to a question of the model, or to a plan, is an answer; to a call it is a refusal.
    if (data.decision === 'no' && ask.options === undefined && ask.plan === undefined)
      deny(ledger, { call: ask.call, tool: ask.tool, by: `answer:${by}`, reason });
  },
  result(ledger, { call, changes = [], mayHaveChanged = false }, { id }) {
    for (const [ask, { call: asked }] of ledger.openAsks) if (asked === call) ledger.openAsks.delete(ask);
    if (mayHaveChanged) ledger.unresolved = true;
    foldChanges(ledger, changes, id);
  },
  undo: (ledger, { changes }, { id }) => foldChanges(ledger, changes, id),
  input(ledger, data) {
    if (isReply(data.from)) withdrawReviews(ledger);
    const { checkpointInRun: isDescribed, checkpoint } = ledger;
    if (data.from === 'user' && (ledger.resting || !isDescribed))
      ledger.task = Task.after(ledger.task, isDescribed ? checkpoint : undefined);
    // A new task where a run was over begins to count anew, also in the process that drove the one before.
    if (ledger.resting && data.from === 'user')
      Object.assign(ledger, { denialsInRun: 0, tokensInRun: 0, checkFailures: 0, judgeRefusals: 0 });
    take(ledger, data);
  },
  // The next task of a run: what the one before had to prove is proven or given up.
  'follow-up'(ledger) {
    Object.assign(ledger, { denialsInRun: 0, checkFailures: 0, judgeRefusals: 0 });
  },
  cancel: take,
  title: take,
  job(ledger, { kept }) {
    if (!kept) ledger.jobs += 1;
  },
  'job-end': take,
  checkpoint: foldCheckpoint,
  evidence(ledger, data, { id }) {
    ledger.evidence.set(data.command, { id, data });
    if (data.passed || data.early === true || data.advisory === true) return;
    if (!ledger.failedSinceReply) ledger.checkFailures += 1;
    ledger.failedSinceReply = true;
  },
  judgement(ledger, data) {
    ledger.judgement = data;
    if (data.shown !== undefined) ledger.judgeRefusals += 1;
  },
  'own-checks'(ledger, data) {
    ledger.ownChecks = data;
  },
  // What was asked on the branch that was left is not to be answered any more: its calls are never run.
  head: ({ openAsks }) => openAsks.clear(),
  stop(ledger) {
    ledger.resting = true;
  },
};

function reserve(ledger: Ledger, { reserved }: { reserved: { cost?: number } }, { id }: { id: EventId }): void {
  if (reserved.cost === undefined) ledger.unpriced.add(id);
  else ledger.reserved.set(id, reserved.cost);
}

/** What a child reports takes the place of what was known of it; where nothing is known, its cost is unknown. */
function endChild(ledger: Ledger, { session, ...told }: ChildData['child-end']): void {
  const known = ledger.children.get(session);
  const isPriced = known !== undefined && known.cost > 0 && !ledger.unpriced.has(session);
  ledger.children.delete(session);
  ledger.endedTurns += told.turns ?? known?.turns ?? 0;
  ledger.endedCalls += told.calls ?? known?.calls ?? 0;
  if (told.cost === undefined && isPriced) ledger.reserved.set(session, known.cost);
  settle(ledger, session, told);
}

type Spent = Pick<EventData['failure'], 'usage' | 'cost' | 'estimated'>;

/** The outcome of a request takes the place of its reservation; what it doesn't say counts at the reservation. */
function settle(ledger: Ledger, request: EventId, data: Spent): void {
  for (const [kind, tokens = 0] of Object.entries(data.usage ?? {})) {
    ledger.usage[kind as keyof Usage] = (ledger.usage[kind as keyof Usage] ?? 0) + tokens;
  }
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = data.usage ?? {};
  ledger.tokensInRun += input + cacheRead + cacheWrite + output;
  const cost = data.cost ?? ledger.reserved.get(request);
  ledger.reserved.delete(request);
  if (cost === undefined) return void ledger.unpriced.add(request);
  ledger.unpriced.delete(request);
  ledger.settled += cost;
  if (data.cost === undefined || data.estimated === true) ledger.estimated += cost;
}

function deny(ledger: Ledger, denial: Ledger['denials'][number]): void {
  ledger.denialsInRun += 1;
  ledger.denials.push(denial);
}

function take(ledger: Ledger, { message }: { message?: string }): void {
  if (message !== undefined) ledger.messages.add(message);
}

function withdrawReviews({ openAsks }: Ledger): void {
  for (const [ask, { plan }] of openAsks) if (plan !== undefined) openAsks.delete(ask);
}

/** A plan is no part of the workspace. */
function foldChanges(ledger: Ledger, all: readonly Change[], id: EventId): void {
  const changes = all.filter(({ path }) => path !== ledger.planFile);
  if (changes.length > 0) ledger.lastChange = id;
  ledger.netChanges.take(changes);
  for (const { path } of changes) {
    ledger.changedPaths.add(path);
    ledger.changedAt.set(path, id);
  }
}

/** A scan settles what calls may have changed; without a scan before it to compare with, it fails closed: changed. */
function foldCheckpoint(ledger: Ledger, data: EventData['checkpoint'], { id }: { id: EventId }): void {
  const compared = data.incomplete === undefined ? data.changed : undefined;
  const changed = compared === undefined ? ledger.unresolved : compared.length > 0;
  if (changed && data.afterCheck !== true) {
    ledger.lastChange = id;
    if (compared === undefined) ledger.unseenChange = id;
    for (const path of compared ?? []) ledger.changedAt.set(path, id);
  }
  for (const path of data.changed ?? []) ledger.changedPaths.add(path);
  ledger.netChanges.takeScan(data.changed ?? [], data.files);
  Object.assign(ledger, { unresolved: false, checkpoint: data, checkpointInRun: true });
}
