/** Files that are trees: each entry names the one before it, and one of them says which path goes on. */

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

/** More than a person leaves behind. */
const mostBranches = 50;

/**
 * The ids of each branch that isn't the one that goes on: what comes after its entry is later in the file, so the last entry that
 * belongs to none yet is the end of one.
 */
export function otherBranches(
  ids: readonly string[],
  first: ReadonlySet<string>,
  branchOf: (leaf: string) => ReadonlySet<string>,
): { branches: ReadonlySet<string>[]; left: number } {
  const taken = new Set(first);
  const branches: ReadonlySet<string>[] = [];
  for (const id of ids.toReversed()) {
    if (taken.has(id) || branches.length === mostBranches) continue;
    const branch = new Set([...branchOf(id), id]);
    branches.push(branch);
    for (const each of branch) taken.add(each);
  }
  return { branches: branches.toReversed(), left: ids.filter((id) => !taken.has(id)).length };
}
