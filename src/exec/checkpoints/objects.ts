/** The objects of a store, by id: each in a file of its own, or many in a pack. What is read is checked against its id. */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { Pack, type StoredObject } from './pack.ts';
import type { ObjectType } from './pack-format.ts';
import { temporaryPath, type StoreFolder } from './store-folder.ts';

export type { StoredObject };

/** Ids that are known to be there are remembered up to this number. */
const mostRemembered = 200_000;
export const compression = { level: 1 };

export function looseHeader(type: ObjectType, size: number): Buffer {
  return Buffer.from(`${type} ${size}\0`, 'latin1');
}

export function objectId(type: ObjectType, bytes: Buffer): string {
  return createHash('sha256').update(looseHeader(type, bytes.length)).update(bytes).digest('hex');
}

export class Objects {
  readonly folder: StoreFolder;
  #packs: Pack[] | undefined;
  #known = new Set<string>();

  constructor(folder: StoreFolder) {
    this.folder = folder;
  }

  /** Forgets what it believes to be there: somebody may have removed it. */
  reload(): void {
    for (const pack of this.#packs ?? []) pack.close();
    this.#packs = undefined;
    this.#known.clear();
  }

  get packs(): Pack[] {
    return (this.#packs ??= this.#findPacks());
  }

  /** A pack that this process wrote. */
  addPack(base: string): void {
    this.#packs?.push(new Pack(base));
  }

  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    const isThere = this.#looseSize(id) > 0 || this.packs.some(({ index }) => index.find(id) !== undefined);
    if (isThere) this.remember(id);
    return isThere;
  }

  remember(id: string): void {
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.add(id);
  }

  /** Undefined when it isn't there, or not whole. */
  read(id: string): StoredObject | undefined {
    return this.#checked(id, () => this.#readLoose(id)) ?? this.#checked(id, () => this.#readPacked(id));
  }

  /** Type and size without reading the whole; undefined when it isn't there. */
  header(id: string): { type: ObjectType; size: number } | undefined {
    try {
      const loose = this.#looseStart(id);
      if (loose !== undefined) return parseHeader(loose);
      for (const pack of this.packs) {
        const place = pack.index.find(id);
        if (place !== undefined) return pack.header(place);
      }
    } catch {
      // damaged comes to the same as missing
    }
    return undefined;
  }

  isLoose(id: string): boolean {
    return this.#looseSize(id) > 0;
  }

  looseFile(id: string): string {
    return join(this.folder.objects, id.slice(0, 2), id.slice(2));
  }

  /** Writes an object into a file of its own. */
  writeLoose(id: string, type: ObjectType, bytes: Buffer): string {
    const temporary = temporaryPath(this.folder);
    try {
      const content = Buffer.concat([looseHeader(type, bytes.length), bytes]);
      writeFileSync(temporary, deflateSync(content, compression), { flag: 'wx', mode: 0o600 });
      return this.adoptLoose(id, temporary);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Gives a whole temporary file its place. */
  adoptLoose(id: string, temporary: string): string {
    const file = this.looseFile(id);
    try {
      renameSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      renameSync(temporary, file);
    }
    this.remember(id);
    return file;
  }

  removeLoose(id: string): void {
    rmSync(this.looseFile(id), { force: true });
    this.#known.delete(id);
  }

  /** Ids and sizes on disk (bytes) of all that have files of their own. */
  *loose(): Generator<{ id: string; bytes: number }> {
    for (const prefix of readdirSync(this.folder.objects)) {
      if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
      for (const rest of readdirSync(join(this.folder.objects, prefix))) {
        const id = prefix + rest;
        if (/^[0-9a-f]{64}$/.test(id)) yield { id, bytes: this.#looseSize(id) };
      }
    }
  }

  #looseSize(id: string): number {
    return statSync(this.looseFile(id), { throwIfNoEntry: false })?.size ?? 0;
  }

  #findPacks(): Pack[] {
    const names = readdirSync(this.folder.packs).filter((name) => name.endsWith('.idx'));
    const packs = names.map((name) => new Pack(join(this.folder.packs, name.slice(0, -4))));
    return packs.filter((pack) => {
      try {
        return pack.index.count > 0;
      } catch {
        return false; // a damaged index: what it named counts as missing, and is written anew when it is seen again
      }
    });
  }

  #checked(id: string, read: () => StoredObject | undefined): StoredObject | undefined {
    try {
      const found = read();
      return found !== undefined && objectId(found.type, found.bytes) === id ? found : undefined;
    } catch {
      return undefined; // damaged comes to the same as missing
    }
  }

  #readLoose(id: string): StoredObject | undefined {
    if (this.#looseSize(id) === 0) return undefined;
    const content = inflateSync(readFileSync(this.looseFile(id)));
    const header = parseHeader(content);
    return header && { type: header.type, bytes: content.subarray(header.length) };
  }

  #readPacked(id: string): StoredObject | undefined {
    for (const pack of this.packs) {
      const place = pack.index.find(id);
      const found = place === undefined ? undefined : pack.read(place);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The beginning of an object with a file of its own. */
  #looseStart(id: string): Buffer | undefined {
    if (this.#looseSize(id) === 0) return undefined;
    const file = openSync(this.looseFile(id), 'r');
    try {
      const start = Buffer.alloc(256);
      const count = readSync(file, start);
      // The rest of the stream isn't there: what comes out so far is all that is wanted.
      return inflateSync(start.subarray(0, count), { finishFlush: 2 });
    } finally {
      closeSync(file);
    }
  }
}

export function parseHeader(content: Buffer): { type: ObjectType; size: number; length: number } | undefined {
  const [whole, type, size] = /^(blob|tree) (\d{1,15})\0/.exec(content.toString('latin1', 0, 32)) ?? [];
  if (whole === undefined) return undefined;
  return { type: type as ObjectType, size: Number(size), length: whole.length };
}
