/**
 * Locks between processes that the kernel ends with the process, however it ends: transactions on an empty SQLite file. Nothing else
 * may open such a file, because closing any other descriptor of it would free the lock.
 */
import { closeSync, constants, openSync, statSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { unwritable } from './store-folder.ts';

/** The result code of SQLite (https://www.sqlite.org/rescode.html). */
const sqliteBusy = 5;
const pauseBetweenTries = 5;
/** Milliseconds; whoever holds a lock alone cleans up, which is over by then. */
const patience = 120_000;

/** A lock that many hold together or one alone. */
export class Lock {
  readonly #file: string;
  readonly #database: Sqlite.DatabaseSync;
  readonly #inode: bigint | undefined;
  #look: Sqlite.StatementSync | undefined;

  /** Makes the file when there is none. `timeout`: milliseconds for which the process stands still where it is held. Throws `state-unwritable`. */
  constructor(file: string, timeout = 0) {
    this.#file = file;
    try {
      const { O_CREAT, O_EXCL, O_WRONLY } = constants;
      closeSync(openSync(file, O_CREAT | O_EXCL | O_WRONLY, 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(file, error);
    }
    this.#inode = inodeOf(file);
    try {
      this.#database = new (loadSqlite().DatabaseSync)(file, { timeout });
    } catch (error) {
      throw unwritable(file, error);
    }
    open.add(this);
  }

  /** Holds it together with others; undefined while somebody holds it alone. */
  tryShare(): Held | undefined {
    return this.#begin('BEGIN', true);
  }

  /** Holds it alone; undefined while anybody holds it. */
  tryAlone(): Held | undefined {
    // Whoever wants to be alone never waits for it.
    return this.#begin('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE', false);
  }

  async share(): Promise<Held> {
    for (let waited = 0; ; waited += pauseBetweenTries) {
      const held = this.tryShare();
      if (held !== undefined) return held;
      if (waited > patience) throw unwritable(this.#file, new Error('another process holds it for too long'));
      await pause(pauseBetweenTries);
    }
  }

  /** Whether it is still the file that others find. */
  isInPlace(): boolean {
    return this.#inode !== undefined && inodeOf(this.#file) === this.#inode;
  }

  close(): void {
    open.delete(this);
    this.#database.close();
  }

  #begin(statement: string, looks: boolean): Held | undefined {
    try {
      this.#database.exec(statement);
      // Only a look takes the lock, and the look must be prepared under it.
      if (looks) (this.#look ??= this.#database.prepare('SELECT count(*) FROM sqlite_schema')).get();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
      throw unwritable(this.#file, error);
    }
    // Nothing was written, and a rollback keeps it so.
    return { release: () => this.#database.exec('ROLLBACK') };
  }
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

export interface Held {
  release(): void;
}

/** The garbage collector must not let go of a lock that its owner merely dropped. */
const open = new Set<Lock>();

/** Node 22 warns that its SQLite is experimental: that one warning is kept back, while it loads, and no other. */
function loadSqlite(): typeof Sqlite {
  const emit = process.emitWarning.bind(process);
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  const quiet = (warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).includes('SQLite is an experimental feature'))
      Reflect.apply(emit, process, [warning, ...rest]);
  };
  process.emitWarning = quiet;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    if (original !== undefined) Object.defineProperty(process, 'emitWarning', original);
  }
}
