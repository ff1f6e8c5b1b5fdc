/** The joint for branches: moving the head of a session, and forking it. Calls that are open where a branch begins are never run there. */
import { placesOf } from '../config/index.ts';
import {
  foldAll,
  interruptedText,
  leftBehind,
  openCalls,
  Recorder,
  ReinsError,
  type CallKey,
  type EventData,
  type EventId,
} from '../core/index.ts';
import { Branches, fork, openSession, pathOf, readLog, scan, sessionFolder, type Session } from '../session/index.ts';
import { systemClock } from './clock.ts';
import { eventAt, type Point } from './points.ts';
import { sessionId } from './reader.ts';
import { version } from './version.ts';

type Variables = { readonly [name: string]: string | undefined };

/** A branch of a session by its name. */
export interface BranchRow {
  branch: string;
  /** The last event of it. */
  tip: EventId;
  /** What is recorded next goes on here. */
  isCurrent: boolean;
}

/** Moves the head of a session that nobody drives back to an event; what came after it stays in the log. Rejects with `session-busy` and `item-unknown`. */
export async function rewindSession(env: Variables | undefined, id: string, event: string): Promise<void> {
  const session = await openSession(placesOf(env).state, sessionId(env, id));
  try {
    if (!session.skeleton.index.has(event)) {
      throw new ReinsError('item-unknown', `Session ${session.id} has no event ${event}.`);
    }
    await moveHead(session, event, { why: 'rewind' });
  } finally {
    await session.close();
  }
}

/** The named branches of a session, in the order of their names. Rejects with `session-missing`. */
export function listBranches(env: Variables | undefined, id: string): BranchRow[] {
  const { current, tips } = branchesOf(sessionFolder(placesOf(env).state, sessionId(env, id)));
  const rows = [...tips].map(([branch, tip]) => ({ branch, tip, isCurrent: branch === current }));
  return rows.toSorted((a, b) => (a.branch < b.branch ? -1 : 1));
}

const branchName = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,63}$/u;

/**
 * Goes on with a branch: with one that there is, where it stands; else with a new one, from a point (the head, where none is given). Files
 * stay as they are. Rejects with `session-busy`, `event-missing` and `usage-arguments`.
 */
export async function switchBranch(
  env: Variables | undefined,
  id: string,
  branch: string,
  point?: Point,
): Promise<{ session: string; branch: string; isNew: boolean }> {
  if (!branchName.test(branch)) {
    const text = `A branch is named with letters, digits and . _ / - (64 at most), not “${branch}”.`;
    throw new ReinsError('usage-arguments', text);
  }
  const session = await openSession(placesOf(env).state, sessionId(env, id));
  try {
    const { current, tips } = branchesOf(session.folder);
    const tip = tips.get(branch);
    if (tip !== undefined && point !== undefined) {
      const text = `Session ${session.id} has a branch ${branch} already; \`reins rewind\` moves the one that goes on.`;
      throw new ReinsError('usage-arguments', text);
    }
    const from = point === undefined ? session.skeleton.head : eventAt(env, session.id, point);
    if (from === null) throw new ReinsError('event-missing', `Session ${session.id} has no event yet.`);
    if (branch !== current) await moveHead(session, tip ?? from, { why: 'move', branch });
    return { session: session.id, branch, isNew: tip === undefined };
  } finally {
    await session.close();
  }
}

/** Makes a session of its own out of the path to a point (the head, where none is given), and gives its id. Rejects with `event-missing`. */
export async function forkSession(env: Variables | undefined, id: string, point?: Point): Promise<string> {
  const { state } = placesOf(env);
  const at = systemClock.now();
  const source = sessionId(env, id);
  const event = point === undefined ? {} : { event: eventAt(env, source, point) };
  const forked = await fork({ state, session: source, reins: version, at, ...event });
  const session = await openSession(state, forked);
  try {
    await leaveBehind(session, startedIn(sessionFolder(state, source)));
  } finally {
    await session.close();
  }
  return forked;
}

function branchesOf(folder: string): Branches {
  const branches = new Branches();
  for (const item of readLog(folder)) if (!('damage' in item)) branches.take(item);
  return branches;
}

async function moveHead(session: Session, to: EventId, how: Omit<EventData['head'], 'from'>): Promise<void> {
  const { head } = session.skeleton;
  if (head === null) throw new ReinsError('item-unknown', `Session ${session.id} has no event ${to}.`);
  await session.append({ parent: to, at: systemClock.now(), kind: 'head', data: { from: head, ...how } });
  await leaveBehind(session, startedIn(session.folder));
}

/** The calls that were started, on whatever branch of a session. */
function startedIn(folder: string): ReadonlySet<CallKey> {
  return foldAll(readLog(folder), new Set()).ledger.started;
}

async function leaveBehind(session: Session, started: ReadonlySet<CallKey>): Promise<void> {
  const view = foldAll(readLog(session.folder), pathOf(scan(session.folder)));
  const recorder = new Recorder(view, session, systemClock);
  for (const { key: call, name: tool } of openCalls(view.transcript)) {
    // One that was started may have had effects: to say that it didn't run would be untrue.
    const outcome = started.has(call)
      ? ({ outcome: 'interrupted', text: interruptedText, mayHaveChanged: true } as const)
      : ({ outcome: 'not-run', text: leftBehind } as const);
    await recorder.record({ kind: 'result', data: { call, tool, ...outcome } });
  }
  await recorder.sync();
}
