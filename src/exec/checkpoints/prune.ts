/** Keeps a store within its bounds: sessions go, oldest first, and then what only they needed. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { largestPack, PackWriter } from './pack-writer.ts';
import { Lock } from './locks.ts';
import { manifestRoot } from './manifest.ts';
import type { Objects } from './objects.ts';
import { leftovers, runningLock, type OpenStore } from './open-store.ts';
import type { Pack } from './pack.ts';
import { Pace } from './pace.ts';
import type { Recorded } from './records.ts';
import { writeWhole } from './store-folder.ts';
import { decodeTree, types, typeOf } from './trees.ts';

export interface PrunePolicy {
  /** Milliseconds since its last snapshot after which a session's snapshots go. */
  age: number;
  /** Bytes on disk that the store may hold; more only if running sessions need it. */
  bytes: number;
  /** Sessions that go in any case, unless they run. */
  gone?: ReadonlySet<string>;
  /** Nothing is removed; it is only said what would be. */
  dryRun?: boolean;
}

export interface Pruned {
  /** Sessions whose snapshots were removed. */
  sessions: string[];
  /** Bytes on disk before and after. */
  before: number;
  after: number;
}

const mostPacks = 50;
/** Milliseconds after which what killed processes have left is looked for in any case. */
const longestBetween = 7 * 24 * 3_600_000;
/** Bytes; smaller packs are put together when there are many. */
const smallPack = 16 * 1024 * 1024;
const [tries, pauseBetweenTries] = [20, 25];

/** Undefined when others are at work in the store: it is tried again another time. */
export async function prune(store: OpenStore, policy: PrunePolicy): Promise<Pruned | undefined> {
  const bytes = await store.use(() => measureStore(store.objects, new Pace()));
  if (!isDue(store, policy, bytes)) return { sessions: [], before: bytes, after: bytes };
  for (let left = tries; left > 0; left--) {
    const pruned = await store.alone(() => new Pruning(store, policy).run());
    if (pruned !== undefined) return pruned;
    await pause(pauseBetweenTries);
  }
  return undefined;
}

/** Whether there may be anything to be removed: reading all that snapshots name takes its time. */
function isDue(
  { records, session, objects, folder }: OpenStore,
  { age, bytes, gone }: PrunePolicy,
  now: number,
): boolean {
  if (gone !== undefined) return records.sessions().some((each) => gone.has(each));
  if (now > bytes || objects.packs.length > mostPacks) return true;
  const oldest = Date.now() - age;
  if (records.sessions().some((each) => each !== session && records.lastUse(each) < oldest)) return true;
  const last = statSync(folder.pruned, { throwIfNoEntry: false })?.mtimeMs ?? statSync(folder.sessions).birthtimeMs;
  return Date.now() - last > longestBetween;
}

/** Bytes that objects take on disk. */
export async function measureStore(objects: Objects, pace: Pace): Promise<number> {
  let bytes = 0;
  for (const loose of objects.loose()) {
    bytes += loose.bytes;
    if (pace.isDue()) await pace.rest();
  }
  return bytes + objects.packs.reduce((sum, pack) => sum + pack.bytes(), 0);
}

/** Bytes that the snapshots of each of these sessions need besides what those of the ones before it need. */
export function weigh(store: OpenStore, order: readonly string[]): Promise<number[]> {
  return store.use(() => new Pruning(store, { age: Infinity, bytes: Infinity }).weigh(order));
}

class Pruning {
  readonly #store: OpenStore;
  readonly #objects: Objects;
  readonly #policy: PrunePolicy;
  readonly #pace = new Pace();
  readonly #live = new Set<string>();
  /** Bytes on disk by id. */
  readonly #sizes = new Map<string, number>();
  #liveBytes = 0;

  constructor(store: OpenStore, policy: PrunePolicy) {
    this.#store = store;
    this.#objects = store.objects;
    this.#policy = policy;
  }

