/** Reads a source as text; what isn't one is told by a word. Whatever is at the path, it takes no more than the bound. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs';

/** Bytes of a source, and characters of a line; larger ones are made by machines. */
export const largestSource = 256 * 1024;
const longestLine = 5_000;

/** Why a file has no symbols. */
export const unreads = ['gone', 'unreadable', 'large', 'binary', 'generated', 'unparsed'] as const;
export type Unread = (typeof unreads)[number];

export interface Source {
  text: string;
  /** SHA-256 of its bytes. */
  hash: string;
  stamp: Stamp;
}

/** By this a file is known to be the same. */
export interface Stamp {
  size: number;
  /** Milliseconds since the epoch: when its bytes changed, and when anything of it did. */
  modified: number;
  changed: number;
}

export function stampOf({ size, mtimeMs, ctimeMs }: Stats): Stamp {
  return { size, modified: mtimeMs, changed: ctimeMs };
}

/** `stamp`: as long as the file has that, it won’t be otherwise. */
export interface NoSource {
  unread: Unread;
  stamp?: Stamp;
}

/** `path`: real and absolute. A link in its place isn’t followed, nor is one in the place of a folder above. */
export function readSource(path: string): Source | NoSource {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { unread: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unreadable' };
  }
  try {
    return readOpen(descriptor, path);
  } catch {
    return { unread: 'unreadable' };
  } finally {
    closeSync(descriptor);
  }
}

function readOpen(descriptor: number, path: string): Source | NoSource {
  const status = fstatSync(descriptor);
  if (!status.isFile() || !isStill(descriptor, path)) return { unread: 'unreadable' };
  const stamp = stampOf(status);
  if (status.size > largestSource) return { unread: 'large', stamp };
  // One byte more than it has, so that one that grows meanwhile is seen to.
  const buffer = Buffer.allocUnsafe(status.size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(descriptor, buffer, length, buffer.length - length, null);
  const bytes = buffer.subarray(0, length);
  const text = textOf(bytes);
  if (text === undefined) return { unread: 'binary', stamp };
  if (hasLongLine(text)) return { unread: 'generated', stamp };
  return { text, hash: createHash('sha256').update(bytes).digest('hex'), stamp };
}

function isStill(descriptor: number, path: string): boolean {
  const real = process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync(path);
  return real === path;
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes.includes(0)) return undefined;
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff/, '') : bytes.toString('latin1');
}

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if ((end < 0 ? text.length : end) - start > longestLine) return true;
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}
