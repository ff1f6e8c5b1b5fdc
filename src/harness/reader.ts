/** The joint for readers of the record: nothing is written and no lock is taken. */
import { placesOf } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import {
  find,
  follow,
  latest,
  list,
  readLog,
  rebuildRequest,
  sessionFolder,
  summarise,
  titleOf,
  verify,
  type SessionSummary as Recorded,
} from '../session/index.ts';
import type { SessionReader, SessionSummary } from './types.ts';

type Variables = { readonly [name: string]: string | undefined };

/** All sessions of this user, the oldest first, the damaged ones included. */
export function listSessions(env?: Variables): Promise<SessionSummary[]> {
  return Promise.resolve(list(placesOf(env).state).map(toSummary));
}

/** One session in short: by a unique part of its id or title, or the latest of a workspace. Rejects with `session-missing` and `session-ambiguous`. */
export function describeSession(env: Variables | undefined, which: string | { latest: string }): SessionSummary {
  const id = sessionId(env, which);
  return toSummary(summarise(id, sessionFolder(placesOf(env).state, id)));
}

function toSummary(summary: Recorded): SessionSummary {
  return {
    id: summary.id,
    title: titleOf(summary),
    named: summary.name !== undefined,
    workspace: summary.workspace ?? '',
    task: summary.input ?? '',
    startedAt: summary.start ?? 0,
    lastAt: summary.last ?? 0,
    state: summary.running ? 'running' : (summary.stop?.reason ?? 'interrupted'),
    damaged: summary.damage.length > 0,
  };
}

/** The id of a session: by a unique part of it or of its title, or the latest of a workspace. Throws `session-missing` and `session-ambiguous`. */
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
