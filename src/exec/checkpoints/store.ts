/** The store of snapshots of a workspace, as others see it. */
import { realPath } from '../paths.ts';
import { gitFoldersOf, compareRepositories, type RepositoryDifference } from './compare-repository.ts';
import { defaultLimits, type Bytes, type Limits } from './limits.ts';
import { bytesOf } from './names.ts';
import { OpenStore } from './open-store.ts';
import { Pace } from './pace.ts';
import { measureStore, prune, type Pruned, type PrunePolicy } from './prune.ts';
import { isSession, type Recorded } from './records.ts';
import { RecordedTrees } from './recorded-trees.ts';
import { restoreDifferences } from './restore-repository.ts';
import { restorePaths, type RestoreTarget } from './restore.ts';
import type { Difference, Entry, Outcome, Snapshot } from './snapshot.ts';
import { Taker } from './taker.ts';
import { lost } from './tree-reader.ts';
import { isTree, typeOf, types } from './trees.ts';
import { verifyStore, type Verified } from './verify.ts';

/**
 * Snapshots of a workspace, kept so that any of them can be brought back. No Git program is needed or run, and nothing that a repository
 * names (hooks, filters, monitors, converters) takes part; every byte is kept as it lies on the disk. The user's files, repository, index
 * and stash are only read, save by the two `restore` methods.
 *
 * Paths are keys: relative to the workspace, valid UTF-8 as it is, any other name (and one that begins with a quote) in quotes with octal
 * escapes. All methods reject with `state-unwritable` when the store can't be used; what reads snapshots rejects with `blob-missing` when one
 * isn't there (any more) or is damaged.
 */
export interface CheckpointStore {
  /**
   * Without `paths`: the workspace as it is now. With `paths` (keys, or absolute real paths; folders count with all in them): only they
   * may have changed since the last snapshot of this process, so only they are looked at. What is asked for by name is kept even where it
   * is ignored. The first look of a process is at everything; where that takes long (more than `limits.atOnce` files), `paths` are
   * kept at once, the snapshot that is given is `partial`, and the rest goes on in the background. `rest: 'later'` asks for
   * such a look in a large workspace at any time, for a command that may change more than the paths that are known. Gives the same
   * snapshot as before when nothing differs. What can't be kept is named in `missing`; it is never a failure.
   */
  take(asked?: { paths?: readonly string[]; rest?: 'unchanged' | 'later' }): Promise<Snapshot>;
  /** Waits until no snapshot of this process is partial any more. Rejects when one can't be completed. To be waited for before a command that discards. */
  settled(): Promise<void>;
  /** The last one that this process took. */
  latest(): Snapshot | undefined;
  /** One of any session; undefined when there is none (any more). */
  find(id: string): Promise<Snapshot | undefined>;
  /** Those of a session (default: this one), oldest first. */
  list(session?: string): Promise<Snapshot[]>;
  /**
   * What differs, in the order of paths, a folder before what it holds; Git's data left out. A folder itself is listed when it came, went
   * or has another mode. Of a partial snapshot only the paths that it knows are compared.
   */
  compare(before: string, after: string): Promise<Difference[]>;
  /** What was at a path; null for nothing. */
  entry(snapshot: string, path: string): Promise<Entry | null>;
  /** A file's bytes or a link's target; null where there was nothing, no file, or its content wasn't kept. */
  content(snapshot: string, path: string): Promise<Buffer | null>;
  /**
   * Puts single paths back: content, all permission bits, links, empty folders; outcomes in the order of the targets. A path is touched
   * only if what is there is `expected`, and is done when it is what is wanted already. Each in one step; a folder goes only when it is
   * empty. Owner (but for root), times, extended attributes and hard links aren't brought back. Where a Git folder came or went, `restoreRepository`
   * comes first.
   */
  restore(targets: readonly RestoreTarget[]): Promise<Outcome[]>;
  /**
   * What differs in Git's data: references, stashes, index, HEAD, merges under way, settings, objects that were lost, for the repository
   * that the workspace belongs to and each one inside it. Empty for partial snapshots.
   */
  compareRepository(before: string, after: string): Promise<RepositoryDifference[]>;
  /**
   * Takes back differences that `compareRepository(before, after)` gave, each only where nobody has changed the same since; reasons for
   * the others, in their order. Objects are added and never removed, Git's locks are heeded.
   */
  restoreRepository(
    before: string,
    after: string,
    differences: readonly RepositoryDifference[],
  ): Promise<{ difference: RepositoryDifference; refused: string | null }[]>;
  /** Removes sessions that are old or too much, never one that runs. Undefined while others are at work in the store. */
  prune(policy?: Partial<PrunePolicy>): Promise<Pruned | undefined>;
  /** Reads all that snapshots of any session need. */
  verify(): Promise<Verified>;
  /**
   * Completes partial snapshots, and remembers what the workspace looks like for the next session. A look that no snapshot waits for is given
   * up: its `take` rejects with an AbortError.
   */
  close(): Promise<void>;
}

export interface CheckpointOptions {
  /** Real path. */
  workspace: string;
  /** Folder of the store: one for each workspace, shared by its sessions and their processes; made when needed, its owner's alone. */
  store: string;
  /** Id of the session that takes the snapshots: letters, digits, `_`, `-` and `.`. */
  session: string;
  /** Of ignored files, what is kept: in one file and in all. Default: 1 MiB and 64 MiB. */
  ignoredBytes?: Bytes;
  limits?: Partial<Limits>;
  /** Absolute paths that are no part of the workspace though they lie in it, as the store itself: where Reins keeps its logs. */
  exclude?: readonly string[];
}

