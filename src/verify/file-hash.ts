/** SHA-256 of files by their raw bytes, remembered as long as a file's metadata say that it is the same. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from 'node:fs';

/** Bytes; a larger file is known by its metadata: any write changes them, and a touch counts as a change, which is the safe side. */
const largestRead = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;
/** Nanoseconds. Files changed so shortly before they were read may change again without new time stamps. */
const settleTime = 100_000_000n;

interface Remembered {
  metadata: string;
  hash: string;
}

export class FileHashes {
  #remembered = new Map<string, Remembered>();
  #bytesRead = 0;
  #buffer: Buffer | undefined;

  /** Bytes read since the last call of this. */
  takeBytesRead(): number {
    const count = this.#bytesRead;
    this.#bytesRead = 0;
    return count;
  }

  /** Forgets all but the given files. */
  keepOnly(paths: Iterable<Buffer>): void {
    const kept = new Map<string, Remembered>();
    for (const path of paths) {
      const key = path.toString('latin1');
      const value = this.#remembered.get(key);
      if (value !== undefined) kept.set(key, value);
    }
    this.#remembered = kept;
  }

  /** The hash of a file, of what a link says (never of what it leads to), or null where there is nothing; a folder counts as nothing. */
  hash(path: Buffer): string | null {
    const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (status === undefined || status.isDirectory()) return null;
    if (status.isSymbolicLink()) return sha256('link to ', readlinkSync(path, 'buffer'));
    if (!status.isFile()) return sha256(`special file ${status.mode} ${status.rdev}`);
    if (status.size > largestRead) return sha256(`large file ${metadataOf(status)}`);
    const key = path.toString('latin1');
    const known = this.#remembered.get(key);
    if (known?.metadata === metadataOf(status)) return known.hash;
    return this.#read(path, key);
  }

  #read(path: Buffer, key: string): string | null {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      // What can't be read can still be told apart by its metadata.
      const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return status === undefined ? null : sha256(`unreadable file ${metadataOf(status)}`);
    }
    try {
      const status = fstatSync(file, { bigint: true });
      const hash = this.#digest(file);
      if (hash === undefined) return sha256(`large file ${metadataOf(status)}`);
      const now = BigInt(Date.now()) * 1_000_000n;
      const isSettled = now - status.mtimeNs > settleTime && now - status.ctimeNs > settleTime;
      if (isSettled) this.#remembered.set(key, { metadata: metadataOf(status), hash });
      return hash;
    } finally {
      closeSync(file);
    }
  }

  /** Undefined for a file that grows beyond what is read. */
  #digest(file: number): string | undefined {
    const buffer = (this.#buffer ??= Buffer.allocUnsafeSlow(chunkBytes));
    const digest = createHash('sha256');
    for (let total = 0; total <= largestRead;) {
      const count = readSync(file, buffer, 0, chunkBytes, null);
      if (count === 0) return digest.digest('hex');
      digest.update(buffer.subarray(0, count));
      total += count;
      this.#bytesRead += count;
    }
    return undefined;
  }
}

function metadataOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function sha256(...parts: (string | Buffer)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
}
