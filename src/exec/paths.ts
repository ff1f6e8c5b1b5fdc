/** Questions about absolute, normalised paths; what they say about real files holds for real paths only. */
import { lstatSync, realpathSync, type Stats } from 'node:fs';

/** Whether a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The file's own status (a link isn't followed); undefined when there is none or it can't be told. */
export function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // hidden from us comes to the same as missing: nothing to be found here
  }
}

/** The real path; undefined where there is none. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // a dangling link, a loop or a missing file leads nowhere
  }
}
