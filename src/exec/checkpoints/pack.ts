/** One pack of the store, for reading. */
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { packHeaderBytes, PackIndex, readObjectHeader, type ObjectType } from './pack-format.ts';
import { idBytes } from './trees.ts';

export interface StoredObject {
  type: ObjectType;
  bytes: Buffer;
}

/** Bytes that an object's header has at most. */
const longestHeader = 12;

export class Pack {
  /** Path without `.pack` or `.idx`. */
  readonly base: string;
  #index: PackIndex | undefined;
  #file: number | undefined;
  /** Where objects begin, ascending, and where the last one ends. */
  #bounds: Uint32Array | undefined;

  constructor(base: string) {
    this.base = base;
  }

  get index(): PackIndex {
    return (this.#index ??= new PackIndex(readFileSync(`${this.base}.idx`)));
  }

  header(place: number): { type: ObjectType; size: number } | undefined {
    const offset = this.index.offsetAt(place);
    return readObjectHeader(this.#read(offset, offset + longestHeader));
  }

  /** The object at a place of the index; undefined for one that isn't written here. Throws when the pack is damaged. */
  read(place: number): StoredObject | undefined {
    const raw = this.raw(place);
    const header = readObjectHeader(raw);
    if (header === undefined) return undefined;
    const bytes = inflateSync(raw.subarray(header.length), { maxOutputLength: header.size + 1 });
    return bytes.length === header.size ? { type: header.type, bytes } : undefined;
  }

  /** An object as it lies in the pack, with its header. */
  raw(place: number): Buffer {
    const offset = this.index.offsetAt(place);
    return this.#read(offset, this.#endOf(offset));
  }

  /** Bytes of an object in the pack. */
  sizeOf(place: number): number {
    const offset = this.index.offsetAt(place);
    return this.#endOf(offset) - offset;
  }

  /** Bytes of the file. */
  bytes(): number {
    return statSync(`${this.base}.pack`).size;
  }

  /** Removes it: the index first, because a pack is known by that. */
  remove(): void {
    this.close();
    rmSync(`${this.base}.idx`, { force: true });
    rmSync(`${this.base}.pack`, { force: true });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #endOf(offset: number): number {
    const bounds = (this.#bounds ??= this.#findBounds());
    let low = 0;
    for (let high = bounds.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return bounds[low] ?? offset;
  }

  #findBounds(): Uint32Array {
    const { index } = this;
    const bounds = new Uint32Array(index.count + 1);
    for (let place = 0; place < index.count; place++) bounds[place] = index.offsetAt(place);
    bounds[index.count] = Math.max(packHeaderBytes, statSync(`${this.base}.pack`).size - idBytes);
    return bounds.sort();
  }

  #read(from: number, to: number): Buffer {
    this.#file ??= openSync(`${this.base}.pack`, 'r');
    const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
    const count = readSync(this.#file, bytes, 0, bytes.length, from);
    return bytes.subarray(0, count);
  }
}
