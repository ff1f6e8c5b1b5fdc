/** Grants: what the user has allowed "always" in a workspace, by the shape of the call. */
import { ReinsError } from '../core/index.ts';
import { appendRecord, journalFile, readRecords } from './journal.ts';
import { placesOf, type Variables } from './places.ts';
import { isInside, realWorkspace } from './workspace.ts';

export interface GrantPlace {
  workspace: string;
  env?: Variables;
  home?: string;
}

export interface Grant {
  shape: string;
  /** ISO 8601; empty in a record without one. */
  at: string;
}

export interface Grants {
  /** In the order in which they were given, each once. */
  shapes: string[];
  grants: Grant[];
  /** Why some or all don't count. */
  problem?: string;
}

/** Characters; a record must fit into one write. */
const longestShape = 2000;

export function loadGrants({ workspace, env, home }: GrantPlace): Grants {
  const real = realWorkspace(workspace);
  const { state } = placesOf(env, home);
  const file = journalFile(state, 'grants', real);
  const { records, problem } = readRecords(file);
  if (records.length > 0 && isInside(state, real)) {
    return { shapes: [], grants: [], problem: `${file} lies inside the workspace and doesn’t count.` };
  }
  const held = new Map<string, Grant>();
  for (const { workspace: of, shape, at, revoked } of records) {
    if (of !== real || typeof shape !== 'string') continue;
    if (revoked === true) held.delete(shape);
    else if (!held.has(shape)) held.set(shape, { shape, at: typeof at === 'string' ? at : '' });
  }
  return { shapes: [...held.keys()], grants: [...held.values()], ...(problem !== undefined && { problem }) };
}

/** Remembers a shape. Throws `state-unwritable`, or `usage-arguments` for a shape that is blank or too long to be one. */
export function saveGrant(place: GrantPlace, shape: string): void {
  if (shape.trim() === '' || shape.length > longestShape) {
    throw new ReinsError('usage-arguments', `A shape has from 1 to ${longestShape} characters.`);
  }
  if (!loadGrants(place).shapes.includes(shape)) append(place, { shape });
}

/** Takes a shape back: sessions that begin from now on ask again. Throws `state-unwritable`. */
export function revokeGrant(place: GrantPlace, shape: string): void {
  append(place, { shape, revoked: true });
}

function append(place: GrantPlace, record: { shape: string; revoked?: true }): void {
  const real = realWorkspace(place.workspace);
  const file = journalFile(placesOf(place.env, place.home).state, 'grants', real);
  appendRecord(file, { workspace: real, ...record, at: new Date().toISOString() });
}