const defaultAge = 30 * 24 * 3_600_000;

/** Nothing is opened before the first use. */
export function createCheckpoints(options: CheckpointOptions): CheckpointStore {
  return new Checkpoints(options);
}

interface Opened {
  store: OpenStore;
  trees: RecordedTrees;
  taker: Taker;
}

class Checkpoints implements CheckpointStore {
  readonly #options: CheckpointOptions;
  readonly #limits: Limits;
  #opened: Opened | undefined;
  #measured: Promise<void> | undefined;

  constructor(options: CheckpointOptions) {
    const { limits, ignoredBytes, workspace } = options;
    // What is opened later is held against this path: it has to be the real one.
    this.#options = { ...options, workspace: realPath(workspace) ?? workspace };
    this.#limits = { ...defaultLimits, ...limits, ...(ignoredBytes && { ignored: ignoredBytes }) };
  }

  async take({
    paths,
    rest = 'unchanged',
  }: { paths?: readonly string[]; rest?: 'unchanged' | 'later' } = {}): Promise<Snapshot> {
    const { taker, trees } = this.#open();
    const record = await (paths === undefined ? taker.whole() : taker.paths(paths, rest));
    this.#measured ??= this.#measure();
    return trees.describe(record);
  }

  async settled(): Promise<void> {
    await this.#opened?.taker.settled();
  }

  latest(): Snapshot | undefined {
    const latest = this.#opened?.taker.latest;
    return latest && this.#open().trees.describe(latest);
  }

  find(id: string): Promise<Snapshot | undefined> {
    return this.#use(async ({ store, trees }) => {
      const record = store.records.find(id, store.session);
      return record && trees.describe(record);
    });
  }

  list(session = this.#options.session): Promise<Snapshot[]> {
    return this.#use(async ({ store, trees }) => {
      const records = isSession(session) ? [...store.records.of(session).values()] : [];
      return records.map((each) => trees.describe(each));
    });
  }

  compare(before: string, after: string): Promise<Difference[]> {
    return this.#use(async ({ trees }) => trees.compare(trees.find(before), trees.find(after)));
  }

  entry(snapshot: string, path: string): Promise<Entry | null> {
    return this.#use(async ({ trees }) => trees.entry(trees.find(snapshot), path));
  }

  content(snapshot: string, path: string): Promise<Buffer | null> {
    return this.#use(async ({ trees, store }) => {
      const entry = trees.at(trees.find(snapshot), path);
      if (entry === undefined || isTree(entry) || typeOf(entry.mode) === types.unkept) return null;
      const found = store.objects.read(entry.id);
      if (found === undefined) throw lost(`the content of ${path}`);
      return found.bytes;
    });
  }

  restore(targets: readonly RestoreTarget[]): Promise<Outcome[]> {
    return this.#use(({ store }) => restorePaths(this.#options.workspace, store.objects, targets));
  }

  compareRepository(before: string, after: string): Promise<RepositoryDifference[]> {
    return this.#use(async ({ trees }) => {
      const [one, other] = [trees.find(before).root, trees.find(after).root];
      if (one === undefined || other === undefined) return [];
      return compareRepositories(trees.reader, trees.open(one), trees.open(other));
    });
  }

  restoreRepository(before: string, after: string, differences: readonly RepositoryDifference[]) {
    return this.#use(async ({ store, trees }) => {
      const folders = (record: Recorded) => {
        if (record.root === undefined) throw lost(`the whole of the snapshot ${record.id}`);
        return gitFoldersOf(trees.reader, trees.open(record.root));
      };
      const [one, other] = [folders(trees.find(before)), folders(trees.find(after))];
      const restore = { reader: trees.reader, objects: store.objects, limits: this.#limits, before: one, after: other };
      const refused = await restoreDifferences(restore, differences);
      return differences.map((difference) => ({ difference, refused: refused.get(difference) ?? null }));
    });
  }

  async prune({ age = defaultAge, bytes = this.#limits.store }: Partial<PrunePolicy> = {}): Promise<
    Pruned | undefined
  > {
    const { store, taker } = this.#open();
    await taker.idle();
    return prune(store, { age, bytes });
  }

  verify(): Promise<Verified> {
    return this.#use(async ({ store, taker }) => {
      await taker.idle();
      const verified = await verifyStore(store);
      if (verified.damaged.length > 0) taker.forget();
      return verified;
    });
  }

  async close(): Promise<void> {
    if (this.#opened === undefined) return;
    const { store, taker } = this.#opened;
    await taker.close();
    await this.#measured;
    this.#opened = undefined;
    store.close();
  }

  #open(): Opened {
    if (this.#opened !== undefined) return this.#opened;
    const { workspace, store: path, session, exclude = [] } = this.#options;
    const store = new OpenStore(path, session);
    const excluded = new Set([path, ...exclude].map((each) => bytesOf(realPath(each) ?? each)));
    const trees = new RecordedTrees(store, workspace);
    return (this.#opened = { store, trees, taker: new Taker(store, { workspace, limits: this.#limits, excluded }) });
  }

  /** Rejects, and never throws, when the store can't be opened. */
  async #use<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
    const opened = this.#open();
    return opened.store.use(() => work(opened));
  }

  /** What others have written meanwhile isn't seen before the store is opened anew, or pruned: the bound is no exact one. */
  async #measure(): Promise<void> {
    const { store } = this.#open();
    try {
      const { bytes } = store.size;
      store.size.bytes += (await store.use(() => measureStore(store.objects, new Pace()))) - bytes;
    } catch {
      // The next snapshot says what is wrong with the store.
    }
  }
}
