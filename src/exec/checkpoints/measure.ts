/** How much a folder holds, looked up to a bound. */
import { readdirSync } from 'node:fs';
import { systemPath, type ByteText } from './names.ts';
import { look } from './status.ts';

/** Stops soon after `most` files; files larger than `each` bytes count none. The folder may hold a repository of its own, which is then no one's to leave out. */
export function measure(
  path: ByteText,
  most: number,
  each: number,
): { files: number; bytes: number } | 'holds a repository' {
  const found = { files: 0, bytes: 0 };
  // Breadth first, so that a repository that lies near the top is met before the bound.
  let level = [path];
  for (let folders = 0; level.length > 0 && found.files <= most && folders <= most;) {
    const below: ByteText[] = [];
    for (const folder of level) {
      if (found.files > most || folders > most) break;
      folders += 1;
      const entries = list(folder);
      if (folder !== path && entries.some(({ name }) => name === '.git')) return 'holds a repository';
      for (const entry of entries) {
        if (entry.isDirectory()) below.push(`${folder}/${entry.name}`);
        else found.files += 1;
        if (found.files > most) break;
        const status = entry.isFile() ? look(`${folder}/${entry.name}`) : undefined;
        if (typeof status === 'object' && status.size <= each) found.bytes += Number(status.size);
      }
    }
    level = below;
    if (folders > most) found.files = most + 1;
  }
  return found;
}

function list(folder: ByteText) {
  try {
    return readdirSync(systemPath(folder), { withFileTypes: true, encoding: 'latin1' });
  } catch {
    return []; // whoever looks into it says why it can't be read
  }
}
