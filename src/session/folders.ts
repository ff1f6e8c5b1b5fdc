/** Where a session lives on disk, and how its folders and files are made: for their owner alone. */
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError } from '../core/index.ts';

const folderMode = 0o700;
export const fileMode = 0o600;

/** Names of sessions never lead out of the folder of sessions, and never are a half-made one's (those begin with a dot). */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export function sessionsFolder(state: string): string {
  return join(state, 'sessions');
}

/** The folder of one session: `log.jsonl`, `blobs/`, `inbox/`, `lock` and, while somebody drives it, `holder`. */
export function sessionFolder(state: string, id: string): string {
  if (!safeName.test(id)) throw new ReinsError('session-missing', `“${id}” can’t be the id of a session.`);
  return join(sessionsFolder(state), id);
}

export const logFile = (folder: string): string => join(folder, 'log.jsonl');
export const blobsFolder = (folder: string): string => join(folder, 'blobs');
export const inboxFolder = (folder: string): string => join(folder, 'inbox');
export const rejectedFolder = (folder: string): string => join(folder, 'inbox', 'rejected');
export const lockFile = (folder: string): string => join(folder, 'lock');
export const holderFile = (folder: string): string => join(folder, 'holder');

/** The ids of all sessions, oldest first; none where there is no folder of sessions yet. */
export function sessionIds(state: string): string[] {
  try {
    return readdirSync(sessionsFolder(state), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && safeName.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new ReinsError('log-unreadable', `${sessionsFolder(state)} can’t be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** When the log of a session last grew, in milliseconds since the epoch; zero where there is none. */
export function changedAt(folder: string): number {
  return statSync(logFile(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Makes a folder and those above it that are missing, each for its owner alone whatever the umask; one that exists stays as it is. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: folderMode });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw unwritable(path, error);
    makeFolder(dirname(path));
    makeFolder(path);
    return;
  }
  chmodSync(path, folderMode);
}

/** Makes the entries of a folder (new files, renames) survive the end of the machine. */
export function syncFolder(path: string): void {
  try {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // A file system that can't sync folders keeps their entries in its own way, and there is nothing more to ask of it.
    if (errorCode(error) !== 'EINVAL') throw unwritable(path, error);
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function unwritable(path: string, error: unknown): ReinsError {
  return new ReinsError('state-unwritable', `${path} can’t be written: ${reasonOf(error)}.`, { cause: error });
}
