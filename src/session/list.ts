/** Sessions as their logs tell of them, read from end to end. */
import { ReinsError } from '../core/index.ts';
import { changedAt, sessionFolder, sessionIds } from './folders.ts';
import { isLocked } from './lock.ts';
import { readLog } from './read.ts';
import { endOf, tell, type SessionSummary, type Told } from './summary.ts';

/** All sessions, the oldest first; those whose log is damaged or can't be read are among them and say so. */
export function listFromLogs(state: string): SessionSummary[] {
  return sessionIds(state).map((id) => summarise(id, sessionFolder(state, id)));
}

/** The ids of the sessions that somebody holds now. */
export function held(state: string): string[] {
  return sessionIds(state).filter((id) => isLocked(sessionFolder(state, id)));
}

/** What the log of one session tells of it. */
export function summarise(id: string, folder: string): SessionSummary {
  const told: Told = { damage: [] };
  try {
    for (const item of readLog(folder)) tell(told, item);
  } catch (error) {
    if (!(error instanceof ReinsError)) throw error;
    told.damage.push(error.detail);
  }
  return { ...endOf(told), id, folder, running: isLocked(folder) };
}

/** The id of the session of this workspace that something was recorded in last; undefined where there is none. */
export function latest(state: string, workspace: string): string | undefined {
  return sessionIds(state)
    .map((id) => ({ id, changed: changedAt(sessionFolder(state, id)) }))
    .toSorted((a, b) => b.changed - a.changed || (a.id < b.id ? 1 : -1))
    .find(({ id, changed }) => changed > 0 && workspaceOf(sessionFolder(state, id)) === workspace)?.id;
}

function workspaceOf(folder: string): string | undefined {
  try {
    // It stands in the first line, if that can be read: a whole log isn't gone through for it.
    for (const item of readLog(folder)) {
      return 'damage' in item || item.kind !== 'session' ? undefined : item.data.workspace;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ReinsError) return undefined; // It can't be continued; the list names what is wrong with it.
    throw error;
  }
}
