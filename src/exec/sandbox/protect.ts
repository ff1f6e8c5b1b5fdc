/**
 * Keeps what would run outside the sandbox later out of reach inside it: Git's hooks, configuration and attributes, and the
 * settings of Reins. A path must exist before it can be covered, so what is missing is made (empty) first. Folders on the way to a
 * covered path become mount points of their own, because a folder that only holds a mount point could be renamed and replaced.
 */
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigurationReader, isGitFolder, readSmall, type GitPlace } from '../git/index.ts';
import { isWithin, realPath, statusOf } from '../paths.ts';
import { readOnly, writable, type Mount } from './mounts.ts';

export interface Protection {
  mounts: Mount[];
  /** Paths that can't be written inside. */
  covered: string[];
  /** What couldn't be protected as intended, and what was done instead. */
  notes: string[];
}

/** Git folders of submodules that are covered one by one; with more, all are shown read-only. */
const mostModules = 64;

const notAllNamed = (file: string): string =>
  `${file} can't be read in full, so hooks in the workspace that it names may not be protected.`;

/** Git's data of a workspace that is the top of its working tree. `home`: where the user's own configuration is. */
export function protectGit(place: GitPlace, home: string): Protection {
  const pointer = place.kind === 'pointer' ? [readOnly(join(place.topLevel, '.git'))] : [];
  const covered = pointer.map(({ place: path }) => path);
  if (!place.belongs) {
    const mounts = place.kind === 'folder' ? [readOnly(place.gitDir)] : pointer;
    const note = `Git can't be used to commit here: ${place.gitDir} doesn't say that it belongs to this folder.`;
    return { mounts, covered: mounts.map((mount) => mount.place), notes: [note] };
  }
  try {
    const { paths, unread } = namedByConfiguration(place, home);
    const named = paths.map((path) => ({ path, from: rootOf(path, place) ?? place.topLevel }));
    const shown = (from: string) =>
      named.filter((each) => each.from === from).flatMap(({ path }) => coverNamed(path, from));
    const mounts = [
      writable(place.commonDir),
      // Before what is covered anyway, which it may lie in.
      ...shown(place.commonDir),
      ...coverGitFolder(place.commonDir),
      ...coverWorktrees(place),
      ...shown(place.topLevel),
    ];
    const shut = mounts.filter(({ kind }) => kind === 'read').map((mount) => mount.place);
    return { mounts: [...pointer, ...mounts], covered: [...covered, ...shut], notes: unread.map(notAllNamed) };
  } catch (error) {
    const note = `Git's folder is read-only for commands, because its hooks and configuration can't be protected by themselves: ${(error as Error).message}`;
    return { mounts: [...pointer, readOnly(place.commonDir)], covered: [...covered, place.commonDir], notes: [note] };
  }
}

/**
 * What Git's configuration, the user's own included, leads Git to in the working tree: a folder of hooks, and further configuration.
 * Both would count outside, at the next commit, without anybody having asked for them. `unread`: nobody knows all that it names.
 */
function namedByConfiguration(place: GitPlace, home: string): { paths: string[]; unread: string[] } {
  const { gitDir, commonDir } = place;
  const reader = new ConfigurationReader(home);
  const files = [
    join(home, '.config/git/config'),
    join(home, '.gitconfig'),
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
  ];
  const read = files.map((file) => ({ file, settings: reader.read(file) }));
  const hooks = read.flatMap(({ settings = [] }) =>
    settings.flatMap(({ name, value }) => (name === 'core.hookspath' && value ? [value] : [])),
  );
  const folders = hooks.map((path) => hooksFolder(path.startsWith('~/') ? join(home, path.slice(2)) : path, place));
  const found = [...folders, ...reader.files].flatMap((path) => (path && realPath(path)) ?? []);
  const paths = [...new Set(found)].filter((path) => rootOf(path, place) !== undefined && !files.includes(path));
  return { paths, unread: read.flatMap(({ file, settings }) => (settings === undefined ? [file] : [])) };
}

/** What a path lies in that commands write: Git's folder or the working tree. */
function rootOf(path: string, { topLevel, commonDir }: GitPlace): string | undefined {
  return [commonDir, topLevel].find((root) => path !== root && isWithin(path, root));
}

function coverNamed(path: string, from: string): Mount[] {
  return [...between(from, path).map((folder) => writable(folder)), readOnly(path)];
}

/** A folder of hooks that isn't there is made, where no link leads on the way: a command could make it otherwise, and fill it. */
function hooksFolder(written: string, place: GitPlace): string | undefined {
  const named = resolve(place.topLevel, written);
  // One manager of hooks keeps its own scripts in a folder `_` and those that they run around it.
  const path = basename(named) === '_' ? dirname(named) : named;
  const root = rootOf(path, place);
  if (root === undefined || statusOf(path) !== undefined) return path;
  for (const folder of [...between(root, path), path]) {
    const status = statusOf(folder);
    if (status === undefined) mkdirSync(folder);
    else if (!status.isDirectory()) return undefined;
  }
  return path;
}

