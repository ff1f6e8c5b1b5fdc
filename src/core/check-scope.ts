/** Which paths a check is about, and when what it proved grew old. */
import type { EventId } from './events.ts';
import { matchesGlob } from './glob.ts';
import type { Ledger } from './ledger.ts';
import type { Check, PathScope } from './setup.ts';

/**
 * Whether globs cover a path; with nothing but exceptions (`!`) they cover all the rest. A glob without a folder is for names, wherever
 * they are; one that ends with a plain name is for the folder of that name, too, with all that is in it.
 */
export function coversPath(globs: readonly string[], path: string): boolean {
  const fits = (glob: string): boolean =>
    isNamed(path, glob) || (!/[*?][^/]*$/.test(glob) && foldersOf(path).some((folder) => isNamed(folder, glob)));
  const except = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const named = globs.filter((glob) => !glob.startsWith('!'));
  return (named.length === 0 || named.some(fits)) && !except.some(fits);
}

function isNamed(path: string, glob: string): boolean {
  return matchesGlob(glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1), glob);
}

/** `a/b/c` lies in `a` and in `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** The last change of a path that a check covers; undefined where none has changed. What changed unseen may be anything. */
export function lastChangeFor(ledger: Ledger, { paths }: Pick<Check, 'paths'>): EventId | undefined {
  if (paths === undefined) return ledger.lastChange;
  let last = ledger.unseenChange;
  for (const [path, id] of ledger.changedAt) {
    if ((last === undefined || id > last) && coversPath(paths, path)) last = id;
  }
  return last;
}

/** Whether the last evidence of a check covers everything that has changed of its paths. */
export function isFresh(ledger: Ledger, check: Pick<Check, 'command' | 'paths'>): boolean {
  const evidence = ledger.evidence.get(check.command);
  return evidence !== undefined && evidence.data.covers >= (lastChangeFor(ledger, check) ?? '');
}

/** Whether all that changed is again as it was, as far as anybody can tell. */
export function isAsItWas({ netChanges, unseenChange }: Ledger): boolean {
  return netChanges.isNone && unseenChange === undefined;
}

/** What changed in the session and no check covers, sorted. */
export function uncoveredPaths(ledger: Ledger, checks: readonly Check[]): string[] {
  if (checks.some(({ paths }) => paths === undefined)) return [];
  const isCovered = (path: string): boolean => checks.some(({ paths = [] }) => coversPath(paths, path));
  return [...ledger.changedAt.keys()].filter((path) => !isCovered(path)).toSorted();
}

/** Whether a scope contract lets a path (relative to the workspace) be changed. */
export function isInScope({ allowed, forbidden = [] }: PathScope, path: string): boolean {
  if (forbidden.length > 0 && coversPath(forbidden, path)) return false;
  return allowed === undefined || (allowed.length > 0 && coversPath(allowed, path));
}
