/** Where a program is that Reins itself starts. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isWithin } from './paths.ts';

/**
 * The first executable file of this name in a PATH. Relative entries and whatever lies in an excluded folder are passed over: a
 * repository must not choose the program that Reins starts outside the sandbox.
 */
export function findProgram(name: string, path: string | undefined, excluded: string[]): string | undefined {
  for (const folder of (path ?? '').split(':')) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (isExecutable(file) && !excluded.some((place) => leadsInto(file, place))) return file;
  }
  return undefined;
}

function leadsInto(file: string, folder: string): boolean {
  return isWithin(file, folder) || isWithin(realpathSync(file), folder);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // not there, or not for us: the same answer
  }
}
