/** Step 9: what a change has brought into a file is looked at right away, and said in the result. */
import type { CallOutcome } from '../../core/index.ts';
import type { Diagnostics, Effects } from '../needs.ts';
import { messageOf } from '../outcome.ts';

/** Remembers the files that a call is going to write. */
export async function beforeChange(diagnostics: Diagnostics | undefined, { resources }: Effects): Promise<void> {
  if (diagnostics === undefined || resources === 'unknown') return;
  const written = resources.filter(({ access, path }) => access === 'write' && isFile(path)).map(({ path }) => path);
  // What can't be looked at before is new afterwards: said once too often, but said.
  if (written.length > 0) await diagnostics.before(written).catch(() => undefined);
}

/** A real path that is written out, neither a named thing nor a glob. */
function isFile(path: string): boolean {
  return path.startsWith('/') && !/[*?[{]/.test(path);
}

/** The outcome with what is wrong in the files that it changed. Their paths are real ones. */
export async function afterChange(
  diagnostics: Diagnostics | undefined,
  outcome: CallOutcome,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const changed = (outcome.changes ?? []).filter(({ after }) => after !== null).map(({ path }) => path);
  if (diagnostics === undefined || changed.length === 0 || signal.aborted) return outcome;
  const found = await diagnostics.after([...new Set(changed)], signal).catch((error: unknown) => {
    return `[The changed files could not be checked: ${messageOf(error)}]`;
  });
  return found.trim() === '' ? outcome : { ...outcome, text: `${outcome.text}\n${found}` };
}
