/** Temporary files beside a file that is being written: named for their writer, so that those of a killed one can be told and removed. */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../process/index.ts';

const temporary = /^\.reins-(\d+)-[0-9a-f]{16}\.tmp$/;

export function temporaryName(): string {
  return `.reins-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/** Removes the temporary files that writers left in a folder when they were killed; those of living ones stay. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []); // A folder that isn't there has none.
  for (const name of names) {
    const [, writer] = temporary.exec(name) ?? [];
    if (writer !== undefined && !isAlive(Number(writer))) await rm(join(folder, name), { force: true });
  }
}
