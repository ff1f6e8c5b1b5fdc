/** Where a workspace's Git data is, found without running anything: what a repository says of itself is only believed where both ends agree. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { realPath, statusOf } from '../paths.ts';

export interface GitPlace {
  /** Real path of the folder that holds `.git`. */
  topLevel: string;
  /** Real path of this working tree's own Git folder. */
  gitDir: string;
  /** Real path of the folder with objects, configuration and hooks; the same as `gitDir` but for linked working trees. */
  commonDir: string;
  /** `folder`: `.git` is the Git folder. `pointer`: `.git` is a file that names it (linked working tree, submodule). */
  kind: 'folder' | 'pointer';
  /** Whether the Git folder itself says that it belongs to this working tree; a pointer alone can name anything. */
  belongs: boolean;
}

/** Bytes of the small files that are read here; a hostile one may be huge. */
const smallFile = 64 * 1024;

/** The repository that a folder is in; undefined when it is in none. */
export function findGitPlace(folder: string): GitPlace | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const status = statusOf(join(place, '.git'));
    // Git goes on upwards from a folder that is none of its own, but not from a pointer that leads nowhere.
    if (status?.isFile()) return pointerPlace(place, join(place, '.git'));
    const found = status?.isDirectory() ? folderPlace(place, join(place, '.git')) : undefined;
    if (found !== undefined || place === dirname(place)) return found;
  }
}

function folderPlace(topLevel: string, gitDir: string): GitPlace | undefined {
  if (!isGitFolder(gitDir)) return undefined;
  // A main Git folder has no `commondir`; one that does would take its configuration from elsewhere.
  const belongs = statusOf(join(gitDir, 'commondir')) === undefined;
  return { topLevel, gitDir, commonDir: gitDir, kind: 'folder', belongs };
}

function pointerPlace(topLevel: string, path: string): GitPlace | undefined {
  const target = /^gitdir: ([^\0]+?)[\r\n]*$/.exec(readSmall(path) ?? '')?.[1];
  const gitDir = target === undefined ? undefined : realPath(resolve(topLevel, target));
  if (gitDir === undefined) return undefined;
  const common = readSmall(join(gitDir, 'commondir'))?.trim();
  const commonDir = common === undefined ? gitDir : realPath(resolve(gitDir, common));
  if (commonDir === undefined || !isGitFolder(commonDir)) return undefined;
  const belongs = common === undefined ? worktreeOf(gitDir) === topLevel : isLinked({ topLevel, gitDir, commonDir });
  return { topLevel, gitDir, commonDir, kind: 'pointer', belongs };
}

/** A linked working tree: its Git folder lies in the common one's `worktrees` and points back at this `.git` file. */
function isLinked({ topLevel, gitDir, commonDir }: Pick<GitPlace, 'topLevel' | 'gitDir' | 'commonDir'>): boolean {
  if (dirname(gitDir) !== join(commonDir, 'worktrees')) return false;
  const back = readSmall(join(gitDir, 'gitdir'))?.trim();
  return back !== undefined && realPath(dirname(resolve(gitDir, back))) === topLevel;
}

/** The working tree that a submodule's Git folder names in its configuration. */
function worktreeOf(gitDir: string): string | undefined {
  const worktree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(readSmall(join(gitDir, 'config')) ?? '')?.[1];
  return worktree === undefined ? undefined : realPath(resolve(gitDir, worktree));
}

export function isGitFolder(path: string): boolean {
  return (
    statusOf(join(path, 'HEAD')) !== undefined &&
    statusOf(join(path, 'objects'))?.isDirectory() === true &&
    statusOf(join(path, 'refs'))?.isDirectory() === true
  );
}

/** A small regular file's text; undefined when it isn't one. `follows`: a link to one will do. */
export function readSmall(path: string, follows = false): string | undefined {
  const real = follows ? realPath(path) : path;
  const status = real === undefined ? undefined : statusOf(real);
  if (!status?.isFile() || status.size > smallFile) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // not readable for us: it then says nothing
  }
}
