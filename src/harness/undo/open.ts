/** Opens a session that nobody drives, with its store of checkpoints, to change the workspace back. */
import { existsSync } from 'node:fs';
import { loadSettings, placesOf } from '../../config/index.ts';
import { ReinsError, type Draft, type Event } from '../../core/index.ts';
import type { CheckpointStore } from '../../exec/index.ts';
import { openSession, readLog } from '../../session/index.ts';
import { storeFor } from '../checkpoints.ts';
import { systemClock } from '../clock.ts';
import { sessionId } from '../reader.ts';
import { historyIn, type History } from './operations.ts';

export type Variables = { readonly [name: string]: string | undefined };
/** A session by a unique beginning of its id, or the latest of a workspace. */
export type Which = string | { latest: string };

export interface OpenForUndo {
  id: string;
  workspace: string;
  history: History;
  store: CheckpointStore;
  /** The settings of now say that nothing is kept. */
  isOff: boolean;
  /** Records an event behind the last one. */
  record(draft: Draft): Promise<Event>;
}

/** Rejects with `session-missing`, and with `session-busy` while another process drives it. */
export async function withSession<Result>(
  env: Variables | undefined,
  which: Which,
  work: (open: OpenForUndo) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(placesOf(env).state, sessionId(env, which));
  try {
    const workspace = workspaceOf(session.id, session.skeleton.session?.workspace);
    const { store, isOff } = await openStore(env, workspace, session.id);
    try {
      const history = historyIn(readLog(session.folder));
      let parent = session.skeleton.head;
      const record = async (draft: Draft): Promise<Event> => {
        const event = await session.append({ parent, at: systemClock.now(), ...draft });
        await session.sync();
        parent = event.id;
        return event;
      };
      return await work({ id: session.id, workspace, history, store, isOff, record });
    } finally {
      await store.close();
    }
  } finally {
    await session.close();
  }
}

/** With the limits that runs have: what they keep counts as kept here. Rejects with `undo-impossible` where the workspace is gone, and as `loadSettings` does. */
export async function openStore(
  env: Variables | undefined,
  workspace: string,
  session: string,
): Promise<{ store: CheckpointStore; isOff: boolean }> {
  if (!existsSync(workspace)) {
    const text = `The workspace ${workspace} of session ${session} is gone. Put it back to that place first; what was kept of it is still there.`;
    throw new ReinsError('undo-impossible', text);
  }
  const { settings } = await loadSettings({ workspace, ...(env !== undefined && { env }) });
  const store = await storeFor(env, workspace, session, settings.checkpoints);
  return { store, isOff: !settings.checkpoints.enabled };
}

/** Throws `undo-impossible` where the log doesn't say it. */
export function workspaceOf(session: string, workspace: string | undefined): string {
  if (workspace !== undefined) return workspace;
  throw new ReinsError('undo-impossible', `The log of session ${session} doesn’t say in which workspace it worked.`);
}
