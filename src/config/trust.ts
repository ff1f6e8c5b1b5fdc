/** Trust in a project's settings, by their content: a single changed byte asks again. */
import { appendRecord, journalFile, readRecords } from './journal.ts';
import { placesOf, type Variables } from './places.ts';
import { isInside, realWorkspace } from './workspace.ts';

/** Whose trust in what: `hash` is the SHA-256 of the settings file. */
export interface TrustQuestion {
  workspace: string;
  hash: string;
  env?: Variables;
  home?: string;
}

export interface TrustAnswer {
  trusted: boolean;
  /** Why a record doesn't count, if there is one. */
  problem?: string;
}

/** Remembers that the user trusts this content in this workspace. Throws `state-unwritable`. */
export function trust({ workspace, hash, env, home }: TrustQuestion): void {
  const real = realWorkspace(workspace);
  const file = journalFile(placesOf(env, home).state, 'trust', real);
  appendRecord(file, { workspace: real, hash, at: new Date().toISOString() });
}

export function isTrusted({ workspace, hash, env, home }: TrustQuestion): TrustAnswer {
  const real = realWorkspace(workspace);
  const { state } = placesOf(env, home);
  const file = journalFile(state, 'trust', real);
  const { records, problem } = readRecords(file);
  const trusted = records.some((record) => record['workspace'] === real && record['hash'] === hash);
  if (trusted && isInside(state, real)) {
    return { trusted: false, problem: `${file} lies inside the workspace and doesn’t count.` };
  }
  return { trusted, ...(problem !== undefined && { problem }) };
}
