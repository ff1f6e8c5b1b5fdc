/**
 * The new objects of one snapshot. A few get files of their own; many are written into one pack. Nothing is in the store before
 * `flush`, and what a killed process leaves is a temporary file at most.
 */
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { compression, objectId, type Objects } from './objects.ts';
import type { Pace } from './pace.ts';
import { objectHeader, type ObjectType } from './pack-format.ts';
import { largestPack, PackWriter } from './pack-writer.ts';
import { unwritable } from './store-folder.ts';

/** So many objects may get files of their own. */
const mostLoose = 48;
/** Bytes of content that wait in memory at most. */
const mostWaiting = 8 * 1024 * 1024;
/** Bytes; compressing more than this would hold up everybody else, so other threads do it. */
const largestInline = 128 * 1024;

const uncompressed = { level: 0 };
const deflateAside = promisify<Buffer, { level: number }, Buffer>(deflate);

interface Waiting {
  type: ObjectType;
  bytes: Buffer;
}

export class Batch {
  readonly #objects: Objects;
  readonly #pace: Pace;
  #waiting = new Map<string, Waiting>();
  #waitingBytes = 0;
  #pack: PackWriter | undefined;
  /** Objects that are in packs of this batch. */
  #packed = new Set<string>();
  #loose: string[] = [];
  /** Bytes that were added to the store. */
  written = 0;

  constructor(objects: Objects, pace: Pace) {
    this.#objects = objects;
    this.#pace = pace;
  }

  get objects(): Objects {
    return this.#objects;
  }

  /** Takes the bytes, which must not be changed afterwards; gives their id. */
  async put(type: ObjectType, bytes: Buffer): Promise<string> {
    const id = objectId(type, bytes);
    try {
      if (this.has(id)) return id;
      this.#waiting.set(id, { type, bytes });
      this.#waitingBytes += bytes.length;
      if (this.#waitingBytes > mostWaiting) await this.#packWaiting();
      return id;
    } catch (error) {
      throw unwritable(this.#objects.folder.path, error);
    }
  }

  has(id: string): boolean {
    return this.#waiting.has(id) || this.#packed.has(id) || this.#objects.has(id);
  }

  /** Takes an object that lies whole in a temporary file. */
  adopt(id: string, temporary: string, bytes: number): void {
    if (this.has(id)) {
      rmSync(temporary, { force: true });
      return;
    }
    this.#loose.push(this.#objects.adoptLoose(id, temporary));
    this.written += bytes;
  }

  /** Has all of it in the store. */
  async flush(): Promise<void> {
    try {
      await this.#flush();
    } catch (error) {
      throw unwritable(this.#objects.folder.path, error);
    }
  }

  abandon(): void {
    this.#pack?.abandon();
    this.#pack = undefined;
  }

  /**
   * Has the files survive the end of the machine. A snapshot doesn't wait for this: the end of the process takes nothing away, and what
   * a power cut has damaged is told by its id.
   */
  async settle(): Promise<void> {
    for (const file of this.#loose.splice(0)) {
      const handle = await open(file, 'r').catch(() => undefined); // removed meanwhile
      await handle?.datasync().catch(() => undefined); // a disk that can't is as safe as it gets
      await handle?.close();
    }
  }

  async #flush(): Promise<void> {
    if (this.#pack !== undefined || this.#waiting.size > mostLoose) {
      await this.#packWaiting();
      await this.#endPack();
      return;
    }
    for (const [id, { type, bytes }] of this.#waiting) {
      this.#loose.push(this.#objects.writeLoose(id, type, bytes));
      this.written += bytes.length;
      if (this.#pace.isDue()) await this.#pace.rest();
    }
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }

  async #packWaiting(): Promise<void> {
    for (const [id, { type, bytes }] of this.#waiting) {
      const options = isCompressed(bytes) ? uncompressed : compression;
      const isLarge = bytes.length > largestInline;
      const content = isLarge ? await deflateAside(bytes, options) : deflateSync(bytes, options);
      if ((this.#pack?.size ?? 0) + content.length > largestPack) await this.#endPack();
      this.#pack ??= new PackWriter(this.#objects);
      this.#pack.add(id, [objectHeader(type, bytes.length), content]);
      this.#packed.add(id);
      if (this.#pace.isDue()) await this.#pace.rest();
    }
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }

  async #endPack(): Promise<void> {
    const pack = this.#pack;
    if (pack === undefined) return;
    await pack.finish(this.#pace);
    this.written += pack.size;
    this.#pack = undefined;
  }
}

/** What is compressed already (gzip, zip, PNG, JPEG, zlib as Git’s objects are) gains nothing from being so again. */
function isCompressed(bytes: Buffer): boolean {
  if (bytes.length < 4) return false;
  const start = bytes.readUInt16BE(0);
  const isZlib = bytes[0] === 0x78 && start % 31 === 0;
  return isZlib || [0x1f8b, 0x504b, 0x8950, 0xffd8].includes(start);
}
