/** Where a search looks: the real place, and whose ignore rules hold there. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isWithin, realPath, statusOf } from '../paths.ts';
import type { Place } from './engine.ts';
import type { Refusal } from './requests.ts';

/** The place that a path means; refused when it isn't there, leads outside the workspace or into a `.git`. */
export function placeOf(workspace: string, path: string): Place | Refusal {
  const shown = relative(workspace, path) || '.';
  const real = realPath(path);
  if (real === undefined) return { refused: `there is no ${shown}` };
  if (!isWithin(real, workspace)) return { refused: `${real} lies outside the workspace ${workspace}` };
  const inside = relative(workspace, real).split('/');
  if (inside.includes('.git')) return { refused: 'a .git is never searched; ask Git itself (git log, git grep)' };
  const status = statusOf(real);
  if (status?.isDirectory() === true)
    return { root: real, inRepository: folderOfRepository(real) !== undefined, base: workspace };
  if (status?.isFile() !== true) return { refused: `${shown} is neither a file nor a folder` };
  return { root: dirname(real), file: basename(real), inRepository: false, base: workspace };
}

/** The nearest folder from here upwards in which a repository begins. */
function folderOfRepository(folder: string): string | undefined {
  return upwards(folder).find((each) => existsSync(join(each, '.git')) || existsSync(join(each, '.jj')));
}

/**
 * Outside of a repository, `.gitignore` files count from the workspace on. Ripgrep would also take those above it, so where there is
 * one, it isn't asked.
 */
export function isBeyondRipgrep({ file, inRepository, base }: Place): boolean {
  if (file !== undefined || inRepository) return false;
  return upwards(dirname(base)).some((folder) => existsSync(join(folder, '.gitignore')));
}

function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}
