/** Where this program lies, and how a person calls it from here. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: this file lies at different depths in the source and in a bundle. */
export function packageRoot(from: string = fileURLToPath(import.meta.url)): string {
  let folder = dirname(from);
  while (!existsSync(join(folder, 'bin', 'reins')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** `reins` where npm installed it; in a checkout the path of the launcher, so that printed commands can be copied as they are. */
export function programName(root: string = packageRoot(), folder: string | undefined = currentFolder()): string {
  if (basename(dirname(root)) === 'node_modules') return 'reins';
  if (folder === undefined) return join(root, 'bin', 'reins');
  const path = relative(folder, join(root, 'bin', 'reins'));
  return path.startsWith('..') ? join(root, 'bin', 'reins') : path;
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined; // Somebody has removed it: a full path leads there from anywhere.
  }
}
