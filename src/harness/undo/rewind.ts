/** Goes back to before a turn: the conversation, the files, or both. */
import { placesOf } from '../../config/index.ts';
import { ReinsError, type EventId } from '../../core/index.ts';
import { readLog, sessionFolder } from '../../session/index.ts';
import { rewindSession } from '../branches.ts';
import { sessionId } from '../reader.ts';
import type { Variables, Which } from './open.ts';
import { undoSession, type UndoOptions, type UndoReport } from './undo.ts';

export interface RewindOptions extends Pick<UndoOptions, 'overwrites'> {
  /** The turn before which it was, from 1. */
  turn: number;
  files: boolean;
  conversation: boolean;
}

/**
 * Files come first: what is told of them stands on the branch that is left. Undefined where only the conversation went back, or no file
 * had changed since. Rejects with `undo-impossible` for a turn that there is none of, `session-busy`, `session-missing`.
 */
export async function rewindToTurn(
  env: Variables | undefined,
  which: Which,
  { turn, files, conversation, overwrites }: RewindOptions,
): Promise<UndoReport | undefined> {
  const id = sessionId(env, which);
  const event = eventBefore(env, id, turn);
  const report = files ? await undoneSince(env, id, turn, overwrites) : undefined;
  if (conversation) await rewindSession(env, id, event);
  return report;
}

async function undoneSince(
  env: Variables | undefined,
  id: string,
  to: number,
  overwrites: UndoOptions['overwrites'],
): Promise<UndoReport | undefined> {
  try {
    return await undoSession(env, id, { to, ...(overwrites !== undefined && { overwrites }) });
  } catch (error) {
    if (error instanceof ReinsError && error.code === 'undo-impossible') return undefined;
    throw error;
  }
}

/** The event behind which the first request of a turn was made. */
function eventBefore(env: Variables | undefined, id: string, turn: number): EventId {
  for (const item of readLog(sessionFolder(placesOf(env).state, id))) {
    if ('damage' in item || item.kind !== 'request' || item.data.turn !== turn) continue;
    if (item.parent !== null) return item.parent;
  }
  throw new ReinsError('undo-impossible', `Session ${id} has no turn ${turn}.`);
}
