/** Writes packs. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Objects } from './objects.ts';
import type { Pace } from './pace.ts';
import { encodeIndex, packHeader, packHeaderBytes, type PackedObject } from './pack-format.ts';
import { temporaryPath } from './store-folder.ts';

/** Bytes of a pack, of which offsets have to stay below 2 GiB. */
export const largestPack = 1024 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/** Writes one pack; it is in the store when it is finished, or not at all. */
export class PackWriter {
  readonly #objects: Objects;
  readonly #temporary: string;
  readonly #file: number;
  #packed: PackedObject[] = [];
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #isOpen = true;
  /** Bytes so far. */
  size = packHeaderBytes;

  constructor(objects: Objects) {
    this.#objects = objects;
    this.#temporary = temporaryPath(objects.folder);
    this.#file = openSync(this.#temporary, 'wx+', 0o600);
    this.#write(packHeader(0));
  }

  get count(): number {
    return this.#packed.length;
  }

  /** `parts`: header and compressed content. */
  add(id: string, parts: Buffer[]): void {
    const crc = parts.reduce((value, part) => crc32(part, value), 0);
    this.#packed.push({ id, offset: this.size, crc });
    for (const part of parts) {
      this.#write(part);
      this.size += part.length;
    }
  }

  async finish(pace: Pace): Promise<void> {
    try {
      this.#drain();
      writeSync(this.#file, packHeader(this.#packed.length), 0, packHeaderBytes, 0);
      const checksum = await this.#checksum(pace);
      writeSync(this.#file, checksum, 0, checksum.length, this.size);
      this.#close();
      const index = `${this.#temporary}-idx`;
      writeFileSync(index, encodeIndex(this.#packed, checksum), { flag: 'wx', mode: 0o600 });
      await sync(this.#temporary);
      const base = join(this.#objects.folder.packs, `pack-${checksum.toString('hex')}`);
      renameSync(this.#temporary, `${base}.pack`);
      // Last, because a pack is known by its index.
      renameSync(index, `${base}.idx`);
      this.#objects.addPack(base);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  abandon(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
    rmSync(`${this.#temporary}-idx`, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  #write(part: Buffer): void {
    this.#buffered.push(part);
    this.#bufferedBytes += part.length;
    if (this.#bufferedBytes > chunkBytes) this.#drain();
  }

  #drain(): void {
    const bytes = Buffer.concat(this.#buffered);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    this.#buffered = [];
    this.#bufferedBytes = 0;
  }

  async #checksum(pace: Pace): Promise<Buffer> {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; at < this.size;) {
      const count = readSync(this.#file, chunk, 0, chunkBytes, at);
      if (count === 0) break;
      hash.update(chunk.subarray(0, count));
      at += count;
      if (pace.isDue()) await pace.rest();
    }
    return hash.digest();
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
