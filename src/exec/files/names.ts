/** The names of a file that has several (hard links): whether all of them lie where they may be written. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNot } from './resolve.ts';

/** Entries of the workspace that are looked at; a file whose names aren't found among them may have one elsewhere. */
const mostEntries = 50_000;

export async function hasAllNamesInside(workspace: string, { dev, ino, nlink }: Stats): Promise<boolean> {
  let found = 0;
  let seen = 0;
  const folders = [workspace];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen += 1;
      if (seen > mostEntries) return false;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      const status = await lstat(path).catch(() => undefined);
      if (status?.ino !== ino || status.dev !== dev) continue;
      if (whyNot(workspace, path, 'write') !== undefined) return false;
      found += 1;
      if (found === nlink) return true;
    }
  }
  return false;
}
