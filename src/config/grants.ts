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

export interface Grants {
  /** In the order in which they were given, each once. */
  shapes: string[];
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
    return { shapes: [], problem: `${file} lies inside the workspace and doesn’t count.` };
  }
  const shapes = records.flatMap(({ workspace: of, shape }) =>
    of === real && typeof shape === 'string' ? [shape] : [],
  );
  return { shapes: [...new Set(shapes)], ...(problem !== undefined && { problem }) };
}

/** Remembers a shape. Throws `state-unwritable`, or `usage-arguments` for a shape that is blank or too long to be one. */
export function saveGrant(place: GrantPlace, shape: string): void {
  if (shape.trim() === '' || shape.length > longestShape) {
    throw new ReinsError('usage-arguments', `A shape has from 1 to ${longestShape} characters.`);
  }
  if (loadGrants(place).shapes.includes(shape)) return;
  const real = realWorkspace(place.workspace);
  const file = journalFile(placesOf(place.env, place.home).state, 'grants', real);
  appendRecord(file, { workspace: real, shape, at: new Date().toISOString() });
}
