/**
 * The folder of a store: a bare Git repository (SHA-256, never collected by Git) for the objects, and beside them what only Reins
 * reads. Everything in it belongs to its owner alone.
 *
 *     HEAD config refs/ objects/   a Git repository, so that any Git can look into it
 *     sessions/<id>.jsonl          the snapshots of a session, one a line
 *     running/<id>.lock            held as long as a process of the session lives
 *     in-use.lock                  held together by whoever works in the store, alone by whoever removes things from it
 *     pruned                       its time tells when something was removed last
 *     manifest                     what the workspace's files looked like, so that the next session reads only what changed since
 *     temporary/                   what isn't whole yet
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError } from '../../core/index.ts';

const format = '1';
/** `preciousObjects` keeps Git from removing what no reference names: here none does. */
const configuration = `[core]
\trepositoryformatversion = 1
\tbare = true
\tfilemode = true
[extensions]
\tobjectformat = sha256
\tpreciousObjects = true
[gc]
\tauto = 0
[reins]
\tformat = ${format}
`;

export interface StoreFolder {
  path: string;
  objects: string;
  packs: string;
  sessions: string;
  running: string;
  temporary: string;
  manifest: string;
  inUse: string;
  pruned: string;
}

/** Makes what is missing. Throws `state-unwritable`. */
export function openStoreFolder(path: string): StoreFolder {
  const objects = join(path, 'objects');
  const folder: StoreFolder = {
    path,
    objects,
    packs: join(objects, 'pack'),
    sessions: join(path, 'sessions'),
    running: join(path, 'running'),
    temporary: join(path, 'temporary'),
    manifest: join(path, 'manifest'),
    inUse: join(path, 'in-use.lock'),
    pruned: join(path, 'pruned'),
  };
  try {
    makeFolders(path);
    takeForOwner(path);
    const known = readIfThere(join(path, 'config'));
    if (known === configuration) return folder;
    if (known !== undefined) throw new Error('its configuration is not the one of this version of Reins');
    for (const each of [folder.packs, folder.sessions, folder.running, folder.temporary, join(path, 'refs')]) {
      makeFolders(each);
    }
    writeWhole(folder, join(path, 'HEAD'), 'ref: refs/heads/none\n');
    // Last, because a store that has it is whole.
    writeWhole(folder, join(path, 'config'), configuration);
    return folder;
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Makes what is missing of a folder's path. (The recursive way of Node never ends where the system makes no folders, as in /proc.) */
function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function takeForOwner(path: string): void {
  const status = lstatSync(path);
  if (!status.isDirectory()) throw new Error('it is not a plain folder');
  if (process.getuid !== undefined && status.uid !== process.getuid()) throw new Error('it belongs to another user');
  if ((status.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A path for what isn't whole yet; whoever is killed leaves it there, and the next who is alone in the store removes it. */
export function temporaryPath(folder: StoreFolder): string {
  return join(folder.temporary, `${process.pid}-${randomBytes(8).toString('hex')}`);
}

/** Puts a small file in its place in one step. */
export function writeWhole(folder: StoreFolder, path: string, content: string | Uint8Array): void {
  for (let tries = 3; ; tries--) {
    const temporary = temporaryPath(folder);
    try {
      writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
      return;
    } catch (error) {
      rmSync(temporary, { force: true });
      // Who opens the store at the same time may have taken it for something that was left.
      if (tries <= 1 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

export function unwritable(path: string, error: unknown): ReinsError {
  if (error instanceof ReinsError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ReinsError('state-unwritable', `The store of snapshots can’t be used (${path}): ${reason}.`, {
    cause: error,
  });
}
