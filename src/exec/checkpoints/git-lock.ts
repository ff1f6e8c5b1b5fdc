/** Git’s own locks, so that a Git command that runs at the same time and a restore don't get in each other's way. */
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { isAlive } from '../process/index.ts';
import type { HeldFolder } from './held-folder.ts';
import { systemPath, type ByteText } from './names.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Files that Git itself changes under such a lock. */
export function hasGitLock(path: ByteText): boolean {
  return /^(worktrees\/[^/]+\/|modules\/.+\/)?(HEAD|index|packed-refs|config|ORIG_HEAD|refs\/.+)$/.test(path);
}

/** Works on a name while nobody else who asks does; gives why not otherwise. */
export async function withGitLock(
  folder: HeldFolder,
  name: ByteText,
  work: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const path = systemPath(folder.pathOf(`${name}.lock`));
  if (!take(path)) return `Git is at work on it (there is a ${name}.lock)`;
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string | Buffer): boolean {
  for (let tries = 0; ; tries++) {
    try {
      const file = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
      writeSync(file, `reins ${process.pid}\n`);
      closeSync(file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (tries > 0 || !isLeft(path)) return false;
      rmSync(path, { force: true });
    }
  }
}

/** Whether it is one of ours, and whoever made it was killed. */
function isLeft(path: string | Buffer): boolean {
  const [, pid] = /^reins (\d+)\n$/.exec(readFileSync(path, 'latin1')) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}
