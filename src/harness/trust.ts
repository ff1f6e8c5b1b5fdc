/** The joint for trust in what a workspace's own settings name. */
import { listTrust, loadSettings, profileTrust, revokeTrust, trust, type Trusted } from '../config/index.ts';
import type { TrustQuestion } from './types.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface TrustState extends TrustQuestion {
  /** SHA-256 of the file. */
  hash: string;
  trusted: boolean;
}

/**
 * What the settings of a workspace name, or a profile of its own, and whether that is trusted; undefined where it has none. Rejects as
 * loading them does.
 */
export async function trustState(
  env: Variables | undefined,
  workspace: string,
  profile?: string,
): Promise<TrustState | undefined> {
  const place = { workspace, ...(env !== undefined && { env }) };
  const project = profile === undefined ? (await loadSettings(place)).project : await profileTrust(place, profile);
  if (project === undefined) return undefined;
  const { file, hash, content, trusted, leftOut, changed } = project;
  return {
    file,
    hash,
    trusted,
    leftOut,
    content: content.toString('utf8'),
    ...(changed !== undefined && { changed }),
  };
}

/** Remembers that the user trusts them as they are now. Rejects also with `state-unwritable`. */
export async function trustWorkspace(
  env: Variables | undefined,
  workspace: string,
  profile?: string,
): Promise<TrustState | undefined> {
  const state = await trustState(env, workspace, profile);
  if (state === undefined || state.trusted) return state;
  const { hash, content } = state;
  const about = { workspace, hash, ...(env !== undefined && { env }), ...(profile !== undefined && { profile }) };
  trust({ ...about, content: Buffer.from(content) });
  // Read anew: what was changed meanwhile isn't what was trusted, and `trusted` says so.
  return trustState(env, workspace, profile);
}

/** Takes all trust in a workspace back; says whether there was any. */
export function distrustWorkspace(env: Variables | undefined, workspace: string): boolean {
  return revokeTrust({ workspace, ...(env !== undefined && { env }) });
}

export function trustedWorkspaces(env: Variables | undefined): { trusted: Trusted[]; problems: string[] } {
  return listTrust({ ...(env !== undefined && { env }) });
}
