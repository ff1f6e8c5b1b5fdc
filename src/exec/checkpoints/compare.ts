/** What differs between two trees, path by path. */
import { keyOf, type ByteText } from './names.ts';
import type { Pace } from './pace.ts';
import type { Difference } from './snapshot.ts';
import type { TreeReader } from './tree-reader.ts';
import { isTree, leftOutFolder, partly, permissions, type TreeEntry } from './trees.ts';

interface Comparison {
  reader: TreeReader;
  pace: Pace;
  found: Difference[];
  /** Paths that are passed over, with all that is below. */
  skips: (path: ByteText) => boolean;
}

/** Differences in the order of paths, folders before what they hold. A path without an entry isn't there. */
export async function compareEntries(
  comparison: Comparison,
  path: ByteText,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
): Promise<void> {
  const { reader, pace, found } = comparison;
  if (before?.id === after?.id && before?.mode === after?.mode) return;
  // Of a folder that is left out, nothing is known but that it is there.
  const isLeftOut = (entry: TreeEntry | undefined) => entry?.id === leftOutFolder;
  const [isTreeBefore, isTreeAfter] = [before !== undefined && isTree(before), after !== undefined && isTree(after)];
  const areFolders = (isTreeBefore || isLeftOut(before)) && (isTreeAfter || isLeftOut(after));
  const isSameFolder = areFolders && sameMode(before, after);
  if (path !== '' && !isSameFolder) {
    found.push({
      path: keyOf(path),
      before: before === undefined ? null : reader.describe(before),
      after: after === undefined ? null : reader.describe(after),
    });
  }
  if (isLeftOut(before) || isLeftOut(after)) return;
  if (pace.isDue()) await pace.rest();
  await compareInside(comparison, path, isTreeBefore ? before : undefined, isTreeAfter ? after : undefined);
}

async function compareInside(
  comparison: Comparison,
  path: ByteText,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
): Promise<void> {
  const left = before === undefined ? undefined : comparison.reader.entries(before.id);
  const right = after === undefined ? undefined : comparison.reader.entries(after.id);
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  for (const name of [...names].toSorted()) {
    const inside = path === '' ? name : `${path}/${name}`;
    if (comparison.skips(inside)) continue;
    const [one, other] = [left?.get(name), right?.get(name)];
    // What is missing where only some entries are known may have been there.
    if ((one === undefined && isPartly(before)) || (other === undefined && isPartly(after))) continue;
    await compareEntries(comparison, inside, one, other);
  }
}

function isPartly(entry: TreeEntry | undefined): boolean {
  return entry !== undefined && (entry.mode & partly) !== 0;
}

function sameMode(before: TreeEntry | undefined, after: TreeEntry | undefined): boolean {
  return before !== undefined && after !== undefined && (before.mode & permissions) === (after.mode & permissions);
}
