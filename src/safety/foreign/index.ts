/** Rules of other harnesses, read as rules of ours. What has no counterpart is said, never dropped. */
import type { Imported } from './imported.ts';

export type { Imported } from './imported.ts';

/**
 * Reads a file of rules: settings with `permissions` (JSON, comments allowed), or prefix rules in Starlark, told apart by what is in
 * it. `root`: the real path that a leading slash in its path patterns stands for, relative to the workspace where it lies in it;
 * undefined where there is none. Throws nothing: a file that can’t be read is left out as a whole.
 */
export async function importRules(text: string, root: string | undefined): Promise<Imported> {
  if (text.trimStart().startsWith('{')) {
    const { importPermissions } = await import('./permissions.ts');
    return importPermissions(text, root);
  }
  const { importPrefixRules } = await import('./prefix-rules.ts');
  return importPrefixRules(text);
}
