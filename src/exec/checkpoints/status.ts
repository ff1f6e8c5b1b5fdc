/** What the system says of a file, so that one that is the same needn't be read again. */
import { lstatSync, type BigIntStats } from 'node:fs';
import { systemPath, type ByteText } from './names.ts';

/** All that changes when a file's bytes, mode or identity do; times in nanoseconds. */
export interface Status {
  dev: bigint;
  ino: bigint;
  mode: bigint;
  size: bigint;
  mtime: bigint;
  ctime: bigint;
}

/** Nanoseconds: a file may change again within a tick of the file system’s clock without new times. */
const tick = 100_000_000n;
/** File systems that count in whole seconds, or in two of them. */
const coarseTick = 2_100_000_000n;
const second = 1_000_000_000n;

export function statusOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): Status {
  return { dev, ino, mode, size, mtime: mtimeNs, ctime: ctimeNs };
}

export function isSame(status: Status | undefined, now: BigIntStats): boolean {
  return (
    status !== undefined &&
    status.ctime === now.ctimeNs &&
    status.mtime === now.mtimeNs &&
    status.size === now.size &&
    status.ino === now.ino &&
    status.mode === now.mode &&
    status.dev === now.dev
  );
}

/** Nanoseconds since 1970. */
export function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** Whether a file that was read from `since` (nanoseconds) on can't have changed after that without changing its times. */
export function isSettled({ mtimeNs, ctimeNs }: BigIntStats, since: bigint): boolean {
  const isCoarse = mtimeNs % second === 0n && ctimeNs % second === 0n;
  const limit = since - (isCoarse ? coarseTick : tick);
  // A time in the future was set by hand: writing sets the present one.
  return ctimeNs < limit && (mtimeNs < limit || mtimeNs > since + second);
}

/** The status of what is at a path, a link not followed; undefined when there is nothing, or an error code. */
export function look(path: ByteText): BigIntStats | string | undefined {
  try {
    return lstatSync(systemPath(path), { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

const reasons: { [code: string]: string } = {
  EACCES: 'there is no permission for it',
  EPERM: 'the system doesn’t permit it',
  ENAMETOOLONG: 'its path is too long for the system',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
  EBUSY: 'it is in use by the system',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists by now',
  EISDIR: 'it is a folder',
  ELOOP: 'a folder on the way to it is a link',
  ENOENT: 'its folder is gone',
  ENOSPC: 'there is no room left on the disk',
  ENOTDIR: 'something on the way to it is no folder',
  ENOTEMPTY: 'it holds something else by now',
  EROFS: 'its disk is read-only',
  ETXTBSY: 'it is a program that is running',
};

export function reasonFor(code: string): string {
  return reasons[code] ?? `the system reports ${code}`;
}
