/** Takes snapshots, one look at a time. */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '../paths.ts';
import { Batch } from './batch.ts';
import { buildSnapshot } from './build.ts';
import { Budget, type Limits } from './limits.ts';
import { Look } from './look.ts';
import { readManifest, writeManifest } from './manifest.ts';
import { bytesOf, stepsTo, type ByteText } from './names.ts';
import type { OpenStore } from './open-store.ts';
import { Overlay, transplant } from './overlay.ts';
import { Pace } from './pace.ts';
import type { Recorded } from './records.ts';
import { scopeOfWorkspace } from './scope.ts';
import { State } from './state.ts';
import { isSoonDone, newWhole, type Whole } from './whole.ts';
import { lookAtWorkspace } from './workspace-look.ts';

/** Milliseconds after a snapshot until the manifest is written: what is still going on then needn't wait for it. */
const manifestDelay = 2_000;

export interface WhatToLookAt {
  /** Real path. */
  workspace: string;
  limits: Limits;
  /** Absolute paths that are passed over. */
  excluded: ReadonlySet<ByteText>;
}

export class Taker {
  readonly #store: OpenStore;
  readonly #look: WhatToLookAt;
  #state: State | undefined;
  /** Whether the state is what a whole look of this process saw. */
  #isSeen = false;
  #storeChanges = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #wholes: Whole[] = [];
  #isManifestOld = false;
  #manifestTimer: NodeJS.Timeout | undefined;
  #settling = new Set<Promise<void>>();
  #failed: { error: unknown } | undefined;
  latest: Recorded | undefined;

  constructor(store: OpenStore, look: WhatToLookAt) {
    this.#store = store;
    this.#look = look;
  }

  /** The workspace as it is. */
  whole(): Promise<Recorded> {
    const next = this.#wholes.find((whole) => !whole.hasBegun && whole.presets.size === 0) ?? this.#beginWhole();
    next.isAwaited = true;
    return next.done;
  }

  /** Some paths as they are; of the rest, what was seen last, or what a look that goes on in the background will see. */
  async paths(paths: readonly string[], rest: 'unchanged' | 'later'): Promise<Recorded> {
    const asked = paths.flatMap((path) => this.#stepsTo(path));
    if (asked.some((steps) => steps.length === 0)) return this.whole();
    const isLarge = (this.#state?.budget.entries ?? 0) > this.#look.limits.atOnce;
    if (rest === 'later' && this.#isSeen && !isLarge) return this.whole();
    if (this.#wholes.length === 0 && (rest === 'later' || !this.#isSeen)) this.#beginWhole();
    const under = this.#wholes.at(-1);
    if (under !== undefined && !(await isSoonDone(under))) return this.#beside(asked, under);
    return this.#enqueue(() => this.#record((state, batch, pace) => this.#lookAlong(asked, state, batch, pace)));
  }

  /** Waits for all that goes on in the background. Rejects when some of it failed. */
  async settled(): Promise<void> {
    await this.idle();
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed !== undefined) throw failed.error;
  }

  /** Waits until nothing is under way, however it ends. */
  async idle(): Promise<void> {
    for (let tail; tail !== this.#tail;) {
      tail = this.#tail;
      await tail.catch(() => undefined); // told to whoever asked, or by `settled`
    }
  }

  /** Looks that no snapshot waits for are given up: whoever asked for one gets an AbortError. */
  async close(): Promise<void> {
    for (const whole of this.#wholes) whole.isAbandoned = whole.waiting.length === 0;
    await this.#enqueue(() => this.#saveManifest()).catch(() => undefined); // without it the next session reads everything anew
    await Promise.all(this.#settling);
    clearTimeout(this.#manifestTimer);
  }

  /** Forgets what it knows: somebody removed things from the store. */
  forget(): void {
    this.#state = undefined;
    this.#isSeen = false;
  }

  #beginWhole(): Whole {
    const whole = newWhole();
    this.#wholes.push(whole);
    whole.done = this.#enqueue(() => this.#store.use(() => this.#runWhole(whole)));
    whole.done.catch((error: unknown) => {
      if (!whole.isAwaited || whole.waiting.length > 0) this.#failed = { error };
    });
    return whole;
  }

  async #runWhole(whole: Whole): Promise<Recorded> {
    whole.hasBegun = true;
    try {
      await this.#withState((state, batch, pace) => this.#lookAtAll(whole, state, batch, pace));
      let last: Recorded | undefined;
      if (whole.isAwaited || whole.waiting.length === 0) last = await this.#record();
      // More may come as long as this goes on.
      for (const { record, overlay } of whole.waiting) {
        last = await this.#record(async (state) => overlay.applyTo(state), record);
      }
      this.#isSeen = true;
      return last as Recorded;
    } finally {
      this.#wholes = this.#wholes.filter((other) => other !== whole);
      this.#planManifest();
    }
  }

  async #lookAtAll(whole: Whole, state: State, batch: Batch, pace: Pace): Promise<void> {
    const onProgress = () => {
      if (whole.isAbandoned) throw new DOMException('The store was closed meanwhile.', 'AbortError');
      if (state.budget.entries > this.#look.limits.atOnce) whole.markLarge();
    };
    onProgress();
    await lookAtWorkspace(this.#look.workspace, {
      state,
      batch,
      pace,
      onProgress,
      preset: (folder, name) => {
        if (whole.presets.size === 0) return false;
        const preset = whole.presets.get(`${folder.path}/${name}`);
        if (preset === undefined) return false;
        transplant(state, folder, name, preset.node);
        return true;
      },
    });
  }

  /** Looks at paths while a look at the whole is under way. */
  async #beside(asked: (readonly ByteText[])[], under: Whole): Promise<Recorded> {
    return this.#store.use(async () => {
      const pace = new Pace();
      const batch = new Batch(this.#store.objects, pace);
      const overlay = await Overlay.of(this.#emptyState(), asked, batch, pace);
      for (const whole of this.#wholes) {
        for (const [path, preset] of overlay.presets()) {
          if (!whole.presets.has(path)) whole.presets.set(path, preset);
        }
      }
      await batch.flush();
      const record: Recorded = { ...this.#newRecord(), root: undefined, known: overlay.known() };
      this.#store.records.append(record);
      this.latest = record;
      if (this.#wholes.includes(under)) {
        under.waiting.push({ record, overlay });
        return record;
      }
      // It ended meanwhile, and took over what it had not passed yet.
      return this.#enqueue(() => this.#record(async (state) => overlay.applyTo(state), record));
    });
  }

  async #lookAlong(asked: (readonly ByteText[])[], state: State, batch: Batch, pace: Pace): Promise<void> {
    const look = new Look({ state, batch, pace });
    for (const steps of asked) await look.along(state.root, scopeOfWorkspace(), steps);
  }

  /** Has the state take something in, and records the snapshot of it: as `pending`, if that waited for it, or if it is another one than the last. */
  async #record(
    change?: (state: State, batch: Batch, pace: Pace) => Promise<void>,
    pending?: Recorded,
  ): Promise<Recorded> {
    return this.#store.use(() =>
      this.#withState(async (state, batch, pace) => {
        await change?.(state, batch, pace);
        const root = await buildSnapshot(state, batch, pace);
        await batch.flush();
        if (pending === undefined && this.latest?.root === root) return this.latest;
        const record: Recorded = { ...(pending ?? this.#newRecord()), root, known: undefined };
        this.#store.records.append(record);
        // One that still waits for the look at the whole was taken after that had begun.
        const isNewest =
          pending === undefined
            ? this.latest === undefined || this.latest.root !== undefined
            : this.latest?.id === pending.id;
        if (isNewest) this.latest = record;
        this.#isManifestOld = true;
        return record;
      }),
    );
  }

