/** The joint for readers of the record: nothing is written and no lock is taken. */
import { placesOf } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import { find, follow, latest, list, readLog, rebuildRequest, sessionFolder, verify } from '../session/index.ts';
import type { SessionReader, SessionSummary } from './types.ts';

type Variables = { readonly [name: string]: string | undefined };

/** All sessions of this user, the oldest first, the damaged ones included. */
export function listSessions(env?: Variables): Promise<SessionSummary[]> {
  const summaries = list(placesOf(env).state).map((summary) => ({
    id: summary.id,
    workspace: summary.workspace ?? '',
    task: summary.input ?? '',
    startedAt: summary.start ?? 0,
    lastAt: summary.last ?? 0,
    state: summary.running ? 'running' : (summary.stop?.reason ?? 'interrupted'),
    damaged: summary.damage.length > 0,
  }));
  return Promise.resolve(summaries);
}

/** The id of a session: by its unique beginning, or the latest of a workspace. Throws `session-missing`. */
export function sessionId(env: Variables | undefined, which: string | { latest: string }): string {
  const { state } = placesOf(env);
  if (typeof which === 'string') return find(state, which);
  const id = latest(state, which.latest);
  if (id === undefined) throw new ReinsError('session-missing', `There is no session of ${which.latest} yet.`);
  return id;
}

/** Opens a session for reading. Rejects with `session-missing`. */
export async function openReader(
  env: Variables | undefined,
  which: string | { latest: string },
): Promise<SessionReader> {
  const id = sessionId(env, which);
  const folder = sessionFolder(placesOf(env).state, id);
  return {
    id,
    folder,
    items: () => readLog(folder),
    follow: (signal) => follow(folder, signal),
    request: async (n) => (await rebuildRequest(folder, n)).body,
    verify: async (hash) => {
      const { findings, ...rest } = await verify(folder, hash);
      return { problems: findings, ...rest };
    },
  };
}
