/**
 * The lock of a session: an exclusive transaction on an empty SQLite file, which the kernel ends with the process, however it
 * ends. It doesn't hold on network file systems whose locks don't. Nothing else may open the file: closing any other
 * descriptor of it would free the lock.
 */
import { accessSync, closeSync, constants, fchmodSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { ReinsError } from '../core/index.ts';
import { errorCode, fileMode, holderFile, lockFile, unwritable } from './folders.ts';
import { loadSqlite, sqliteBusy, sqliteCode } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/** Long enough for somebody who only looks whether the session is held, or who drops a message, to be gone again. */
const patience = 100;
const pauseBetweenTries = 5;

/** Whoever drops a session without closing it holds it still: the garbage collector must not let go of it. */
const held = new Set<Sqlite.DatabaseSync>();

/** Takes the lock. Rejects with `session-busy`, naming the holder where that is known, and with `state-unwritable`. */
export async function takeLock(folder: string): Promise<Lock> {
  for (let waited = 0; ; waited += pauseBetweenTries) {
    const lock = tryLock(folder);
    if (lock !== undefined) return lock;
    if (waited >= patience) break;
    await pause(pauseBetweenTries);
  }
  const pid = holderOf(folder);
  const who = pid === undefined ? 'Another process' : `Process ${pid}`;
  throw new ReinsError('session-busy', `${who} holds the session in ${folder}.`);
}

/** Takes the lock if it is free at this moment. */
function tryLock(folder: string): Lock | undefined {
  makeLockFile(folder);
  const database = openDatabase(folder, false);
  try {
    // Nothing is ever written, so that no journal need lie beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (sqliteCode(error) === sqliteBusy) return undefined;
    throw unwritable(lockFile(folder), error);
  }
  held.add(database);
  writeHolder(folder);
  return {
    release(): void {
      if (!held.delete(database)) return;
      rmSync(holderFile(folder), { force: true });
      database.close();
    },
  };
}

/** Whether somebody holds the session now. Looking takes no more than a shared lock for a moment. */
export function isLocked(folder: string): boolean {
  let database: Sqlite.DatabaseSync | undefined;
  try {
    database = openDatabase(folder, true);
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    // A lock file that is missing, unreadable or no database is held by nobody.
    return sqliteCode(error) === sqliteBusy;
  } finally {
    database?.close();
  }
}

/** The process that holds the session, as far as it left its number; only to be named, never to be relied on. */
export function holderOf(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(holderFile(folder), 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // The name is a courtesy: without it the session is just as busy.
  }
}

function writeHolder(folder: string): void {
  try {
    writeFileSync(holderFile(folder), `${process.pid}\n`, { mode: fileMode });
  } catch {
    // The name is a courtesy: the lock holds without it.
  }
}

/** Makes the file for its owner alone, before SQLite would make it for everybody. */
function makeLockFile(folder: string): void {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  try {
    const fd = openSync(lockFile(folder), O_CREAT | O_EXCL | O_WRONLY, fileMode);
    fchmodSync(fd, fileMode);
    closeSync(fd);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw unwritable(lockFile(folder), error);
  }
}

function openDatabase(folder: string, readOnly: boolean): Sqlite.DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  try {
    // On a file that it may only read SQLite begins an exclusive transaction that excludes nobody.
    if (!readOnly) accessSync(lockFile(folder), constants.W_OK);
    return new DatabaseSync(lockFile(folder), { readOnly });
  } catch (error) {
    if (readOnly) throw error;
    throw unwritable(lockFile(folder), error);
  }
}
