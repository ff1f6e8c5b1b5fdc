/** Reads a file's content into the store: what is opened is what was looked at, nothing is waited for, and no link is followed. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  type BigIntStats,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDeflate, deflateSync } from 'node:zlib';
import type { Batch } from './batch.ts';
import { compression, looseHeader } from './objects.ts';
import { systemPath, type ByteText } from './names.ts';
import { isSettled, nowNs, reasonFor } from './status.ts';
import { temporaryPath, unwritable } from './store-folder.ts';

export type Content =
  /** `status`: of the file that was read; undefined when it may have changed meanwhile, so that it has to be read again. */
  | { id: string; size: number; status: BigIntStats | undefined }
  /** `lasting`: reading it again makes no sense before its status changes. */
  | { why: string; lasting: boolean }
  | 'gone';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const hasDescriptorPaths = existsSync('/proc/self/fd');
/** Bytes; a larger file isn't held in memory. */
const largestWhole = 4 * 1024 * 1024;
const chunkBytes = 512 * 1024;
const sampleBytes = 64 * 1024;
/** A file that changes while it is read is read again so often. */
const mostTries = 3;
const gone = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** `limit`: bytes of the largest file that is taken. */
export async function keepFile(path: ByteText, limit: number, batch: Batch): Promise<Content> {
  let file: number;
  const since = nowNs();
  try {
    file = openSync(systemPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return failure(error);
  }
  try {
    if (!isAt(file, path)) return { why: 'it was moved while it was looked at', lasting: false };
    return await keepOpen(file, limit, since, batch);
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(file);
  }
}

/** What a link says. */
export async function keepLink(path: ByteText, batch: Batch): Promise<Content> {
  try {
    const target = readlinkSync(systemPath(path), 'buffer');
    return { id: await batch.put('blob', target), size: target.length, status: undefined };
  } catch (error) {
    return failure(error);
  }
}

/** An error that isn't one of the file's own is the store's, and goes on. */
function failure(error: unknown): Content {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isOfFile = code !== undefined && ['open', 'read', 'fstat', 'readlink', 'realpath'].includes(syscall ?? '');
  if (!isOfFile) throw error;
  if (gone.has(code)) return 'gone';
  return { why: reasonFor(code), lasting: code === 'EACCES' };
}

/** Whether an open file is the one at this path: a folder on the way may have become a link. */
function isAt(file: number, path: ByteText): boolean {
  if (hasDescriptorPaths) return readlinkSync(`/proc/self/fd/${file}`, 'latin1') === path;
  const real = realpathSync.native(systemPath(path), 'buffer');
  const [a, b] = [statSync(real), fstatSync(file)];
  return real.toString('latin1') === path && a.ino === b.ino && a.dev === b.dev;
}

async function keepOpen(file: number, limit: number, since: bigint, batch: Batch): Promise<Content> {
  for (let tries = 1; ; tries++) {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) return 'gone';
    const size = Number(before.size);
    if (size > limit) return { why: 'it grew beyond what is kept', lasting: false };
    const kept = size > largestWhole ? await keepLarge(file, size, batch) : await keepWhole(file, size, batch);
    const after = fstatSync(file, { bigint: true });
    const isSteady = kept?.size === size && before.ctimeNs === after.ctimeNs && before.mtimeNs === after.mtimeNs;
    if (isSteady) return { ...kept, status: isSettled(after, since) ? after : undefined };
    if (tries < mostTries) continue;
    if (kept === undefined) return { why: 'it kept changing while it was read', lasting: false };
    return { ...kept, status: undefined };
  }
}

/** Undefined for a file that grew beyond what is held in memory. */
async function keepWhole(file: number, size: number, batch: Batch): Promise<{ id: string; size: number } | undefined> {
  // One byte more than expected, so that a file that grew is noticed.
  let bytes = Buffer.allocUnsafe(size + 1);
  let total = 0;
  for (;;) {
    const count = readSync(file, bytes, total, bytes.length - total, total);
    if (count === 0) break;
    total += count;
    if (total < bytes.length) continue;
    if (total > largestWhole) return undefined;
    bytes = Buffer.concat([bytes, Buffer.allocUnsafe(64 * 1024)]);
  }
  return { id: await batch.put('blob', bytes.subarray(0, total)), size: total };
}

/** Undefined when there were fewer bytes than its object's header says; of a file that grows, the first ones are taken. */
async function keepLarge(file: number, size: number, batch: Batch): Promise<{ id: string; size: number } | undefined> {
  const temporary = temporaryPath(batch.objects.folder);
  const hash = createHash('sha256');
  let total = 0;
  async function* content(): AsyncGenerator<Buffer> {
    const header = looseHeader('blob', size);
    hash.update(header);
    yield header;
    while (total < size) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - total));
      const count = readSync(file, chunk, 0, chunk.length, total);
      if (count === 0) return;
      total += count;
      hash.update(chunk.subarray(0, count));
      yield chunk.subarray(0, count);
      await nextTurn();
    }
  }
  const level = isCompressible(file) ? compression.level : 0;
  const deflate = createDeflate({ level, chunkSize: chunkBytes });
  const output = createWriteStream(temporary, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(content, deflate, output);
    if (total !== size) return undefined;
    const id = hash.digest('hex');
    batch.adopt(id, temporary, output.bytesWritten);
    return { id, size };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'read' ? error : unwritable(temporary, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Packs, images and archives are compressed already: trying again costs time and gains nothing. */
function isCompressible(file: number): boolean {
  const sample = Buffer.allocUnsafe(sampleBytes);
  const count = readSync(file, sample, 0, sampleBytes, 0);
  return deflateSync(sample.subarray(0, count), compression).length < count * 0.9;
}
