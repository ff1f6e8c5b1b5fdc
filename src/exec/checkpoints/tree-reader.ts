/** Reads trees and what they name from a store. */
import { ReinsError } from '../../core/index.ts';
import type { ByteText } from './names.ts';
import type { Objects } from './objects.ts';
import type { Entry } from './snapshot.ts';
import { decodeTree, isTree, leftOutFolder, permissions, typeOf, types, type TreeEntry } from './trees.ts';

const mostCached = 4_000;

export class TreeReader {
  readonly objects: Objects;
  readonly #cache = new Map<string, Map<ByteText, TreeEntry>>();

  constructor(objects: Objects) {
    this.objects = objects;
  }

  /** Entries by name. Throws `blob-missing` when the tree isn't there or is damaged. */
  entries(id: string): Map<ByteText, TreeEntry> {
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    const found = this.objects.read(id);
    const entries = found?.type === 'tree' ? decodeTree(found.bytes) : undefined;
    if (entries === undefined) throw lost(`the tree ${id}`);
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    if (this.#cache.size >= mostCached) this.#cache.clear();
    this.#cache.set(id, byName);
    return byName;
  }

  /** What is at a path in a tree; undefined where there is nothing. */
  at(tree: string, steps: readonly ByteText[]): TreeEntry | undefined {
    let entry: TreeEntry = { name: '', mode: types.folder, id: tree };
    for (const step of steps) {
      if (!isTree(entry)) return undefined;
      const next = this.entries(entry.id).get(step);
      if (next === undefined) return undefined;
      entry = next;
    }
    return entry;
  }

  /** An entry as it is shown to others. */
  describe(entry: TreeEntry): Entry {
    const { id } = entry;
    const mode = entry.mode & permissions;
    switch (typeOf(entry.mode)) {
      case types.folder:
        return { kind: this.entries(id).has('.git') ? 'repository' : 'folder', mode, kept: true };
      case types.unkept:
        return id === leftOutFolder
          ? { kind: 'folder', mode, kept: false }
          : { kind: 'file', mode, hash: id, kept: false };
      case types.link:
        return { kind: 'link', mode: 0o777, hash: id, ...this.#size(id), kept: true };
      default:
        return { kind: 'file', mode, hash: id, ...this.#size(id), kept: true };
    }
  }

  #size(id: string): { size?: number } {
    const size = this.objects.header(id)?.size;
    return size === undefined ? {} : { size };
  }
}

export function lost(what: string): ReinsError {
  return new ReinsError('blob-missing', `The store of snapshots doesn’t have ${what}, or it is damaged.`);
}
