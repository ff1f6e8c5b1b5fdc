/** Goes through a folder and what lies in it, as ripgrep does: no links, no `.git`, nothing that is ignored. */
import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import type { BytePath, Place, Trouble } from '../engine.ts';
import { pathIn } from '../paths-as-bytes.ts';
import { ignoringAbove, ignoringIn, isIgnored, type Ignoring } from './ignoring.ts';

/** Calls back with every file; what can't be listed is a trouble. */
export function walk(place: Place, onFile: (path: BytePath) => void, onTrouble: (trouble: Trouble) => void): void {
  if (place.file !== undefined) {
    onFile(Buffer.from(place.file, 'utf8').toString('latin1'));
    return;
  }
  const visit = (folder: BytePath, parent: Ignoring): void => {
    const entries = list(place.root, folder, onTrouble);
    const ignoring = ignoringIn(place, folder, new Set(entries.map(({ name }) => name)), parent);
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const kind = kindOf(entry, place.root, path);
      if (kind === 'other' || isIgnored(ignoring, path, kind === 'folder')) continue;
      if (kind === 'folder') visit(path, ignoring);
      else onFile(path);
    }
  };
  visit('', ignoringAbove(place));
}

function list(root: string, folder: BytePath, onTrouble: (trouble: Trouble) => void): Dirent[] {
  try {
    // A name's bytes, one character each: it need not be UTF-8. The type is that of text, which such a name is not.
    const path = folder === '' ? Buffer.from(root, 'utf8') : pathIn(root, folder);
    const entries = readdirSync(path, { withFileTypes: true, encoding: 'latin1' });
    // In their order, so that what has been found when the time is up is the same each time.
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    onTrouble({ path: folder, why: (error as NodeJS.ErrnoException).code ?? 'error' });
    return [];
  }
}

function kindOf(entry: Dirent, root: string, path: BytePath): 'file' | 'folder' | 'other' {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket()) return 'other';
  if (entry.isCharacterDevice() || entry.isBlockDevice()) return 'other';
  // Some file systems don't say it in their lists.
  const status = lstatSync(pathIn(root, path), { throwIfNoEntry: false });
  if (status?.isFile() === true) return 'file';
  return status?.isDirectory() === true ? 'folder' : 'other';
}
