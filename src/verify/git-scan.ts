/** What git says of a workspace: the commit, and the files that may differ from it. Paths are relative to the workspace. */
import { lstatSync } from 'node:fs';
import { parseIndex, parseStatus, splitRecords } from './git-output.ts';
import type { Git } from './needs.ts';

/** A folder, and git at work in it. */
export interface Place {
  /** Absolute. */
  folder: Buffer;
  git: Git;
  /** Git at work in a folder below; undefined where there is no way to ask it. */
  gitAt: (folder: Buffer) => Git | undefined;
}

export interface Scan {
  commit: string | null;
  /** Some of the files may be as committed. */
  isAmbiguous: boolean;
  /** Files that differ from the commit, or may. */
  files: Buffer[];
  /** Those of them that a comparison of two commits would not show: untracked ones, and all in repositories inside. */
  unseen: Buffer[];
  /** Submodules that are at another commit than the one recorded, with that commit. */
  submodules: { path: Buffer; commit: string | null }[];
  /** Repositories inside that git could not be asked about. */
  nested: Buffer[];
}

const statusArguments = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--ignored=no',
  '--no-renames',
  '--',
  '.',
];
/** Repositories in repositories; deeper ones count file by file. */
const deepest = 4;
const slash = 0x2f;

/** Undefined for a folder that the repository around it ignores. Throws when git fails, with what it said. */
export async function scanGit(place: Place, depth = deepest): Promise<Scan | undefined> {
  const { folder, git } = place;
  const [status, index, prefix] = await Promise.all([
    output(git, statusArguments),
    output(git, ['ls-files', '--stage', '-v', '-z']),
    output(git, ['rev-parse', '--show-prefix']),
  ]);
  // The prefix ends with a line break; names in the status are relative to the root of the repository.
  const skip = prefix.length - 1;
  if (skip > 0 && (await isIgnored(git))) return undefined;
  const { commit, entries, isAmbiguous } = parseStatus(status);
  const { unwatched, submodules } = parseIndex(index);
  const hidden = unwatched.filter((path) => exists(folder, path));
  const scan: Scan = { commit, isAmbiguous, files: [...hidden], unseen: [...hidden], submodules: [], nested: [] };
  const inside = [...submodules];
  for (const entry of entries) {
    const path = entry.path.subarray(skip);
    if (entry.isSubmodule) scan.submodules.push({ path, commit: null });
    else if (path.at(-1) === slash) inside.push(path.subarray(0, -1));
    else scan.files.push(path);
    if (entry.isUntracked && path.at(-1) !== slash) scan.unseen.push(path);
  }
  for (const path of inside) await scanInside(place, path, scan, depth);
  return scan;
}

/** Git doesn't look into a submodule, nor into a repository that appeared inside: each is asked about itself. */
async function scanInside(place: Place, path: Buffer, scan: Scan, depth: number): Promise<void> {
  const folder = under(place.folder, path);
  // A submodule without its own repository is an empty folder.
  if (!exists(folder, Buffer.from('.git'))) return;
  const git = depth > 0 ? place.gitAt(folder) : undefined;
  const inner = git === undefined ? undefined : await scanRepository({ ...place, folder, git }, depth - 1);
  if (inner === undefined) {
    scan.nested.push(path);
    return;
  }
  const moved = scan.submodules.find((submodule) => submodule.path.equals(path));
  if (moved !== undefined) moved.commit = inner.commit;
  for (const { path: name, commit } of inner.submodules) scan.submodules.push({ path: under(path, name), commit });
  for (const file of inner.files) {
    scan.files.push(under(path, file));
    scan.unseen.push(under(path, file));
  }
  for (const name of inner.nested) scan.nested.push(under(path, name));
}

/** Undefined where there is no repository to ask. */
async function scanRepository(place: Place, depth: number): Promise<Scan | undefined> {
  try {
    return await scanGit(place, depth);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** Git says nothing of what changes in an ignored folder, so it can't be asked about a workspace that is one. */
async function isIgnored(git: Git): Promise<boolean> {
  const { exit } = await run(git, ['check-ignore', '--quiet', '--', '.']);
  return exit === 0;
}

function exists(folder: Buffer, path: Buffer): boolean {
  return lstatSync(under(folder, path), { throwIfNoEntry: false }) !== undefined;
}

export function under(folder: Buffer, path: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.of(slash), path]);
}

/** The files that differ from an earlier commit, or all that git tracks where there was none. Throws when the commit is gone. */
export async function differingFrom(git: Git, commit: string | null): Promise<Buffer[]> {
  if (commit === null) return splitRecords(await output(git, ['ls-files', '-z']));
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new Error('the recorded commit is not one');
  const options = ['--name-only', '-z', '--no-renames', '--relative'];
  return splitRecords(await output(git, ['diff', ...options, commit, '--', '.']));
}

async function output(git: Git, args: string[]): Promise<Buffer> {
  const { exit, stdout, stderr } = await run(git, args);
  if (exit !== 0) throw new Error(`git failed: ${stderr.trim().split('\n')[0]}`);
  return stdout;
}

async function run(git: Git, args: string[]): ReturnType<Git['run']> {
  try {
    return await git.run(args);
  } catch (error) {
    throw new NoAnswer((error as Error).message, { cause: error });
  }
}

/** The door of git rejected: there is no repository here, no git, or none that may be asked. */
export class NoAnswer extends Error {}
