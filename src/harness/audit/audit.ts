/** The joint of the audit: the proof of the log first, then what it says, then what only snapshots of the workspace can say. */
import { isAbsolute, relative } from 'node:path';
import { matchesGlob } from '../../core/index.ts';
import { openReader } from '../reader.ts';
import type { Verification } from '../types.ts';
import { compareCalls } from './compare.ts';
import { auditOf } from './derive.ts';
import { hasChanges, isDenied, pathsOf, type AuditEntry } from './entry.ts';

export interface AuditOptions {
  /** Only what was refused. */
  denied?: boolean;
  /** Only what changed files, or may have. */
  changes?: boolean;
  /** Only what names a path that fits this glob: relative to the workspace, or absolute. */
  path?: string;
}

export interface SessionAudit {
  session: string;
  workspace: string;
  /** As `reins log --verify` finds it. */
  verification: Verification;
  /** Lines that can't be read: what they said is missing here. */
  damaged: number;
  /** In the order in which they began. */
  entries: AuditEntry[];
}

type Variables = { readonly [name: string]: string | undefined };

/** Takes no lock. Rejects with `session-missing`. */
export async function auditSession(
  env: Variables | undefined,
  which: string | { latest: string },
  options: AuditOptions = {},
): Promise<SessionAudit> {
  const reader = await openReader(env, which);
  const verification = await reader.verify();
  const { entries, damaged, workspace } = auditOf(reader.items());
  await compareCalls(env, reader, workspace, entries);
  const kept = entries.filter((entry) => fits(entry, options, workspace));
  return { session: reader.id, workspace, verification, damaged, entries: kept };
}

function fits(entry: AuditEntry, { denied, changes, path }: AuditOptions, workspace: string): boolean {
  if (denied === true && !isDenied(entry)) return false;
  if (changes === true && !hasChanges(entry)) return false;
  return path === undefined || pathsOf(entry).some((each) => fitsPath(each, path, workspace));
}

function fitsPath(path: string, pattern: string, workspace: string): boolean {
  if (isAbsolute(pattern)) return matchesGlob(isAbsolute(path) ? path : `${workspace}/${path}`, pattern);
  return matchesGlob(isAbsolute(path) && workspace !== '' ? relative(workspace, path) : path, pattern);
}
