/** A store that is open in this process: whoever works in it holds a lock meanwhile, so that nobody removes what he relies on. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreSize } from './limits.ts';
import { Lock, type Held } from './locks.ts';
import { Objects } from './objects.ts';
import { isSession, Records } from './records.ts';
import { openStoreFolder, unwritable, type StoreFolder } from './store-folder.ts';

export class OpenStore {
  readonly folder: StoreFolder;
  readonly session: string;
  readonly objects: Objects;
  readonly records: Records;
  readonly #lock: Lock;
  /** Counted when something is pruned or written; what was there before isn't in it until it was measured. */
  readonly size: StoreSize = { bytes: 0 };
  readonly #running: Lock;
  readonly #isRunning: Held;
  #acquiring: Promise<Held> | undefined;
  #users = 0;
  #alone: Promise<void> | undefined;
  #pruned: string;
  /** Counts how often somebody was seen to have removed something. */
  changes = 0;

  /** Throws `state-unwritable`. */
  constructor(path: string, session: string) {
    if (!isSession(session)) throw new TypeError(`“${session}” can’t be the id of a session`);
    this.folder = openStoreFolder(path);
    this.session = session;
    this.records = new Records(this.folder);
    this.objects = new Objects(this.folder);
    this.#lock = new Lock(this.folder.inUse);
    [this.#running, this.#isRunning] = saysThatItRuns(runningLock(this.folder, session));
    this.#pruned = this.#lastPruned();
    this.#clean();
  }

  /** Works in the store. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== undefined) await this.#alone;
    this.#users += 1;
    try {
      const isFirst = this.#acquiring === undefined;
      this.#acquiring ??= this.#lock.share();
      await this.#acquiring;
      if (isFirst) this.#notice();
      return await work();
    } finally {
      this.#users -= 1;
      // Where the lock could not be had, whoever asked was told.
      const held = await this.#acquiring?.catch(() => undefined);
      // Somebody may have begun while it was waited for.
      if (this.#users === 0 && this.#acquiring !== undefined) {
        this.#acquiring = undefined;
        held?.release();
      }
    }
  }

  /** Works in the store while nobody else does; gives undefined when somebody is at work. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#users > 0 || this.#acquiring !== undefined || this.#alone !== undefined) return undefined;
    const held = this.#lock.tryAlone();
    if (held === undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone = promise;
    try {
      return await work();
    } finally {
      held.release();
      this.#alone = undefined;
      resolve();
    }
  }

  close(): void {
    this.objects.reload();
    this.#isRunning.release();
    this.#removeRunningLock();
    this.#running.close();
    this.#lock.close();
  }

  /** A lock that is left costs nothing but its place: whoever prunes removes it, too. */
  #removeRunningLock(): void {
    if (!this.#running.isInPlace()) return;
    try {
      // Another process of the session may still hold it, and then it stays.
      const last = this.#running.tryAlone();
      if (last !== undefined) rmSync(runningLock(this.folder, this.session), { force: true });
      last?.release();
    } catch {
      // the store is being removed, or can't be written any more
    }
  }

  #notice(): void {
    const now = this.#lastPruned();
    if (now === this.#pruned) return;
    this.#pruned = now;
    this.changes += 1;
    this.objects.reload();
  }

  #lastPruned(): string {
    const status = statSync(this.folder.pruned, { bigint: true, throwIfNoEntry: false });
    return `${status?.ino} ${status?.mtimeNs}`;
  }

  /** Removes what those who were killed have left, if nobody is at work. */
  #clean(): void {
    try {
      if (leftovers(this.folder).length === 0) return;
      const held = this.#lock.tryAlone();
      if (held === undefined) return;
      for (const path of leftovers(this.folder)) rmSync(path, { force: true, recursive: true });
      held.release();
    } catch (error) {
      throw unwritable(this.folder.path, error);
    }
  }
}

/** Milliseconds; whoever looks whether a session runs is gone again at once. */
const momentOfALook = 5_000;

function saysThatItRuns(file: string): [Lock, Held] {
  for (;;) {
    const lock = new Lock(file, momentOfALook);
    const held = lock.tryShare();
    const isThere = held !== undefined && lock.isInPlace();
    if (isThere) return [lock, held];
    // Whoever looked has removed the file, as that of a session that doesn't run.
    held?.release();
    lock.close();
    if (held === undefined) throw unwritable(file, new Error('another process holds it'));
  }
}

export function runningLock(folder: StoreFolder, session: string): string {
  return join(folder.running, `${session}.lock`);
}

/** What isn't whole, and packs without an index. Only one who is alone in the store knows that nobody is writing them. */
export function leftovers(folder: StoreFolder): string[] {
  const temporary = readdirSync(folder.temporary).map((name) => join(folder.temporary, name));
  const packs = readdirSync(folder.packs);
  const indexes = new Set(packs.filter((name) => name.endsWith('.idx')));
  const orphans = packs.filter((name) => !name.endsWith('.idx') && !indexes.has(name.replace(/\.pack$/, '.idx')));
  return [...temporary, ...orphans.map((name) => join(folder.packs, name))];
}
