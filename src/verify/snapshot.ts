/** Describes a workspace, and what changed in it since the description before. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventData } from '../core/index.ts';
import { changedPaths } from './compare.ts';
import type { FileHashes } from './file-hash.ts';
import { differingFrom, NoAnswer, scanGit, under, type Scan } from './git-scan.ts';
import type { Git } from './needs.ts';
import { keyOf, pathOf } from './path-key.ts';
import { walk } from './walk.ts';

export type Checkpoint = EventData['checkpoint'];

/** More files than these are not described: the log would drown in them. */
const mostFiles = 20_000;
/** Bytes read for one description. */
const mostBytes = 2 * 1024 ** 3;
/** Milliseconds of hashing after which others get a turn. */
const longestHold = 10;

export interface Workspace {
  /** The real path of the workspace. */
  root: string;
  git: Git;
  /** Git at work in a folder below, for repositories inside. */
  gitAt?: ((folder: string) => Git) | undefined;
  hashes: FileHashes;
}

/**
 * The workspace as it is now: the files that differ from the commit (without git: all), with their hashes, and what differs from
 * `before`. Never rejects for what a workspace holds: what can't be told is `incomplete`, with the reason.
 */
export async function takeSnapshot(workspace: Workspace, before: Checkpoint | undefined): Promise<Checkpoint> {
  try {
    const root = Buffer.from(workspace.root);
    const scan = await scanOrWalk(workspace, root);
    const files = await hashAll(workspace, root, scan);
    const now: Checkpoint = { commit: scan.commit, files };
    if (before === undefined || before.incomplete !== undefined) return now;
    return { ...now, changed: await changesSince(before, now, scan, workspace) };
  } catch (error) {
    return { commit: before?.commit ?? null, files: {}, incomplete: (error as Error).message };
  }
}

interface Found extends Scan {
  /** Why git could not be asked, where it could not. */
  noAnswer?: string;
}

async function scanOrWalk(workspace: Workspace, root: Buffer): Promise<Found> {
  const scan = await scanRepository(workspace, root);
  if (typeof scan === 'string') {
    const files = filesIn(root, Buffer.alloc(0));
    return { commit: null, isAmbiguous: false, files, unseen: files, submodules: [], nested: [], noAnswer: scan };
  }
  const nested = scan.nested.flatMap((folder) => filesIn(root, folder));
  return { ...scan, files: [...scan.files, ...nested], unseen: [...scan.unseen, ...nested] };
}

/** What git says, or why it can't be asked: then every file is described. Any other failure means that changes can't be told. */
async function scanRepository({ git, gitAt }: Workspace, folder: Buffer): Promise<Scan | string> {
  const ask = (inside: Buffer) => {
    // A name that is no text can't be passed on as one.
    const name = inside.toString('utf8');
    return Buffer.from(name).equals(inside) ? gitAt?.(name) : undefined;
  };
  try {
    return (await scanGit({ folder, git, gitAt: ask })) ?? 'the repository ignores the workspace';
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

function filesIn(root: Buffer, folder: Buffer): Buffer[] {
  const files = walk(folder.length === 0 ? root : under(root, folder), mostFiles);
  if (files === undefined) throw new Error(`more than ${mostFiles} files`);
  return folder.length === 0 ? files : files.map((file) => under(folder, file));
}

async function hashAll({ hashes }: Workspace, root: Buffer, scan: Found): Promise<Checkpoint['files']> {
  if (scan.files.length > mostFiles) throw new Error(`more than ${mostFiles} files differ from the commit`);
  const entries: [path: string, hash: string | null][] = scan.submodules.map(({ path, commit }) => [
    keyOf(path),
    commitHash(commit),
  ]);
  const absolute = scan.files.map((path) => under(root, path));
  hashes.keepOnly(absolute);
  hashes.takeBytesRead();
  let bytes = 0;
  let since = performance.now();
  for (const [index, path] of scan.files.entries()) {
    entries.push([keyOf(path), hashes.hash(absolute[index] ?? path)]);
    bytes += hashes.takeBytesRead();
    if (bytes > mostBytes) throw new Error(`more than ${mostBytes} bytes in files that differ from the commit`);
    if (performance.now() - since < longestHold) continue;
    await nextTurn();
    since = performance.now();
  }
  // Object.fromEntries makes every name a key of its own, `__proto__` included.
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function commitHash(commit: string | null): string {
  return createHash('sha256').update(`commit ${commit}`).digest('hex');
}

async function changesSince(before: Checkpoint, now: Checkpoint, scan: Found, workspace: Workspace): Promise<string[]> {
  if (before.commit !== null && scan.noAnswer !== undefined)
    throw new Error(`there was a commit, and now: ${scan.noAnswer}`);
  const root = Buffer.from(workspace.root);
  const present = (path: string): string | null =>
    Object.hasOwn(now.files, path) ? (now.files[path] ?? null) : workspace.hashes.hash(under(root, pathOf(path)));
  if (before.commit === now.commit && !scan.isAmbiguous) {
    return changedPaths({ before: before.files, present, differing: Object.keys(now.files) });
  }
  const moved = await differingFrom(workspace.git, before.commit);
  return changedPaths({ before: before.files, present, differing: [...moved, ...scan.unseen].map(keyOf) });
}
