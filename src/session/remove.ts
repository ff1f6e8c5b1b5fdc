/** Removes sessions for good. */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ReinsError } from '../core/index.ts';
import { changedAt, errorCode, sessionFolder, sessionsFolder, unwritable } from './folders.ts';
import { takeLock } from './lock.ts';

/**
 * Removes a session, unless somebody holds it or something was recorded in it since `last` (milliseconds since the epoch, the time of its log);
 * says whether it did. One that is cut off half-way isn't a session any more.
 */
export async function removeSession(state: string, id: string, last: number): Promise<boolean> {
  const folder = sessionFolder(state, id);
  const lock = await takeLock(folder).catch((error: unknown) => {
    if (error instanceof ReinsError && error.code === 'session-busy') return undefined;
    throw error;
  });
  if (lock === undefined) return false;
  // Names that begin with a dot are no session's.
  const aside = join(sessionsFolder(state), `.${id}`);
  try {
    if (changedAt(folder) > last) return false;
    rmSync(aside, { recursive: true, force: true });
    renameSync(folder, aside);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw unwritable(folder, error);
  } finally {
    lock.release();
  }
  rmSync(aside, { recursive: true, force: true });
  return true;
}

const dayLong = 24 * 3_600_000;

/** Removes what was cut off while it was made or removed, and nobody has touched for a day; gives how many there were. */
export function removeLeftovers(state: string, now: number, dryRun: boolean): number {
  const folder = sessionsFolder(state);
  const left = namesOfLeftovers(folder).filter((name) => statSync(join(folder, name)).mtimeMs < now - dayLong);
  if (!dryRun) for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
  return left.length;
}

/** A session’s name behind a dot, and nothing else that somebody may keep there. */
function namesOfLeftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^\.\d{8}-\d{6}-[0-9a-z]{6}$/.test(name));
}
