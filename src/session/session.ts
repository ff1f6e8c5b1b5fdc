/** A session that is being driven: its log, held by a lock, and what belongs to it. */
import { existsSync } from 'node:fs';
import {
  logFormat,
  ReinsError,
  type Damage,
  type Draft,
  type Event,
  type EventData,
  type EventId,
  type Log,
} from '../core/index.ts';
import { Blobs } from './blobs.ts';
import {
  blobsFolder,
  inboxFolder,
  logFile,
  makeFolder,
  sessionFolder,
  sessionsFolder,
  syncFolder,
  unwritable,
} from './folders.ts';
import { formats } from './formats.ts';
import { newSessionId } from './identifiers.ts';
import { Inbox } from './inbox.ts';
import { takeLock, type Lock } from './lock.ts';
import { openLogHandle, type OpenLogHandle } from './log-handle.ts';
import { LogWriter } from './log-writer.ts';
import { forgetPlaces, scan, type Skeleton } from './skeleton.ts';

export interface SessionStart {
  /** The workspace's real path. */
  workspace: string;
  /** The version of Reins. */
  reins: string;
  /** Milliseconds since the epoch. */
  at: number;
  parent?: EventData['session']['parent'];
}

export class Session implements Log {
  readonly id: string;
  readonly folder: string;
  /** What the log held when it was opened. */
  readonly skeleton: Skeleton;
  readonly blobs: Blobs;
  readonly inbox: Inbox;
  readonly #lock: Lock;
  readonly #writer: LogWriter | undefined;

  constructor(parts: { id: string; folder: string; skeleton: Skeleton; lock: Lock; writer: LogWriter | undefined }) {
    this.id = parts.id;
    this.folder = parts.folder;
    this.skeleton = parts.skeleton;
    this.blobs = new Blobs(parts.folder);
    this.inbox = new Inbox(parts.folder);
    this.#lock = parts.lock;
    this.#writer = parts.writer;
  }

  /** The log was written by a newer Reins: it can be read and not be continued. */
  get isNewer(): boolean {
    return this.#writer === undefined;
  }

  /** Path of the log. */
  get file(): string {
    return logFile(this.folder);
  }

  /** SHA-256 of the last line: what a later check of the log can be held against. */
  get head(): string | null {
    return this.#writer?.head ?? this.skeleton.end.prev;
  }

  /** Lets go of where each event stands: what of a session in memory grows with its log. The skeleton tells of the whole only from then on. */
  forgetPlaces(): void {
    forgetPlaces(this.skeleton);
  }

  /** As the port says; rejects with `session-newer` where the log may only be read. */
  async append(draft: { parent: EventId | null; at: number } & Draft): Promise<Event> {
    return this.#writable().append(draft);
  }

  async sync(): Promise<void> {
    await this.#writer?.sync();
  }

  /** Records an event of another log under its own id. */
  async copy(event: Event): Promise<Event> {
    return this.#writable().copy(event);
  }

  /** Lets go of the session; a second time does nothing. */
  async close(): Promise<void> {
    await this.#writer?.close();
    this.#lock.release();
  }

  #writable(): LogWriter {
    if (this.#writer !== undefined) return this.#writer;
    const { format } = this.skeleton;
    throw new ReinsError(
      'session-newer',
      `The log of session ${this.id} has format ${format}; this version writes format ${logFormat}.`,
    );
  }
}

/**
 * Makes a session below `state`, the folder that the configuration names. When it resolves, the session is on disk with its first
 * event, and held. Rejects with `state-unwritable`.
 */
export async function createSession(
  state: string,
  start: SessionStart,
  openHandle: OpenLogHandle = openLogHandle,
): Promise<Session> {
  const id = newSessionId(start.at);
  const session = await createIn(sessionFolder(state, id), id, start, openHandle);
  syncFolder(sessionsFolder(state));
  return session;
}

/** Makes a session in a folder of any name; it becomes one of the user's when the folder is moved to where its id says. */
export async function createIn(
  folder: string,
  id: string,
  { workspace, reins, at, parent }: SessionStart,
  openHandle: OpenLogHandle = openLogHandle,
): Promise<Session> {
  makeFolder(folder);
  makeFolder(inboxFolder(folder));
  makeFolder(blobsFolder(folder));
  const data: EventData['session'] = { format: logFormat, reins, workspace };
  if (parent !== undefined) data.parent = parent;
  const lock = await takeLock(folder);
  let writer: LogWriter | undefined;
  try {
    writer = openWriter(folder, openHandle, undefined);
    await writer.append({ parent: null, at, kind: 'session', data });
    await writer.sync();
    syncFolder(folder);
    return new Session({ id, folder, skeleton: scan(folder), lock, writer });
  } catch (error) {
    await writer?.close();
    lock.release();
    throw error;
  }
}

/**
 * Opens a session to drive it, showing each item of its log to `each` in the order of the file. Its file stays as it is, damage included: what comes is written behind the last byte. Rejects with
 * `session-missing`, `session-busy`, `log-unreadable` and `state-unwritable`.
 */
export async function openSession(
  state: string,
  id: string,
  openHandle: OpenLogHandle = openLogHandle,
  each?: (item: Event | Damage) => void,
): Promise<Session> {
  const folder = sessionFolder(state, id);
  if (!existsSync(logFile(folder))) throw new ReinsError('session-missing', `There is no session ${id}.`);
  return openIn(folder, id, openHandle, each);
}

/** The same for a session whose folder is known. */
export async function openIn(
  folder: string,
  id: string,
  openHandle: OpenLogHandle = openLogHandle,
  each?: (item: Event | Damage) => void,
): Promise<Session> {
  const lock = await takeLock(folder);
  try {
    const skeleton = scan(folder, formats, each);
    const isNewer = skeleton.format > logFormat;
    const writer = isNewer ? undefined : openWriter(folder, openHandle, skeleton);
    const session = new Session({ id, folder, skeleton, lock, writer });
    if (!isNewer) session.blobs.clearUnfinished();
    return session;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the log to be continued, or makes it where there is no skeleton of one. */
function openWriter(folder: string, openHandle: OpenLogHandle, skeleton: Skeleton | undefined): LogWriter {
  const file = logFile(folder);
  const end = skeleton?.end ?? { prev: null, ended: true };
  try {
    return new LogWriter(file, openHandle(file, skeleton === undefined), end, skeleton?.ids ?? []);
  } catch (error) {
    throw unwritable(file, error);
  }
}
