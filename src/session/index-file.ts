/**
 * The index of all sessions: an SQLite file in the state folder, its owner's alone, made of the logs and never needed but for speed. It may be
 * removed at any time; one of another version, or damaged, is made anew.
 */
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileMode, makeFolder, unwritable } from './folders.ts';
import { loadSqlite, sqliteCode, sqliteCorrupt, sqliteNoDatabase } from './sqlite.ts';

export const indexFile = (state: string): string => join(state, 'index.sqlite');

/** Raised with every change of the tables, or of what is put into them. */
const version = 1;
/** Milliseconds that one process waits for another that brings the index up to date. */
const patience = 5_000;

/**
 * `session`: what was read of each log, and what it told (`summary`, and `torn`: of a line that isn't whole yet). `indexed`: how far its words
 * are in. `entry`: where each searched event stands. `word` holds no text: that is in the logs.
 */
const tables = `
  CREATE TABLE session (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, inode INTEGER NOT NULL, size INTEGER NOT NULL, changed REAL NOT NULL,
    line INTEGER NOT NULL, offset INTEGER NOT NULL, format INTEGER NOT NULL, workspace TEXT, summary TEXT NOT NULL, torn TEXT,
    indexedLine INTEGER NOT NULL DEFAULT 1, indexedOffset INTEGER NOT NULL DEFAULT 0, indexedFormat INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE entry (
    key INTEGER PRIMARY KEY, session INTEGER NOT NULL, event TEXT NOT NULL, kind TEXT NOT NULL, at REAL NOT NULL, tool TEXT, outcome TEXT,
    offset INTEGER NOT NULL, bytes INTEGER NOT NULL, format INTEGER NOT NULL
  );
  CREATE INDEX entryBySession ON entry (session);
  CREATE TABLE path (path TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (path, entry)) WITHOUT ROWID;
  CREATE INDEX pathByEntry ON path (entry);
  CREATE VIRTUAL TABLE word USING fts5(text, content='', contentless_delete=1);
`;

/** Does work on the index; one that turns out to be damaged is made anew, once. Rejects what can't be written with `state-unwritable`. */
export function withIndex<Result>(state: string, work: (index: DatabaseSync) => Result): Result {
  try {
    return openAnd(state, work);
  } catch (error) {
    if (!isDamaged(error)) throw asUnwritable(state, error);
  }
  removeIndex(state);
  try {
    return openAnd(state, work);
  } catch (error) {
    throw asUnwritable(state, error);
  }
}

function openAnd<Result>(state: string, work: (index: DatabaseSync) => Result): Result {
  const index = openIndex(state);
  try {
    return work(index);
  } finally {
    index.close();
  }
}

function openIndex(state: string): DatabaseSync {
  makeFolder(state);
  const file = indexFile(state);
  // Made for its owner alone before SQLite would make it for everybody; its other files take the same mode.
  closeSync(openSync(file, 'a', fileMode));
  chmodSync(file, fileMode);
  const { DatabaseSync } = loadSqlite();
  const index = new DatabaseSync(file, { timeout: patience });
  try {
    // What is lost with the machine is made anew from the logs.
    index.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    makeTables(index);
    return index;
  } catch (error) {
    index.close();
    throw error;
  }
}

function makeTables(index: DatabaseSync): void {
  if (versionOf(index) === version) return;
  index.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have made them while this one waited.
    if (versionOf(index) !== version) {
      index.exec(
        'DROP TABLE IF EXISTS session; DROP TABLE IF EXISTS entry; DROP TABLE IF EXISTS path; DROP TABLE IF EXISTS word',
      );
      index.exec(`${tables} PRAGMA user_version = ${version}`);
    }
    index.exec('COMMIT');
  } catch (error) {
    index.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(index: DatabaseSync): unknown {
  return index.prepare('PRAGMA user_version').get()?.['user_version'];
}

function removeIndex(state: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${indexFile(state)}${suffix}`, { force: true });
}

function isDamaged(error: unknown): boolean {
  const code = sqliteCode(error);
  // The lower byte is the code, what is above it says more.
  return code !== undefined && [sqliteCorrupt, sqliteNoDatabase].includes(code & 0xff);
}

/** What isn't SQLite's or the system's own is a defect and stays what it is. */
function asUnwritable(state: string, error: unknown): unknown {
  const isOutside = sqliteCode(error) !== undefined || (error instanceof Error && 'syscall' in error);
  return isOutside ? unwritable(indexFile(state), error) : error;
}
