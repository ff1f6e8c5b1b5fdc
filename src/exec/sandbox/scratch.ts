/** The private folder of a session: temporary files and caches of its commands. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWithin, realPath } from '../paths.ts';

/** Makes one, never in the workspace, where commands could replace it. */
export function makeScratch(workspace: string): string {
  const usual = realPath(tmpdir()) ?? '/tmp';
  const scratch = mkdtempSync(join(isWithin(usual, workspace) ? '/tmp' : usual, 'reins-'));
  for (const name of ['tmp', 'cache', 'npm']) mkdirSync(join(scratch, name));
  chmodSync(join(scratch, 'tmp'), 0o1777);
  writeFileSync(join(scratch, 'gitconfig'), '');
  return scratch;
}

/** Removes one, also where commands closed folders in it (caches often do). */
export async function removeScratch(scratch: string): Promise<void> {
  try {
    await rm(scratch, { recursive: true, force: true });
  } catch {
    await openFolders(scratch);
    await rm(scratch, { recursive: true, force: true });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}