/** The folders on the way from one to another, outer ones first, without both. */
function between(top: string, path: string): string[] {
  const parent = dirname(path);
  return parent === top || parent === dirname(parent) ? [] : [...between(top, parent), parent];
}

function coverGitFolder(gitFolder: string): Mount[] {
  const info = ensureFolder(join(gitFolder, 'info'));
  const config = ensureFile(join(gitFolder, 'config'));
  const usesWorktreeConfig = /worktreeConfig\s*=/i.test(readSmall(config) ?? '');
  const worktreeConfig = join(gitFolder, 'config.worktree');
  const hasWorktreeConfig = usesWorktreeConfig || statusOf(worktreeConfig) !== undefined;
  return [
    readOnly(ensureFolder(join(gitFolder, 'hooks'))),
    readOnly(config),
    ...(hasWorktreeConfig ? [readOnly(ensureFile(worktreeConfig))] : []),
    writable(info),
    readOnly(ensureFile(join(info, 'attributes'))),
    // What is excluded is not seen as changed.
    readOnly(ensureFile(join(info, 'exclude'))),
    ...coverModules(gitFolder),
  ];
}

/** Submodules keep their Git folders under `modules`, by name; names may hold slashes. */
function coverModules(gitFolder: string): Mount[] {
  const root = join(gitFolder, 'modules');
  if (statusOf(root) === undefined) return [];
  const modules = findModules(ensureFolder(root));
  if (modules === undefined) return [readOnly(root)];
  return [
    writable(root),
    ...modules.flatMap((path) => [writable(path), ...(isGitFolder(path) ? coverGitFolder(path) : [])]),
  ];
}

/** The Git folders below one and the plain folders on the way to them, outer ones first; undefined when there are too many. */
function findModules(root: string): string[] | undefined {
  const found: string[] = [];
  const waiting = [root];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const child = join(path, entry.name);
      found.push(child);
      if (!isGitFolder(child)) waiting.push(child);
    }
    if (found.length > mostModules) return undefined;
  }
  return found;
}

/** The Git folders of linked working trees name the common folder whose configuration counts; only the workspace's own is writable. */
function coverWorktrees(place: GitPlace): Mount[] {
  const root = join(place.commonDir, 'worktrees');
  const all = statusOf(root) === undefined ? [] : [readOnly(ensureFolder(root))];
  if (place.gitDir === place.commonDir) return all;
  const own = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(place.gitDir, name));
  const present = own.filter((path) => statusOf(path) !== undefined);
  return [...all, writable(place.gitDir), ...present.map((path) => readOnly(ensureFile(path)))];
}

/** Makes a missing folder. A link in its place would lead the cover elsewhere and could be replaced inside. */
function ensureFolder(path: string): string {
  const status = statusOf(path);
  if (status === undefined) mkdirSync(path);
  else if (!status.isDirectory()) throw new Error(`${path} is not a plain folder`);
  return path;
}

function ensureFile(path: string): string {
  const status = statusOf(path);
  if (status === undefined) closeSync(openSync(path, 'wx', 0o644));
  else if (!status.isFile()) throw new Error(`${path} is not a plain file`);
  return path;
}

/** The settings of Reins in a workspace. `made`: the folder was made only to be covered. */
export function protectSettings(workspace: string): { mounts: Mount[]; made: boolean } | { refused: string } {
  const path = join(workspace, '.reins');
  try {
    const made = statusOf(path) === undefined;
    return { mounts: [readOnly(ensureFolder(path))], made };
  } catch (error) {
    // What we may not make there, a command may not either: it runs as the same user.
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return { mounts: [], made: false };
    return { refused: `the settings of Reins can’t be protected from commands: ${(error as Error).message}` };
  }
}

/**
 * Removes the `commondir` that a command left in the Git folder of a workspace when Reins was killed. A folder that lies in its
 * working tree is the common one itself, and has none.
 */
export function removeLeftCommonDir(workspace: string): string | undefined {
  const path = join(workspace, '.git', 'commondir');
  if (statusOf(join(workspace, '.git'))?.isDirectory() !== true || statusOf(path) === undefined) return undefined;
  rmSync(path, { recursive: true, force: true });
  return `${path} was removed: a Git folder in its own working tree has none, and it would lead Git to another configuration.`;
}

/**
 * Removes a `commondir` that appeared in a Git folder: it would make Git outside take its configuration from wherever it names, and
 * it can't be covered beforehand, because an empty one breaks Git. Says what was removed.
 */
export function removeForeignCommonDir(place: GitPlace): string | undefined {
  const path = join(place.commonDir, 'commondir');
  if (!place.belongs || statusOf(path) === undefined) return undefined;
  rmSync(path, { recursive: true, force: true });
  return `The command made ${path}, which would lead Git to another configuration; it was removed.`;
}

/** Removes the folder that was made only to be covered, unless it is in use by now. */
export function removeMadeSettings(workspace: string): void {
  try {
    rmdirSync(join(workspace, '.reins'));
  } catch {
    // It holds something, or it is gone: either way it isn't ours to remove any more.
  }
}
