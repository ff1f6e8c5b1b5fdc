/** What differs between two descriptions of a workspace: pure. */

export type FileStates = { readonly [path: string]: string | null };

export interface Comparison {
  /** The files that differed from their commit at the checkpoint before. */
  before: FileStates;
  /** The present hash of a file of `before`. */
  present: (path: string) => string | null;
  /** The files that differ now from the commit of the checkpoint before. */
  differing: Iterable<string>;
}

/**
 * The paths that differ from the checkpoint before, sorted. A file that differed from its commit then must be what it was; any other
 * was as committed, so it changed exactly when it differs from that commit now.
 */
export function changedPaths({ before, present, differing }: Comparison): string[] {
  const changed = new Set<string>();
  for (const [path, hash] of Object.entries(before)) if (present(path) !== hash) changed.add(path);
  for (const path of differing) if (!Object.hasOwn(before, path)) changed.add(path);
  return [...changed].toSorted();
}
