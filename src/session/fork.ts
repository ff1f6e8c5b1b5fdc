/** Forks a session: the events of a path become the beginning of a session of its own. */
import { isUtf8 } from 'node:buffer';
import { chmodSync, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ReinsError, type EventData, type EventId, type EventOf } from '../core/index.ts';
import { blobsOf, isBlobName } from './blobs.ts';
import { blobsFolder, errorCode, fileMode, sessionFolder, sessionsFolder, syncFolder, unwritable } from './folders.ts';
import { newSessionId } from './identifiers.ts';
import { readLog } from './read.ts';
import { rebuildRequest } from './requests.ts';
import { createIn, type Session } from './session.ts';
import { pathOf, scan, type Skeleton } from './skeleton.ts';

/** Bytes of a request that a line holds itself; more go into a blob. */
const longestTail = 64 * 1024;

export interface ForkOptions {
  state: string;
  /** Id of the session to fork. */
  session: string;
  /** The event to go on from; the head where none is named. */
  event?: EventId;
  /** The workspace, for a source whose own line about it can't be read. */
  workspace?: string;
  /** The version of Reins, and the time in milliseconds since the epoch. */
  reins: string;
  at: number;
}

/**
 * Copies the events from the root to an event into a new session, under their own ids, with a head event behind them, and gives
 * the new session's id. The source isn't touched and needn't be free. Throws `item-unknown`, `session-missing`, `log-damaged`.
 */
export async function fork(options: ForkOptions): Promise<string> {
  const { state, session: sourceId, reins, at } = options;
  const source = sessionFolder(state, sourceId);
  const skeleton = scan(source);
  const from = options.event ?? skeleton.head;
  const workspace = skeleton.session?.workspace ?? options.workspace;
  if (from === null || workspace === undefined) {
    throw new ReinsError('log-damaged', `Session ${sourceId} doesn’t tell its workspace any more.`);
  }
  const id = newSessionId(at);
  // A fork that is cut off half-way must not look like a session: calls that are open in it might run.
  const folder = join(sessionsFolder(state), `.${id}`);
  const parent = { session: sourceId, event: from };
  const fork = await createIn(folder, id, { workspace, reins, at, parent });
  try {
    const last = await copyPath(source, skeleton, from, fork);
    await fork.append({ parent: last, at, kind: 'head', data: { from, why: 'fork' } });
    await fork.sync();
  } catch (error) {
    await fork.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  await fork.close();
  moveInto(folder, sessionFolder(state, id));
  syncFolder(sessionsFolder(state));
  return id;
}

function moveInto(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    throw unwritable(to, error);
  }
}

/** Copies the events of a path, which form a chain in the order of the file; gives the id of the last one. */
async function copyPath(source: string, skeleton: Skeleton, from: EventId, fork: Session): Promise<EventId | null> {
  const path = pathOf(skeleton, from);
  let last = fork.skeleton.head;
  for (const item of readLog(source)) {
    if ('damage' in item || item.kind === 'session' || !path.has(item.id)) continue;
    const event = item.kind === 'request' ? await standing(item, { source, skeleton, path, fork }) : item;
    for (const blob of blobsOf(event)) copyBlob(source, fork.folder, blob);
    last = (await fork.copy({ ...event, parent: last })).id;
  }
  return last;
}

/** A request whose base isn't on the path has to stand for itself in the fork. */
async function standing(
  event: EventOf<'request'>,
  { source, skeleton, path, fork }: { source: string; skeleton: Skeleton; path: Set<EventId>; fork: Session },
): Promise<EventOf<'request'>> {
  if (event.data.base === null || path.has(event.data.base)) return event;
  let body: Buffer;
  try {
    body = (await rebuildRequest(source, event.id, skeleton)).body;
  } catch (error) {
    if (error instanceof ReinsError) return event; // It is as lost here as it is there.
    throw error;
  }
  const data: EventData['request'] = { ...event.data, base: null, kept: 0, tail: '' };
  if (body.length <= longestTail && isUtf8(body)) {
    data.tail = body.toString('utf8');
    delete data.tailBlob;
  } else {
    data.tailBlob = await fork.blobs.put(body);
  }
  return { ...event, data };
}

/** Blobs never change, so that both sessions can have the same file where the file system allows it. */
function copyBlob(source: string, fork: string, name: string): void {
  if (!isBlobName(name)) return; // No blob has such a name, in either session.
  const [from, to] = [join(blobsFolder(source), name), join(blobsFolder(fork), name)];
  try {
    linkSync(from, to);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' || code === 'ENOENT') return; // It is there already, or as lost here as it is there.
    copyToOwner(from, to);
  }
}

function copyToOwner(from: string, to: string): void {
  try {
    copyFileSync(from, to);
    chmodSync(to, fileMode);
  } catch (error) {
    throw unwritable(to, error);
  }
}
