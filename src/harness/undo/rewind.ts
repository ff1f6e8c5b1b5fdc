/** Goes back to before a turn, or to an event: the conversation, the files, or both. */
import { placesOf } from '../../config/index.ts';
import type { Change } from '../../core/index.ts';
import { readLog, scan, sessionFolder } from '../../session/index.ts';
import { rewindSession } from '../branches.ts';
import { eventAt, type Point } from '../points.ts';
import { sessionId } from '../reader.ts';
import { openStore, workspaceOf, type Variables, type Which } from './open.ts';
import { historyIn, isSince, type History, type Since } from './operations.ts';
import { redoSession, undoSession, type UndoOptions, type UndoReport } from './undo.ts';

export interface RewindOptions extends Pick<UndoOptions, 'overwrites'> {
  to: Point;
  files: boolean;
  conversation: boolean;
}

/**
 * Files come first: what is told of them stands on the branch that is left. Undefined where only the conversation went back, or no file
 * had changed since. Rejects with `event-missing` for a point that there is none of, `session-busy`, `session-missing`.
 */
export async function rewindTo(
  env: Variables | undefined,
  which: Which,
  { to, files, conversation, overwrites }: RewindOptions,
): Promise<UndoReport | undefined> {
  const id = sessionId(env, which);
  const event = eventAt(env, id, to);
  const since = 'turn' in to ? to.turn : { after: event };
  const report = files ? await undoneSince(env, id, since, overwrites) : undefined;
  if (conversation) await rewindSession(env, id, event);
  return report;
}

/**
 * What was done since is taken back. Where the turn stands on a branch that was left, an undo after it may have taken back what was
 * there before it: that comes back, as it was when the turn began.
 */
async function undoneSince(
  env: Variables | undefined,
  id: string,
  to: Since,
  overwrites: UndoOptions['overwrites'],
): Promise<UndoReport | undefined> {
  const options = overwrites === undefined ? {} : { overwrites };
  const folder = sessionFolder(placesOf(env).state, id);
  const undone = async () => {
    const isNothing = hasNothing(historyIn(readLog(folder)), to) && !(await isOff(env, folder, id));
    return isNothing ? undefined : undoSession(env, id, { to, ...options });
  };
  const reports = [await undone()];
  const { operations } = historyIn(readLog(folder));
  const early = new Set(operations.filter((each) => each.what === 'call' && !isSince(each, to)).map((call) => call.id));
  const later = operations.filter((each) => each.what === 'undo' && isSince(each, to) && !each.isUndone);
  const tooMuch = later.filter(({ calls = [] }) => calls.some((call) => early.has(call)));
  for (const undo of tooMuch.toReversed()) reports.push(await redoSession(env, id, { undo: undo.id, ...options }));
  if (tooMuch.length > 0) reports.push(await undone());
  return joined(reports.filter((report) => report !== undefined));
}

/** No call since then did more than read. */
function hasNothing({ operations, unkept }: History, to: Since): boolean {
  const isDone = operations.some((each) => each.what === 'call' && isSince(each, to) && !each.isUndone);
  return !isDone && !unkept.some((each) => isSince(each, to));
}

/** Whether nothing may have been kept: then nobody knows what was done, and the undo says so. */
async function isOff(env: Variables | undefined, folder: string, id: string): Promise<boolean> {
  if (historyIn(readLog(folder)).operations.length > 0) return false;
  const opened = await openStore(env, workspaceOf(id, scan(folder).session?.workspace), id);
  await opened.store.close();
  return opened.isOff;
}

/** One report of several steps. */
function joined(reports: readonly UndoReport[]): UndoReport | undefined {
  const [first, ...others] = reports;
  if (first === undefined || others.length === 0) return first;
  const changes = new Map<string, Change>();
  for (const change of reports.flatMap((report) => report.changes)) {
    const before = changes.get(change.path)?.before;
    changes.set(change.path, before === undefined ? change : { ...change, before });
  }
  return {
    ...first,
    turns: [...new Set(reports.flatMap(({ turns }) => turns))].toSorted((a, b) => a - b),
    changes: [...changes.values()].filter(({ before, after }) => before !== after),
    kept: reports.flatMap(({ kept }) => kept),
    unseen: reports.flatMap(({ unseen }) => unseen),
    repository: [...new Set(reports.flatMap(({ repository }) => repository))],
  };
}
