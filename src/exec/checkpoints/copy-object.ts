/** Reads the content of an object, checked against its id, without holding much of it. */
import { createHash } from 'node:crypto';
import { createReadStream, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { parseHeader, type Objects } from './objects.ts';
import type { Pace } from './pace.ts';

/** Bytes of what is read as a whole. */
const largestWhole = 4 * 1024 * 1024;

/** Whether an object is there and whole. */
export function isWhole(objects: Objects, id: string, pace: Pace): Promise<boolean> {
  return read(objects, id, () => undefined, pace);
}

/** False when it isn't there or is damaged: what the file holds then is of no use. */
export function copyObject(objects: Objects, id: string, file: number, pace: Pace): Promise<boolean> {
  return read(objects, id, (bytes) => writeAll(file, bytes), pace);
}

async function read(objects: Objects, id: string, take: (bytes: Buffer) => void, pace: Pace): Promise<boolean> {
  const header = objects.header(id);
  if (header === undefined) return false;
  const isStreamed = header.size > largestWhole && objects.isLoose(id);
  if (isStreamed) return readLarge(objects.looseFile(id), id, take, pace);
  const found = objects.read(id);
  if (found === undefined) return false;
  take(found.bytes);
  return true;
}

async function readLarge(path: string, id: string, take: (bytes: Buffer) => void, pace: Pace): Promise<boolean> {
  const hash = createHash('sha256');
  let isFirst = true;
  try {
    await pipeline(
      createReadStream(path),
      createInflate({ chunkSize: 256 * 1024 }),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) {
          hash.update(chunk);
          // The header is in the first piece.
          take(isFirst ? chunk.subarray(parseHeader(chunk)?.length ?? 0) : chunk);
          isFirst = false;
          if (pace.isDue()) await pace.rest();
        }
      },
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === 'write') throw error;
    return false; // it can't be read or decompressed
  }
  return hash.digest('hex') === id;
}

export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
