/** Lists the files of a folder that git doesn't look after. */
import { readdirSync } from 'node:fs';

/** Folders that hold no work of anybody: what git keeps, and what package managers fetch. */
const skipped = new Set(['.git', 'node_modules']);
const slash = Buffer.from('/');

/** Everything below a folder that is not a folder itself, relative to it; undefined when there are more than `most`. Links are not followed. */
export function walk(root: Buffer, most: number): Buffer[] | undefined {
  const found: Buffer[] = [];
  const folders: Buffer[] = [Buffer.alloc(0)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const prefix = folder.length === 0 ? folder : Buffer.concat([folder, slash]);
    for (const entry of list(Buffer.concat([root, slash, folder]))) {
      const path = Buffer.concat([prefix, entry.name]);
      if (!entry.isDirectory()) found.push(path);
      else if (!skipped.has(entry.name.toString('latin1'))) folders.push(path);
      if (found.length > most || folders.length > most) return undefined;
    }
  }
  return found;
}

function list(folder: Buffer) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    // A folder that went away meanwhile has nothing in it any more; one that can't be read is the caller's to report.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
