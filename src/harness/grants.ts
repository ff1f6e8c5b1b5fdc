/** The joint for what was granted for always: shown, and taken back. */
import { loadGrants, revokeGrant, type GrantPlace } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';

export interface GrantRow {
  /** From 1, in the order in which they were given. */
  number: number;
  shape: string;
  /** ISO 8601. */
  at: string;
  workspace: string;
}

export interface GrantsReport {
  grants: GrantRow[];
  /** Why some or all don’t count. */
  problem?: string;
}

export function listGrants(place: GrantPlace): GrantsReport {
  const { grants, problem } = loadGrants(place);
  const rows = grants.map((grant, index) => ({ number: index + 1, ...grant, workspace: place.workspace }));
  return { grants: rows, ...(problem !== undefined && { problem }) };
}

/** Takes back one grant, by shape or number, or all; gives what was taken back. Throws `usage-arguments` where there is none such. */
export function revokeGrants(place: GrantPlace, which: { one: string } | 'all'): GrantRow[] {
  const { grants } = listGrants(place);
  const chosen =
    which === 'all'
      ? grants
      : grants.filter(({ shape, number }) => which.one === shape || which.one === String(number));
  if (which !== 'all' && chosen.length === 0) {
    throw new ReinsError(
      'usage-arguments',
      `Nothing is granted as ${JSON.stringify(which.one)} in ${place.workspace}; \`reins grants\` lists what is.`,
    );
  }
  for (const { shape } of chosen) revokeGrant(place, shape);
  return chosen;
}
