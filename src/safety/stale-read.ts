/** A change to a file that was last read long ago wants a fresh read first. */
import type { Judgement } from './needs.ts';
import type { JudgedPart } from './part.ts';
import { inWorkspace } from './paths.ts';

export interface ReadAges {
  /** Turns. */
  most: number;
  /** Turns since the file at a real path was last read or written; undefined where it never was. */
  ageOf: (path: string) => number | undefined;
}

/** The refusal of a change to what was read too long ago. Of what was never read the tools say so themselves. */
export function staleRead({ paths }: JudgedPart, ages: ReadAges | undefined, workspace: string): Judgement | undefined {
  if (ages === undefined) return undefined;
  for (const { access, path } of paths) {
    const age = access === 'read' ? undefined : ages.ageOf(path);
    if (age === undefined || age <= ages.most) continue;
    const name = inWorkspace(path, workspace) ?? path;
    const reason = `${name} was last read ${age} turns ago, and the settings want a read of the last ${ages.most}. Read it again first.`;
    return { decision: 'deny', by: 'rule:stale-read', reason };
  }
  return undefined;
}
