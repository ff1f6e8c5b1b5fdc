/** Trust in a project's settings, by workspace (its real path) and content: a single changed byte asks again. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '../core/index.ts';
import { appendRecord, journalFile, journalsOf, readRecords } from './journal.ts';
import { placesOf, type Variables } from './places.ts';
import { keepContent, keptContent } from './trusted-content.ts';
import { isInside, realWorkspace } from './workspace.ts';

export interface TrustPlace {
  workspace: string;
  env?: Variables;
  home?: string;
}

/** Whose trust in what: `hash` is the SHA-256 of the settings file, or with `profile` of the file of that profile. */
export interface TrustQuestion extends TrustPlace {
  hash: string;
  profile?: string;
}

export interface TrustAnswer {
  trusted: boolean;
  /** What was trusted last in this workspace; its bytes where they are still kept and this isn't trusted. */
  last?: { hash: string; at?: string; content?: Buffer };
  /** Why a record doesn't count, if there is one. */
  problem?: string;
}

/** A workspace whose settings are trusted, by the content that was trusted last. */
export interface Trusted {
  workspace: string;
  /** It is a profile of the workspace that is trusted, not its settings. */
  profile?: string;
  hash: string;
  at?: string;
}

/** Remembers that the user trusts this content in this workspace; `content` is kept to show what changes later. Throws `state-unwritable`. */
export function trust({
  workspace,
  hash,
  profile,
  env,
  home,
  content,
}: TrustQuestion & { content?: Uint8Array }): void {
  const real = realWorkspace(workspace);
  const { state } = placesOf(env, home);
  // The content first: a record without it would show no difference.
  if (content !== undefined) keepContent(state, hash, content);
  const of = profile !== undefined && { profile };
  appendRecord(journalFile(state, 'trust', real), { workspace: real, hash, ...of, at: new Date().toISOString() });
}

export function isTrusted({ workspace, hash, profile, env, home }: TrustQuestion): TrustAnswer {
  const real = realWorkspace(workspace);
  const { state } = placesOf(env, home);
  const file = journalFile(state, 'trust', real);
  const { records, problem } = readRecords(file);
  const held = heldBy(records, real, profile);
  if (held.size > 0 && isInside(state, real)) {
    return { trusted: false, problem: `${file} lies inside the workspace and doesn’t count.` };
  }
  const [last] = [...held.values()].slice(-1);
  const isHeld = held.has(hash);
  const content = last === undefined || isHeld ? undefined : keptContent(state, last.hash);
  return {
    trusted: isHeld,
    ...(last !== undefined && { last: { ...last, ...(content !== undefined && { content }) } }),
    ...(problem !== undefined && { problem }),
  };
}

/** Takes all trust in this workspace back, also in one that is gone; says whether there was any. Throws `state-unwritable`. */
export function revokeTrust({ workspace, env, home }: TrustPlace): boolean {
  const real = realOrNamed(workspace);
  const file = journalFile(placesOf(env, home).state, 'trust', real);
  const { records } = readRecords(file);
  if (profilesIn(records).every((profile) => heldBy(records, real, profile).size === 0)) return false;
  // A record behind the others: what a session side by side trusts after it holds.
  appendRecord(file, { workspace: real, revoked: true, at: new Date().toISOString() });
  return true;
}

/** All trust that holds, and why some records don't count. */
export function listTrust({ env, home }: Omit<TrustPlace, 'workspace'>): { trusted: Trusted[]; problems: string[] } {
  const trusted: Trusted[] = [];
  const problems: string[] = [];
  for (const file of journalsOf(placesOf(env, home).state, 'trust')) {
    const { records, problem } = readRecords(file);
    if (problem !== undefined) problems.push(problem);
    for (const workspace of new Set(records.map((record) => record['workspace']))) {
      if (typeof workspace !== 'string') continue;
      for (const profile of profilesIn(records)) {
        const last = [...heldBy(records, workspace, profile).values()].at(-1);
        if (last !== undefined) trusted.push({ workspace, ...(profile !== undefined && { profile }), ...last });
      }
    }
  }
  return { trusted, problems };
}

/** What the records are about: the settings (undefined), and profiles by name. */
function profilesIn(records: readonly JsonObject[]): (string | undefined)[] {
  const names = records.flatMap(({ profile }) => (typeof profile === 'string' ? [profile] : []));
  return [undefined, ...new Set(names)];
}

/** What holds of the records about the settings, or about a profile, in their order, by hash. */
function heldBy(
  records: readonly JsonObject[],
  workspace: string,
  about: string | undefined,
): Map<string, { hash: string; at?: string }> {
  const held = new Map<string, { hash: string; at?: string }>();
  for (const { workspace: of, hash, profile, revoked, at } of records) {
    if (of !== workspace) continue;
    if (revoked === true) held.clear();
    if (typeof hash !== 'string' || profile !== about) continue;
    held.delete(hash);
    held.set(hash, { hash, ...(typeof at === 'string' && { at }) });
  }
  return held;
}

function realOrNamed(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch {
    return resolve(workspace); // A folder that is gone is only its name.
  }
}
