import type { Verifier } from '../core/index.ts';
import { runCheck, type Keep, type Load, type Show } from './check-run.ts';
import { FileHashes } from './file-hash.ts';
import type { Git, Runner } from './needs.ts';
import { ownChecks } from './own-checks.ts';
import { takeSnapshot } from './snapshot.ts';
import { onceEach, redefinedOf } from './tampering/index.ts';

export interface VerifierOptions {
  /** The real path of the workspace. */
  workspace: string;
  runner: Runner;
  git: Git;
  /** Git at work in a folder below the workspace (its real path), for submodules; without it they count file by file. */
  gitAt?: (folder: string) => Git;
  /** Keeps output that is too long for an event. */
  keep?: Keep;
  /** Gives it back, to be looked through for what failed. */
  load?: Load;
  /** The present snapshot of the workspace, where snapshots are kept. */
  present?: () => Promise<string | undefined>;
  /** Makes of output what the model may be shown; without it, it is shown as it is. */
  show?: Show;
  /** The PATH that checks start with; without it none of their programs is the system's. */
  searchPath?: string;
}

/** The verifier of a workspace. Snapshots of one verifier get quicker, because it remembers the files that it has read. */
export function createVerifier({
  workspace,
  runner,
  git,
  gitAt,
  keep,
  load,
  present,
  show,
  searchPath = '',
}: VerifierOptions): Verifier {
  const hashes = new FileHashes();
  return {
    check: (check, signal, notify) => runCheck(check, runner, { keep, load, show }, signal, notify),
    snapshot: (view) => takeSnapshot({ root: workspace, git, gitAt, hashes }, view.ledger.checkpoint),
    definersChanged: async (checks, view) =>
      onceEach(
        (await Promise.all(checks.map((check) => redefinedOf(check, view, { workspace, git, searchPath })))).flat(),
      ),
    ownChecks: (view) => ownChecks(view, { workspace, git, searchPath, present }),
  };
}
