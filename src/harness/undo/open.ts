/** Opens a session that nobody drives, with its store of checkpoints, to change the workspace back. */
import { placesOf } from '../../config/index.ts';
import { ReinsError, type Draft, type Event } from '../../core/index.ts';
import type { CheckpointStore } from '../../exec/index.ts';
import { openSession, readLog, type Session } from '../../session/index.ts';
import { storeFor } from '../checkpoints.ts';
import { systemClock } from '../clock.ts';
import { sessionId } from '../reader.ts';
import { operationsIn, type Operation } from './operations.ts';

export type Variables = { readonly [name: string]: string | undefined };
/** A session by a unique beginning of its id, or the latest of a workspace. */
export type Which = string | { latest: string };

export interface OpenForUndo {
  id: string;
  workspace: string;
  operations: Operation[];
  store: CheckpointStore;
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
    const workspace = workspaceOf(session);
    const store = await storeFor(env, workspace, session.id);
    try {
      const operations = operationsIn(readLog(session.folder));
      let parent = session.skeleton.head;
      const record = async (draft: Draft): Promise<Event> => {
        const event = await session.append({ parent, at: systemClock.now(), ...draft });
        await session.sync();
        parent = event.id;
        return event;
      };
      return await work({ id: session.id, workspace, operations, store, record });
    } finally {
      await store.close();
    }
  } finally {
    await session.close();
  }
}

function workspaceOf({ id, skeleton }: Session): string {
  const workspace = skeleton.session?.workspace;
  if (workspace === undefined) {
    throw new ReinsError('undo-impossible', `The log of session ${id} doesn’t say in which workspace it worked.`);
  }
  return workspace;
}
