/** The joint for branches: moving the head of a session, and forking it. Calls that are open where a branch begins are never run there. */
import { placesOf } from '../config/index.ts';
import { foldAll, interruptedText, leftBehind, openCalls, Recorder, ReinsError, type CallKey } from '../core/index.ts';
import { fork, openSession, pathOf, readLog, scan, sessionFolder, type Session } from '../session/index.ts';
import { systemClock } from './clock.ts';
import { sessionId } from './reader.ts';
import { version } from './version.ts';

type Variables = { readonly [name: string]: string | undefined };

/** Moves the head of a session that nobody drives back to an event; what came after it stays in the log. Rejects with `session-busy` and `item-unknown`. */
export async function rewindSession(env: Variables | undefined, id: string, event: string): Promise<void> {
  const session = await openSession(placesOf(env).state, sessionId(env, id));
  try {
    const { head, index } = session.skeleton;
    if (head === null || !index.has(event)) {
      throw new ReinsError('item-unknown', `Session ${session.id} has no event ${event}.`);
    }
    const at = systemClock.now();
    await session.append({ parent: event, at, kind: 'head', data: { from: head, why: 'rewind' } });
    await leaveBehind(session, startedIn(session.folder));
  } finally {
    await session.close();
  }
}

/** Makes a session of its own out of the path to an event (the head, where none is named), and gives its id. */
export async function forkSession(env: Variables | undefined, id: string, event?: string): Promise<string> {
  const { state } = placesOf(env);
  const at = systemClock.now();
  const source = sessionId(env, id);
  const forked = await fork({ state, session: source, reins: version, at, ...(event !== undefined && { event }) });
  const session = await openSession(state, forked);
  try {
    await leaveBehind(session, startedIn(sessionFolder(state, source)));
  } finally {
    await session.close();
  }
  return forked;
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