  async run(): Promise<Pruned> {
    const { folder, records } = this.#store;
    this.#objects.reload();
    for (const path of leftovers(folder)) rmSync(path, { force: true, recursive: true });
    await this.#measure();
    const before = sum(this.#sizes.values());
    const removed = await this.#choose();
    if (this.#policy.dryRun === true) return { sessions: removed, before, after: this.#liveBytes };
    // Told before anything goes: whoever believes something to be there looks again.
    writeWhole(folder, folder.pruned, `${new Date().toISOString()}\n`);
    for (const session of removed) records.remove(session);
    await this.#sweep();
    this.#objects.reload();
    this.#store.size.bytes = this.#liveBytes;
    return { sessions: removed, before, after: this.#liveBytes };
  }

  /** Bytes that each of these needs besides what the ones before it need. */
  async weigh(order: readonly string[]): Promise<number[]> {
    this.#objects.reload();
    await this.#measure();
    const weights: number[] = [];
    for (const session of order) {
      const before = this.#liveBytes;
      await this.#mark(session);
      weights.push(this.#liveBytes - before);
    }
    return weights;
  }

  async #measure(): Promise<void> {
    for (const { id, bytes } of this.#objects.loose()) this.#sizes.set(id, bytes);
    for (const pack of this.#objects.packs) {
      for (let place = 0; place < pack.index.count; place++) {
        this.#sizes.set(pack.index.idAt(place), pack.sizeOf(place));
        if (this.#pace.isDue()) await this.#pace.rest();
      }
    }
  }

  /** Marks what stays; gives the sessions that go. */
  async #choose(): Promise<string[]> {
    const { records, folder } = this.#store;
    const sessions = records.sessions().toSorted((a, b) => records.lastUse(b) - records.lastUse(a));
    const running = this.#runningSessions();
    for (const session of sessions.filter((each) => running.has(each))) await this.#mark(session);
    const oldest = Date.now() - this.#policy.age;
    const removed: string[] = [];
    let isFull = this.#liveBytes > this.#policy.bytes;
    for (const session of sessions.filter((each) => !running.has(each))) {
      const isOld = records.lastUse(session) < oldest;
      // A session stays as a whole or goes as a whole, and no older one stays where a younger one had to go.
      const isGone = this.#policy.gone?.has(session) ?? false;
      if (isGone || isOld || isFull || !(await this.#marksWithin(session))) {
        removed.push(session);
        isFull ||= !isOld && !isGone;
      }
    }
    const last = manifestRoot(folder);
    if (last === undefined) return removed;
    // It only saves work for the next session: where a person has every one removed, it goes as well.
    const noneStays = this.#policy.gone !== undefined && removed.length === sessions.length;
    const isKept = this.#live.has(last) || (!noneStays && (await this.#fits(() => this.#markTree(last))));
    if (!isKept && this.#policy.dryRun !== true) rmSync(folder.manifest, { force: true });
    return removed;
  }

  #runningSessions(): Set<string> {
    const { folder, session } = this.#store;
    const found = new Set([session]);
    for (const name of readdirSync(folder.running)) {
      const [, other] = /^(.+)\.lock$/.exec(name) ?? [];
      if (other === undefined || other === session) continue;
      const lock = new Lock(runningLock(folder, other));
      const held = lock.tryAlone();
      if (held === undefined) found.add(other);
      // Whoever begins to run meanwhile finds the store taken and waits, with its lock in its hands.
      else rmSync(join(folder.running, name), { force: true });
      held?.release();
      lock.close();
    }
    return found;
  }

  #marksWithin(session: string): Promise<boolean> {
    return this.#fits(() => this.#mark(session));
  }

  /** Takes back what was marked when it is too much. */
  async #fits(mark: () => Promise<void>): Promise<boolean> {
    const [live, bytes] = [this.#live.size, this.#liveBytes];
    await mark();
    if (this.#liveBytes <= this.#policy.bytes) return true;
    // A set keeps the order in which things came in.
    for (const id of [...this.#live].slice(live)) this.#live.delete(id);
    this.#liveBytes = bytes;
    return false;
  }

  async #mark(session: string): Promise<void> {
    for (const record of this.#store.records.of(session).values()) {
      for (const id of rootsOf(record)) await this.#markTree(id);
    }
  }

  async #markTree(root: string): Promise<void> {
    const waiting = [root];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (!this.#sizes.has(id) || !this.#markOne(id)) continue;
      if (this.#pace.isDue()) await this.#pace.rest();
      const found = this.#objects.read(id);
      const entries = found?.type === 'tree' ? decodeTree(found.bytes) : undefined;
      for (const entry of entries ?? []) {
        if (typeOf(entry.mode) === types.folder) waiting.push(entry.id);
        else if (typeOf(entry.mode) !== types.unkept && this.#sizes.has(entry.id)) this.#markOne(entry.id);
      }
    }
  }

  #markOne(id: string): boolean {
    if (this.#live.has(id)) return false;
    this.#live.add(id);
    this.#liveBytes += this.#sizes.get(id) ?? 0;
    return true;
  }

  async #sweep(): Promise<void> {
    const seen = new Set<string>();
    for (const { id } of this.#objects.loose()) {
      if (this.#live.has(id)) seen.add(id);
      else this.#objects.removeLoose(id);
      if (this.#pace.isDue()) await this.#pace.rest();
    }
    const { packs } = this.#objects;
    const isMany = packs.length > mostPacks;
    const rewritten: Pack[] = [];
    const kept: { pack: Pack; place: number; id: string }[] = [];
    for (const pack of packs) {
      const live = [...this.#liveIn(pack)];
      const bytes = sum(live.map(({ place }) => pack.sizeOf(place)));
      const isRewritten = bytes < pack.bytes() / 2 || (isMany && pack.bytes() < smallPack);
      if (isRewritten) {
        rewritten.push(pack);
        for (const each of live) kept.push(each);
      } else for (const { id } of live) seen.add(id);
    }
    await this.#rewrite(kept.filter(({ id }) => !seen.has(id)));
    for (const pack of rewritten) pack.remove();
  }

  *#liveIn(pack: Pack): Generator<{ pack: Pack; place: number; id: string }> {
    for (let place = 0; place < pack.index.count; place++) {
      const id = pack.index.idAt(place);
      if (this.#live.has(id)) yield { pack, place, id };
    }
  }

  /** Copies objects into packs of their own, each once. */
  async #rewrite(kept: { pack: Pack; place: number; id: string }[]): Promise<void> {
    const written = new Set<string>();
    let writer: PackWriter | undefined;
    for (const { pack, place, id } of kept) {
      if (written.has(id)) continue;
      written.add(id);
      writer ??= new PackWriter(this.#objects);
      writer.add(id, [pack.raw(place)]);
      if (this.#pace.isDue()) await this.#pace.rest();
      if (writer.size < largestPack) continue;
      await writer.finish(this.#pace);
      writer = undefined;
    }
    await writer?.finish(this.#pace);
  }
}

function rootsOf({ root, known }: Recorded): string[] {
  const entries = Object.values(known ?? {}).flatMap((entry) => (entry === null ? [] : [entry[1]]));
  return root === undefined ? entries : [root];
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
