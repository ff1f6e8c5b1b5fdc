/** Replaces or makes a whole file in one step, only if it is what the caller believes it to be. */
import { constants, type Stats } from 'node:fs';
import { access, link, lstat, mkdir, open, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { statusOf } from '../paths.ts';
import { holdFolder, openFile, whyNoFile, type HeldFolder } from './handle.ts';
import { temporaryName } from './leftovers.ts';
import { hasAllNamesInside } from './names.ts';
import { hashOf, readBytes } from './read.ts';
import { codeOf, reasonOf } from './reasons.ts';
import { whyNot, type Refusal } from './resolve.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

export interface Replaced {
  /** The hash of the bytes that are replaced, null for a file that must not exist. */
  expected: string | null;
  /** The real path of a file whose mode and owner a new one takes. */
  like?: string | undefined;
}

/** Gives the new hash. */
export async function writeWhole(
  workspace: string,
  real: string,
  bytes: Buffer,
  { expected, like }: Replaced,
): Promise<string | Refusal> {
  const refused = real === workspace ? { refused: 'it is the workspace itself' } : whyNot(workspace, real, 'write');
  if (refused !== undefined) return refused;
  let made: string | undefined;
  try {
    const making = await makeFolders(dirname(real));
    if ('refused' in making) return making;
    made = making.outermost;
    const folder = await holdFolder(dirname(real));
    if ('refused' in folder) return folder;
    try {
      const model = like === undefined ? undefined : await lstat(like);
      const result = await writeIn({ workspace, folder, name: basename(real), model }, bytes, expected);
      if (typeof result !== 'string') await removeMade(dirname(real), made);
      return result;
    } finally {
      await folder.close();
    }
  } catch (error) {
    await removeMade(dirname(real), made);
    return { refused: reasonOf(error) };
  }
}

interface Target {
  workspace: string;
  folder: HeldFolder;
  name: string;
  /** What a new file takes its mode and owner from. */
  model?: Stats | undefined;
}

async function writeIn(target: Target, bytes: Buffer, expected: string | null): Promise<string | Refusal> {
  const path = target.folder.pathOf(target.name);
  const status = await lstat(path).catch(missing);
  if (status === undefined) {
    if (expected !== null) return { refused: 'it is gone by now' };
    return create(target, bytes);
  }
  if (status.isSymbolicLink()) return { refused: 'it has become a link meanwhile' };
  const kind = whyNoFile(status);
  if (kind !== undefined) return kind;
  if (expected === null) return { refused: 'it exists by now' };
  // Renaming over it would work in a folder that may be written, but whoever made it read-only meant it.
  const mode = (status.mode & 0o777).toString(8);
  const isClosed = await access(path, constants.W_OK).then(() => undefined, codeOf);
  if (isClosed === 'EACCES') return { refused: `it is read-only (mode ${mode})` };
  const change = { bytes, expected };
  // What has several names is filled anew under all of them, where none lies elsewhere.
  if (status.nlink > 1 && (await hasAllNamesInside(target.workspace, status))) return overwrite(path, status, change);
  return replace(target, status, change);
}

function missing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** The present bytes, if they are those that the caller expects. */
async function expectedBytes(path: string, status: Stats, expected: string): Promise<Buffer | Refusal> {
  const handle = await openFile(path, O_RDONLY).catch(missing);
  if (handle === undefined) return { refused: 'it is gone by now' };
  try {
    const bytes = await readBytes(handle, status.size);
    if (!Buffer.isBuffer(bytes) || hashOf(bytes) === expected) return bytes;
    return { refused: 'its content has changed meanwhile' };
  } finally {
    await handle.close();
  }
}

/** Makes a file that must not exist: a link, unlike a rename, fails if one has appeared. */
async function create(target: Target, bytes: Buffer): Promise<string | Refusal> {
  const { folder, name, model } = target;
  return withTemporary(folder, 0o666, async (temporary, handle) => {
    await handle.writeFile(bytes);
    if (model?.isFile() === true) {
      await takesOwner(handle, model);
      await handle.chmod(model.mode & 0o777);
    }
    await handle.sync();
    try {
      await link(temporary, folder.pathOf(name));
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return { refused: 'it exists by now' };
      // This file system has no hard links; what remains is a look and a rename.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
      if ((await lstat(folder.pathOf(name)).catch(missing)) !== undefined) return { refused: 'it exists by now' };
      await rename(temporary, folder.pathOf(name));
    }
    await folder.sync();
    return hashOf(bytes);
  });
}

interface Change {
  bytes: Buffer;
  /** The hash of the bytes that are replaced. */
  expected: string;
}

/** Puts new bytes in the place of old ones, with the same mode and owner. */
async function replace(target: Target, status: Stats, change: Change): Promise<string | Refusal> {
  const path = target.folder.pathOf(target.name);
  const replaced = await withTemporary(target.folder, 0o600, async (temporary, handle) => {
    await handle.writeFile(change.bytes);
    const isOurs = await takesOwner(handle, status);
    if (!isOurs) return undefined;
    await handle.chmod(status.mode & 0o7777);
    await handle.sync();
    // Looked at last, so that next to nothing can come between.
    const old = await expectedBytes(path, status, change.expected);
    if (!Buffer.isBuffer(old)) return old;
    await rename(temporary, path);
    await target.folder.sync();
    return hashOf(change.bytes);
  });
  if (replaced !== undefined) return replaced;
  // Its other names can't be told; one may lie outside, or be what nobody may write.
  if (status.nlink > 1) return { refused: 'it has several names and belongs to someone else, so it can’t be replaced' };
  // Only its owner could give a new file away, so the old one is kept and filled anew.
  return overwrite(path, status, change);
}

async function takesOwner(handle: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return true;
  try {
    await handle.chown(uid, gid);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EPERM') return false;
    throw error;
  }
}

/** Writes into the file itself; when that fails in the middle, what was there is put back. */
async function overwrite(path: string, status: Stats, { bytes, expected }: Change): Promise<string | Refusal> {
  const handle = await openFile(path, O_WRONLY);
  try {
    const now = await handle.stat();
    if (now.ino !== status.ino || now.dev !== status.dev) return { refused: 'it was replaced meanwhile' };
    const old = await expectedBytes(path, status, expected);
    if (!Buffer.isBuffer(old)) return old;
    try {
      await fill(handle, bytes);
    } catch (error) {
      await fill(handle, old);
      throw error;
    }
    return hashOf(bytes);
  } finally {
    await handle.close();
  }
}

async function fill(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** A new file beside the target, which is gone afterwards unless it was renamed. */
async function withTemporary<T>(
  folder: HeldFolder,
  mode: number,
  use: (path: string, handle: FileHandle) => Promise<T>,
): Promise<T | Refusal> {
  const path = folder.pathOf(temporaryName());
  const handle = await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode).catch((error: unknown) => {
    if (codeOf(error) !== 'EACCES') throw error;
    return {
      refused: 'there is no permission for it: its folder may not be written, and a file is replaced as a whole',
    };
  });
  if ('refused' in handle) return handle;
  try {
    return await use(path, handle);
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

/** Makes what is missing of a folder's path, each in its held parent, which nobody can swap; gives the outermost folder that was made. */
async function makeFolders(path: string): Promise<{ outermost: string | undefined } | Refusal> {
  const missing: string[] = [];
  for (let at = path; statusOf(at) === undefined; at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    const parent = await holdFolder(dirname(folder));
    if ('refused' in parent) return parent;
    try {
      await mkdir(parent.pathOf(basename(folder)));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      await parent.close();
    }
  }
  return { outermost: missing.at(-1) };
}

/** Removes the folders that were made for a file which then was not written. */
async function removeMade(folder: string, made: string | undefined): Promise<void> {
  if (made === undefined) return;
  for (let path = folder; path.length >= made.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return; // someone uses it by now
    }
  }
}
