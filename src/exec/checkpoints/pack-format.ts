/**
 * The parts of Git's pack format that are used here: whole objects, no deltas, under SHA-256
 * (https://git-scm.com/docs/gitformat-pack).
 */
import { createHash } from 'node:crypto';
import { idBytes } from './trees.ts';

export type ObjectType = 'blob' | 'tree';

const typeNumbers = { tree: 2, blob: 3 } as const;
const magic = 0xff744f63;
const idxVersion = 2;
const fanoutAt = 8;
const idsAt = fanoutAt + 256 * 4;

export const packHeaderBytes = 12;

export function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  return header;
}

/** What stands before an object's compressed content: its type and its size. */
export function objectHeader(type: ObjectType, size: number): Buffer {
  const bytes: number[] = [];
  let first = (typeNumbers[type] << 4) | (size & 0x0f);
  for (let rest = Math.floor(size / 16); ; rest = Math.floor(rest / 128)) {
    bytes.push(rest > 0 ? first | 0x80 : first);
    if (rest === 0) return Buffer.from(bytes);
    first = rest % 128;
  }
}

/** Undefined for a type that isn't written here. */
export function readObjectHeader(bytes: Buffer): { type: ObjectType; size: number; length: number } | undefined {
  const first = bytes[0] ?? 0;
  const type = (first >> 4) & 7;
  let size = first & 0x0f;
  let length = 1;
  for (let byte = first, factor = 16; (byte & 0x80) !== 0; factor *= 128, length++) {
    byte = bytes[length] ?? 0;
    size += (byte & 0x7f) * factor;
  }
  if (type === typeNumbers.tree) return { type: 'tree', size, length };
  return type === typeNumbers.blob ? { type: 'blob', size, length } : undefined;
}

export interface PackedObject {
  id: string;
  /** Where it begins in the pack, below 2 GiB. */
  offset: number;
  crc: number;
}

export function encodeIndex(objects: readonly PackedObject[], packChecksum: Buffer): Buffer {
  const sorted = objects.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const count = sorted.length;
  const index = Buffer.alloc(idsAt + count * (idBytes + 8) + 2 * idBytes);
  index.writeUInt32BE(magic, 0);
  index.writeUInt32BE(idxVersion, 4);
  const crcsAt = idsAt + count * idBytes;
  for (const [place, { id, offset, crc }] of sorted.entries()) {
    index.write(id, idsAt + place * idBytes, 'hex');
    index.writeUInt32BE(crc, crcsAt + place * 4);
    index.writeUInt32BE(offset, crcsAt + count * 4 + place * 4);
  }
  for (let byte = 0, place = 0; byte < 256; byte++) {
    while (place < count && Number.parseInt((sorted[place] as PackedObject).id.slice(0, 2), 16) <= byte) place += 1;
    index.writeUInt32BE(place, fanoutAt + byte * 4);
  }
  const checksumAt = index.length - 2 * idBytes;
  packChecksum.copy(index, checksumAt);
  createHash('sha256')
    .update(index.subarray(0, -idBytes))
    .digest()
    .copy(index, checksumAt + idBytes);
  return index;
}

/** The ids in a pack and where their objects begin. */
export class PackIndex {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #idBytes: number;

  /** Throws when the bytes aren't a whole index. */
  constructor(bytes: Buffer, idLength = idBytes) {
    this.#bytes = bytes;
    this.#idBytes = idLength;
    if (bytes.length < idsAt || bytes.readUInt32BE(0) !== magic || bytes.readUInt32BE(4) !== idxVersion)
      throw new Error('it is no index of a pack');
    this.count = bytes.readUInt32BE(fanoutAt + 255 * 4);
    if (bytes.length < idsAt + this.count * (idLength + 8) + 2 * idLength) throw new Error('it is cut');
  }

  idAt(place: number): string {
    const at = idsAt + place * this.#idBytes;
    return this.#bytes.toString('hex', at, at + this.#idBytes);
  }

  offsetAt(place: number): number {
    return this.#bytes.readUInt32BE(idsAt + this.count * (this.#idBytes + 4) + place * 4);
  }

  crcAt(place: number): number {
    return this.#bytes.readUInt32BE(idsAt + this.count * this.#idBytes + place * 4);
  }

  /** The place of an id; undefined when it isn't in here. */
  find(id: string): number | undefined {
    const wanted = Buffer.from(id, 'hex');
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : this.#bytes.readUInt32BE(fanoutAt + (first - 1) * 4);
    let high = this.#bytes.readUInt32BE(fanoutAt + first * 4);
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = idsAt + middle * this.#idBytes;
      const order = this.#bytes.compare(wanted, 0, this.#idBytes, at, at + this.#idBytes);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }
}
