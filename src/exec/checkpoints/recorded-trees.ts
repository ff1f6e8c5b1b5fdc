/** Recorded snapshots, opened for reading. */
import { decodeAbout, type About } from './about.ts';
import { rootNames } from './build.ts';
import { compareEntries } from './compare.ts';
import { pathOf, stepsTo, type ByteText } from './names.ts';
import type { OpenStore } from './open-store.ts';
import { Pace } from './pace.ts';
import type { Recorded } from './records.ts';
import type { Difference, Entry, Snapshot } from './snapshot.ts';
import { lost, TreeReader } from './tree-reader.ts';
import { isTree, permissions, types, type TreeEntry } from './trees.ts';

/** A snapshot that is whole. */
export interface OpenSnapshot {
  about: About;
  workspace: TreeEntry;
  /** Trees of the folders outside of the workspace that `about` names. */
  outside: TreeEntry[];
}

const mostOpened = 64;

export class RecordedTrees {
  readonly #store: OpenStore;
  readonly #workspace: string;
  readonly #opened = new Map<string, OpenSnapshot>();
  readonly reader: TreeReader;

  constructor(store: OpenStore, workspace: string) {
    this.#store = store;
    this.#workspace = workspace;
    this.reader = new TreeReader(store.objects);
  }

  /** Throws `blob-missing` when there is none. */
  find(id: string): Recorded {
    const record = this.#store.records.find(id, this.#store.session);
    if (record === undefined) throw lost(`a snapshot ${id}`);
    return record;
  }

  describe(record: Recorded): Snapshot {
    const { id, session, at, root } = record;
    const about = root === undefined ? undefined : this.open(root).about;
    return { id, session, at, partial: root === undefined, missing: about?.missing ?? [], more: about?.more ?? 0 };
  }

  open(root: string): OpenSnapshot {
    const known = this.#opened.get(root);
    if (known !== undefined) return known;
    if (this.#opened.size >= mostOpened) this.#opened.clear();
    const opened = this.#read(root);
    this.#opened.set(root, opened);
    return opened;
  }

  #read(root: string): OpenSnapshot {
    const entries = this.reader.entries(root);
    const aboutId = entries.get(rootNames.about)?.id;
    const about =
      aboutId === undefined ? undefined : decodeAbout(this.#store.objects.read(aboutId)?.bytes ?? Buffer.alloc(0));
    const workspace = entries.get(rootNames.workspace);
    if (about === undefined || workspace === undefined || !isTree(workspace))
      throw lost(`the snapshot with the tree ${root}`);
    const outsideId = entries.get(rootNames.outside)?.id;
    const outside = outsideId === undefined ? new Map<ByteText, TreeEntry>() : this.reader.entries(outsideId);
    return { about, workspace, outside: about.outside.flatMap((_, place) => outside.get(String(place)) ?? []) };
  }

  /** What is at a path (a key, or absolute); undefined where nothing is, and where a partial snapshot doesn't know. */
  at(record: Recorded, path: string): TreeEntry | undefined {
    const steps = stepsTo(this.#workspace, path);
    if (steps === undefined) return undefined;
    if (record.root !== undefined) return this.reader.at(this.open(record.root).workspace.id, steps);
    const known = this.#knownAt(record, steps);
    return known === null ? undefined : known;
  }

  entry(record: Recorded, path: string): Entry | null {
    const found = this.at(record, path);
    return found === undefined ? null : this.reader.describe(found);
  }

  async compare(before: Recorded, after: Recorded): Promise<Difference[]> {
    const found: Difference[] = [];
    // Git’s data is compared by what it means.
    const comparison = {
      reader: this.reader,
      pace: new Pace(),
      found,
      skips: (path: ByteText) => /(^|\/)\.git$/.test(path),
    };
    if (before.root !== undefined && after.root !== undefined) {
      const [one, other] = [this.open(before.root).workspace, this.open(after.root).workspace];
      await compareEntries(comparison, '', one, other);
      return found;
    }
    // Of one that is partial, only some paths are known.
    const keys = new Set([...Object.keys(before.known ?? {}), ...Object.keys(after.known ?? {})]);
    for (const key of [...keys].toSorted()) {
      const steps = pathOf(key).split('/');
      if (steps.includes('.git')) continue;
      const [one, other] = [this.#lookUp(before, steps), this.#lookUp(after, steps)];
      if (one === undefined || other === undefined) continue;
      await compareEntries(comparison, steps.join('/'), one ?? undefined, other ?? undefined);
    }
    return found;
  }

  /** Null: nothing is there; undefined: it isn't known. */
  #lookUp(record: Recorded, steps: ByteText[]): TreeEntry | null | undefined {
    if (record.root === undefined) return this.#knownAt(record, steps);
    return this.reader.at(this.open(record.root).workspace.id, steps) ?? null;
  }

  #knownAt(record: Recorded, steps: ByteText[]): TreeEntry | null | undefined {
    const known = Object.entries(record.known ?? {}).map(([key, value]) => ({ path: pathOf(key).split('/'), value }));
    for (const { path, value } of known) {
      if (!path.every((step, place) => step === steps[place])) continue;
      if (value === null) return null;
      const [mode, id] = value;
      const rest = steps.slice(path.length);
      if (rest.length === 0) return { name: steps.at(-1) ?? '', mode, id };
      return (mode & ~permissions) === types.folder ? (this.reader.at(id, rest) ?? null) : null;
    }
    return undefined;
  }
}
