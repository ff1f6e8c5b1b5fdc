/** Small files that are read and replaced as a whole. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { writeAll } from './copy-object.ts';
import type { HeldFolder } from './held-folder.ts';
import { systemPath, type ByteText } from './names.ts';
import { objectId } from './objects.ts';
import { temporaryName } from './put.ts';
import { permissions } from './trees.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Bytes of what is read as a whole. */
const largest = 256 * 1024 * 1024;

export interface SmallFile {
  content: Buffer;
  mode: number;
  /** Of its content in a store. */
  id: string;
}

/** Undefined when there is no regular file, or one that is too large. */
export function readSmallFile(path: ByteText): SmallFile | undefined {
  let file: number;
  try {
    file = openSync(systemPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile() || status.size > largest) return undefined;
    const content = Buffer.alloc(status.size);
    readSync(file, content, 0, content.length, 0);
    return { content, mode: status.mode & permissions, id: objectId('blob', content) };
  } finally {
    closeSync(file);
  }
}

/** Replaces or makes a file in one step. */
export function replaceFile(folder: HeldFolder, name: ByteText, content: Buffer, mode: number): undefined {
  const temporary = systemPath(folder.pathOf(temporaryName()));
  try {
    const file = openSync(temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      writeAll(file, content);
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, systemPath(folder.pathOf(name)));
    folder.sync();
  } finally {
    rmSync(temporary, { force: true });
  }
}
