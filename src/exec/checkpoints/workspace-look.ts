/** Looks at a workspace as a whole: its files, and Git's data for it, wherever that lies. */
import { join, relative } from 'node:path';
import { findGitPlace, type GitPlace } from '../git/index.ts';
import { isIgnored } from './ignore.ts';
import { Look, type LookOptions } from './look.ts';
import { bytesOf, type ByteText } from './names.ts';
import { RepositoryScope } from './repository-scope.ts';
import { scopeOfGitFolder, scopeOfWorkspace, type Scope } from './scope.ts';

/** `workspace`: real path. */
export async function lookAtWorkspace(workspace: string, options: LookOptions): Promise<void> {
  const { state } = options;
  const place = findGitPlace(workspace);
  state.repository = place && repositoryOf(workspace, place, state.repository);
  const outside = new Set(place === undefined ? [] : outsideOf(workspace, place));
  for (const [path, folder] of state.outside) {
    if (outside.has(path)) continue;
    state.drop(folder);
  }
  const look = new Look(options);
  await look.whole(state.root, scopeOf(workspace, state.repository));
  for (const path of outside) {
    await look.whole(state.outsideFolder(path), scopeOfGitFolder());
  }
}

function repositoryOf(workspace: string, place: GitPlace, known: RepositoryScope | undefined): RepositoryScope {
  const repository =
    known?.isAt(place) === true ? known : new RepositoryScope(place, foldersBetween(place.topLevel, workspace));
  repository.refresh();
  return repository;
}

/** A repository that ignores the workspace has nothing to say of what is in it. */
function scopeOf(workspace: string, repository: RepositoryScope | undefined): Scope {
  if (repository === undefined) return scopeOfWorkspace();
  const top = Buffer.from(repository.top, 'latin1').toString('utf8');
  const folders = [...foldersBetween(top, workspace).slice(1), ...(top === workspace ? [] : [bytesOf(workspace)])];
  const paths = folders.map((folder) => repository.pathOf(folder));
  const ignores = paths.some((path) => isIgnored(repository.rules, path, true) && !repository.hasTrackedBelow(path));
  return scopeOfWorkspace(ignores ? undefined : repository);
}

/** From the top of a repository down to the folder around one below it; none when that is the top itself. */
function foldersBetween(top: string, folder: string): ByteText[] {
  if (top === folder) return [];
  const steps = relative(top, folder).split('/').slice(0, -1);
  return [top, ...steps.map((_, place) => join(top, ...steps.slice(0, place + 1)))].map(bytesOf);
}

/** Git folders that a command in the workspace works on, though they lie elsewhere: only where both ends agree that they belong to it. */
function outsideOf(workspace: string, place: GitPlace): ByteText[] {
  if (!place.belongs) return [];
  const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const folders = isInside(place.gitDir, place.commonDir) ? [place.commonDir] : [place.commonDir, place.gitDir];
  return folders.filter((folder) => !isInside(folder, workspace)).map(bytesOf);
}