  /** What goes wrong in between leaves a state that names what isn't in the store. */
  async #withState<Result>(work: (state: State, batch: Batch, pace: Pace) => Promise<Result>): Promise<Result> {
    const pace = new Pace();
    const batch = new Batch(this.#store.objects, pace);
    try {
      const state = this.#currentState();
      const result = await work(state, batch, pace);
      await batch.flush();
      this.#store.size.bytes += batch.written;
      const settling = batch.settle().finally(() => this.#settling.delete(settling));
      this.#settling.add(settling);
      return result;
    } catch (error) {
      batch.abandon();
      this.forget();
      throw error;
    }
  }

  #currentState(): State {
    if (this.#storeChanges !== this.#store.changes) {
      this.#storeChanges = this.#store.changes;
      // What the running session's own snapshots need is never removed.
      const isSafe =
        this.latest !== undefined && this.#store.records.find(this.latest.id, this.#store.session) !== undefined;
      if (!isSafe) this.forget();
    }
    return (this.#state ??= this.#loadState());
  }

  #loadState(): State {
    const state = this.#emptyState();
    const root = readManifest(this.#store.folder, state);
    return root !== undefined && this.#store.objects.has(root) ? state : this.#emptyState();
  }

  #emptyState(): State {
    const { workspace, limits, excluded } = this.#look;
    return new State(bytesOf(workspace), new Budget(limits, this.#store.size), excluded);
  }

  /** The steps to a path and, where links lead elsewhere in the workspace, to what it really is. */
  #stepsTo(path: string): ByteText[][] {
    const absolute = path.startsWith('"') ? undefined : resolve(this.#look.workspace, path);
    const around = absolute && realPath(dirname(absolute));
    const real = absolute && (realPath(absolute) ?? (around && join(around, basename(absolute))));
    const ways = [
      stepsTo(this.#look.workspace, path),
      real === undefined || real === absolute ? undefined : stepsTo(this.#look.workspace, real),
    ];
    return ways.filter((way) => way !== undefined);
  }

  #newRecord(): { id: string; session: string; at: string } {
    const now = Date.now();
    const id = `${now.toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`;
    return { id, session: this.#store.session, at: new Date(now).toISOString() };
  }

  #planManifest(): void {
    if (!this.#isManifestOld || this.#manifestTimer !== undefined) return;
    this.#manifestTimer = setTimeout(() => {
      this.#manifestTimer = undefined;
      this.#enqueue(() => this.#saveManifest()).catch(() => undefined); // without it the next session reads everything anew
    }, manifestDelay).unref();
  }

  async #saveManifest(): Promise<void> {
    const [state, root] = [this.#state, this.latest?.root];
    if (!this.#isManifestOld || state === undefined || root === undefined) return;
    this.#isManifestOld = false;
    await this.#store.use(() => writeManifest(this.#store.folder, state, root, new Pace()));
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(work, work);
    this.#tail = result;
    return result;
  }
}
