/** The ledger: what a session has spent and done, over every line of its log. A rewind refunds nothing. */
import type { CallKey, Event, EventData, EventId } from './events.ts';
import type { Usage } from './messages.ts';

export interface Ledger {
  /** Replies received. */
  turns: number;
  /** Calls started. */
  calls: number;
  started: Set<CallKey>;
  denials: { call: CallKey; tool: string; by: string; reason: string }[];
  /** Calls refused since the setup. */
  denialsInRun: number;
  /** Dollars: what replies and failed attempts cost, estimated where they did not say. */
  settled: number;
  /** Worst cases of requests without an outcome, in dollars. */
  reserved: Map<EventId, number>;
  /** Whether something that was spent has no price. */
  costUnknown: boolean;
  usage: Usage;
  /** Milliseconds of running up to `lastAt`; waiting for a person and the time between runs don't count. */
  running: number;
  lastAt: number;
  /** Nothing runs: a person is waited for, or the session has stopped. */
  resting: boolean;
  openAsks: Map<EventId, EventData['ask']>;
  answers: Map<EventId, EventData['answer']>;
  /** The last event by which files changed, and whether a call since may have changed more. */
  lastChange?: EventId;
  unresolved: boolean;
  changedPaths: Set<string>;
  checkpoint?: EventData['checkpoint'];
  /** The checkpoint belongs to the run that goes on now. */
  checkpointInRun: boolean;
  /** The last evidence of each check command. */
  evidence: Map<string, { id: EventId; data: EventData['evidence'] }>;
  /** Rounds of failed checks in a row. */
  checkFailures: number;
  failedSinceReply: boolean;
  /** Inbox messages already taken. */
  messages: Set<string>;
}

/** The longest gap between two events that counts as running: longer ones are a machine that slept or a run that was killed. */
const longestGap = 15 * 60_000;

export function createLedger(): Ledger {
  return {
    turns: 0,
    calls: 0,
    started: new Set(),
    denials: [],
    denialsInRun: 0,
    settled: 0,
    reserved: new Map(),
    costUnknown: false,
    usage: {},
    running: 0,
    lastAt: 0,
    resting: true,
    openAsks: new Map(),
    answers: new Map(),
    unresolved: false,
    changedPaths: new Set(),
    checkpointInRun: false,
    evidence: new Map(),
    checkFailures: 0,
    failedSinceReply: false,
    messages: new Set(),
  };
}

/** Dollars spent, the worst case of what is still out included. */
export function spent(ledger: Ledger): number {
  let sum = ledger.settled;
  for (const cost of ledger.reserved.values()) sum += cost;
  return sum;
}

/** Milliseconds of running up to now. */
export function runningTime(ledger: Ledger, now: number): number {
  if (ledger.resting) return ledger.running;
  return ledger.running + Math.min(Math.max(0, now - ledger.lastAt), longestGap);
}

export function foldLedger(ledger: Ledger, event: Event): void {
  ledger.running = event.kind === 'setup' ? ledger.running : runningTime(ledger, event.at);
  ledger.lastAt = event.at;
  foldTime(ledger, event);
  foldMoney(ledger, event);
  foldCalls(ledger, event);
  foldProof(ledger, event);
}

function foldTime(ledger: Ledger, event: Event): void {
  if (event.kind === 'stop') ledger.resting = true;
  if (event.kind === 'setup') ledger.resting = false;
  if (event.kind === 'ask') ledger.resting = true;
  if (event.kind === 'answer') ledger.resting = false;
}

function foldMoney(ledger: Ledger, event: Event): void {
  if (event.kind === 'request') {
    const worst = event.data.reserved.cost;
    if (worst === undefined) ledger.costUnknown = true;
    else ledger.reserved.set(event.id, worst);
    return;
  }
  if (event.kind !== 'reply' && event.kind !== 'failure') return;
  if (event.kind === 'reply') ledger.turns += 1;
  addUsage(ledger.usage, event.data.usage);
  const worst = ledger.reserved.get(event.data.request);
  if (event.data.cost === undefined && worst === undefined) {
    ledger.costUnknown = true;
    return;
  }
  ledger.reserved.delete(event.data.request);
  ledger.settled += event.data.cost ?? worst ?? 0;
}

function foldCalls(ledger: Ledger, event: Event): void {
  switch (event.kind) {
    case 'setup':
      ledger.denialsInRun = 0;
      return;
    case 'start':
      if (!ledger.started.has(event.data.call)) ledger.calls += 1;
      ledger.started.add(event.data.call);
      return;
    case 'verdict':
      if (event.data.decision !== 'deny') return;
      ledger.denialsInRun += 1;
      ledger.denials.push({
        call: event.data.call,
        tool: event.data.tool,
        by: event.data.by,
        reason: event.data.reason,
      });
      return;
    case 'ask':
      ledger.openAsks.set(event.id, event.data);
      return;
    case 'answer':
      foldAnswer(ledger, event.data);
      return;
    case 'result':
      for (const [id, ask] of ledger.openAsks) if (ask.call === event.data.call) ledger.openAsks.delete(id);
      return;
    case 'input':
    case 'cancel':
      if (event.data.message !== undefined) ledger.messages.add(event.data.message);
      return;
    default:
      return;
  }
}

function foldAnswer(ledger: Ledger, answer: EventData['answer']): void {
  if (answer.message !== undefined) ledger.messages.add(answer.message);
  const ask = ledger.openAsks.get(answer.ask);
  if (ask === undefined) return;
  ledger.openAsks.delete(answer.ask);
  ledger.answers.set(answer.ask, answer);
  if (answer.decision === 'yes') return;
  ledger.denialsInRun += 1;
  ledger.denials.push({
    call: ask.call,
    tool: '',
    by: `answer:${answer.by}`,
    reason: answer.reason ?? 'refused',
  });
}

function foldProof(ledger: Ledger, event: Event): void {
  switch (event.kind) {
    case 'setup':
      ledger.checkpointInRun = false;
      ledger.checkFailures = 0;
      return;
    case 'reply':
      ledger.failedSinceReply = false;
      return;
    case 'result':
      if (event.data.mayHaveChanged === true) ledger.unresolved = true;
      if (event.data.changes === undefined || event.data.changes.length === 0) return;
      ledger.lastChange = event.id;
      for (const change of event.data.changes) ledger.changedPaths.add(change.path);
      return;
    case 'checkpoint':
      foldCheckpoint(ledger, event.id, event.data);
      return;
    case 'evidence':
      ledger.evidence.set(event.data.command, { id: event.id, data: event.data });
      if (event.data.passed) return;
      if (!ledger.failedSinceReply) ledger.checkFailures += 1;
      ledger.failedSinceReply = true;
      return;
    default:
      return;
  }
}

/** A scan settles what calls may have changed; without a scan before it to compare with, it fails closed: changed. */
function foldCheckpoint(ledger: Ledger, id: EventId, data: EventData['checkpoint']): void {
  const compared = data.incomplete === undefined ? data.changed : undefined;
  const changed = compared === undefined ? ledger.unresolved : compared.length > 0;
  if (changed && data.afterCheck !== true) {
    ledger.lastChange = id;
    for (const path of data.changed ?? []) ledger.changedPaths.add(path);
  }
  ledger.unresolved = false;
  ledger.checkpoint = data;
  ledger.checkpointInRun = true;
}

function addUsage(total: Usage, usage: Usage | undefined): void {
  if (usage === undefined) return;
  for (const key of Object.keys(usage) as (keyof Usage)[]) {
    total[key] = (total[key] ?? 0) + (usage[key] ?? 0);
  }
}
