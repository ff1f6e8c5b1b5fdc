/** Removes one file, only if it is what the caller believes it to be. */
import { constants } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { holdFolder, openFile, whyNoFile } from './handle.ts';
import { hashOf, readBytes } from './read.ts';
import { codeOf, reasonOf } from './reasons.ts';
import { whyNot, type Refusal } from './resolve.ts';

/** `expected` is the hash of the bytes that go. */
export async function removeWhole(workspace: string, real: string, expected: string): Promise<null | Refusal> {
  const refused = real === workspace ? { refused: 'it is the workspace itself' } : whyNot(workspace, real, 'write');
  if (refused !== undefined) return refused;
  try {
    const folder = await holdFolder(dirname(real));
    if ('refused' in folder) return folder;
    try {
      const path = folder.pathOf(basename(real));
      const changed = await whyChanged(path, expected);
      if (changed !== undefined) return changed;
      await unlink(path);
      await folder.sync();
      return null;
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { refused: 'it is gone by now' };
    return { refused: reasonOf(error) };
  }
}

async function whyChanged(path: string, expected: string): Promise<Refusal | undefined> {
  const status = await lstat(path);
  if (status.isSymbolicLink()) return { refused: 'it has become a link meanwhile' };
  const kind = whyNoFile(status);
  if (kind !== undefined) return kind;
  const handle = await openFile(path, constants.O_RDONLY);
  try {
    const bytes = await readBytes(handle, status.size);
    if (!Buffer.isBuffer(bytes)) return bytes;
    return hashOf(bytes) === expected ? undefined : { refused: 'its content has changed meanwhile' };
  } finally {
    await handle.close();
  }
}
