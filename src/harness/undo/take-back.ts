/**
 * What is to be written so that operations are undone and nothing else: the latest first, each from the workspace right after it to
 * the one right before it. What others changed meanwhile stays; where they changed the same lines, the path is left as it is and named.
 */
import { mergeTexts } from './merge.ts';
import type { Operation } from './operations.ts';

/** A state of a path, as the store of checkpoints describes it. */
export interface Entry {
  kind: 'file' | 'link' | 'folder' | 'repository';
  mode: number;
  hash?: string;
  kept: boolean;
}

export interface Difference {
  path: string;
  before: Entry | null;
  after: Entry | null;
}

/** Two workspaces compared, and what was in one. */
export interface Kept {
  compare(before: string, after: string): Promise<Difference[]>;
  content(snapshot: string, path: string): Promise<Buffer | null>;
}

/** What a path is to be: `entry` with its content in the store, or with this content. */
export interface Target {
  path: string;
  entry: Entry | null;
  expected: Entry | null;
  content?: Buffer;
  /** Where `entry` is from. */
  snapshot: string;
}

export interface TakingBack {
  targets: Target[];
  /** Paths that others changed too, where the two can't be told apart. */
  conflicts: { path: string; why: string }[];
}

/** A state on the way back: of a snapshot, or merged. */
interface State {
  entry: Entry | null;
  snapshot: string;
  content?: Buffer;
}

/**
 * `operations` in the order in which they began; `now` is a snapshot of the workspace as it is. `overwrites` says of a path that others
 * changed whether it is taken back all the same.
 */
export async function planTakingBack(
  kept: Kept,
  operations: readonly Operation[],
  now: string,
  overwrites: (path: string) => boolean = () => false,
): Promise<TakingBack> {
  const planning = new Planning(kept, now, overwrites);
  for (const operation of operations.toReversed()) await planning.undo(operation);
  return planning.result();
}

class Planning {
  readonly #kept: Kept;
  readonly #now: string;
  readonly #overwrites: (path: string) => boolean;
  readonly #present = new Map<string, Entry | null>();
  readonly #states = new Map<string, State>();
  readonly #conflicts = new Map<string, string>();

  constructor(kept: Kept, now: string, overwrites: (path: string) => boolean) {
    this.#kept = kept;
    this.#now = now;
    this.#overwrites = overwrites;
  }

  async undo({ before, after = this.#now, paths }: Operation): Promise<void> {
    const own = await this.#kept.compare(before, after);
    const since = new Map((await this.#kept.compare(after, this.#now)).map((each) => [each.path, each]));
    for (const difference of own) {
      const { path } = difference;
      if (this.#conflicts.has(path) || (paths !== undefined && !touches(paths, path))) continue;
      const present = since.has(path) ? (since.get(path)?.after ?? null) : difference.after;
      if (!this.#present.has(path)) this.#present.set(path, present);
      const state = this.#states.get(path) ?? { entry: present, snapshot: this.#now };
      const next = await this.#back(difference, state, { before, after });
      if (typeof next === 'string') this.#conflicts.set(path, next);
      else this.#states.set(path, next);
    }
  }

  result(): TakingBack {
    for (const path of this.#conflicts.keys()) this.#states.delete(path);
    const targets = [...this.#states].flatMap(([path, { entry, snapshot, content }]): Target[] => {
      const expected = this.#present.get(path) ?? null;
      if (content === undefined && isSame(entry, expected)) return [];
      return [{ path, entry, expected, snapshot, ...(content !== undefined && { content }) }];
    });
    return { targets, conflicts: [...this.#conflicts].map(([path, why]) => ({ path, why })) };
  }

  /** The state one operation further back, or why it can't be told. */
  async #back(
    { path, before, after }: Difference,
    state: State,
    snapshots: { before: string; after: string },
  ): Promise<State | string> {
    const back: State = { entry: before, snapshot: snapshots.before };
    if (state.content === undefined && isSame(state.entry, after)) return back;
    if (state.content === undefined && isSame(state.entry, before)) return state;
    if (this.#overwrites(path)) return back;
    if (state.entry === null) return 'it was removed by others since';
    if (!state.entry.kept) return 'what it holds now isn’t kept, so that nobody can tell whether others changed it';
    if (before?.kind !== 'file' || after?.kind !== 'file' || state.entry.kind !== 'file')
      return 'it was changed by others since';
    const base = await this.#kept.content(snapshots.after, path);
    const ours = state.content ?? (await this.#kept.content(state.snapshot, path));
    const theirs = await this.#kept.content(snapshots.before, path);
    const merged = base && ours && theirs ? await mergeTexts(base, ours, theirs) : undefined;
    if (merged === undefined) return 'others changed the same lines since';
    const mode = state.entry.mode === after.mode ? before.mode : state.entry.mode;
    return { entry: { ...state.entry, mode }, snapshot: state.snapshot, content: merged };
  }
}

/** A tool that names a file may have made or removed the folders that it is in. */
function touches(paths: readonly string[], path: string): boolean {
  return paths.some((each) => each === path || each.startsWith(`${path}/`));
}

function isSame(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.mode === b.mode && a.hash === b.hash;
}
