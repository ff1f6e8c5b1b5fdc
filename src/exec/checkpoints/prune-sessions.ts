/** Lets go of the snapshots of sessions that are no more, in a store that nobody need have open and whose workspace may be gone. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OpenStore } from './open-store.ts';
import { prune, weigh, type Pruned } from './prune.ts';

/** Whoever opens a store does so as a session; this one has no snapshots. */
const nobody = 'prune';

export interface GoneSessions {
  /** Of a session with snapshots: whether it is no more. */
  isGone: (session: string) => boolean;
  /** Snapshots that others need: the sessions that took them stay. */
  needed: ReadonlySet<string>;
  /** Nothing is removed; it is only said what would be. */
  dryRun: boolean;
}

/** Removes the snapshots of sessions that are no more, and what only they needed. Undefined where there is no store, or others are at work in it. */
export async function pruneSessions(
  path: string,
  { isGone, needed, dryRun }: GoneSessions,
): Promise<Pruned | undefined> {
  return inStore(path, (store) => {
    const isNeeded = (session: string) => [...store.records.of(session).keys()].some((id) => needed.has(id));
    const gone = store.records.sessions().filter((session) => isGone(session) && !isNeeded(session));
    return prune(store, { age: Infinity, bytes: Infinity, gone: new Set(gone), dryRun });
  });
}

/** Bytes that the snapshots of each session need besides what those before it in the order need; undefined where there is no store. */
export async function weighSessions(path: string, order: readonly string[]): Promise<number[] | undefined> {
  return inStore(path, (store) => weigh(store, order));
}

async function inStore<Result>(path: string, work: (store: OpenStore) => Promise<Result>): Promise<Result | undefined> {
  if (!existsSync(join(path, 'config'))) return undefined;
  const store = new OpenStore(path, nobody);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
