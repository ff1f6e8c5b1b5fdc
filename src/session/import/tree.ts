/** Files that are trees: each entry names the one before it, and the last one says which path goes on. */

export interface Entry {
  id: string;
  parent: string | undefined;
}

/** The ids from the root to an entry. A parent that isn't there ends it, and so does a circle. */
export function pathTo(entries: ReadonlyMap<string, Entry>, leaf: string | undefined): Set<string> {
  const path = new Set<string>();
  for (let id = leaf; id !== undefined && !path.has(id); id = entries.get(id)?.parent) {
    if (!entries.has(id)) break;
    path.add(id);
  }
  return path;
}
