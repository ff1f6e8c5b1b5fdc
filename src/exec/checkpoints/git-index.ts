/** Git's index, read without Git (https://git-scm.com/docs/gitformat-index): versions 2 to 4, also split and sparse ones. */
import { createHash } from 'node:crypto';
import type { ByteText } from './names.ts';

export interface IndexEntry {
  path: ByteText;
  mode: number;
  /** Hex. */
  id: string;
  /** Stage and all flags but the length of the name. */
  flags: number;
}

export interface GitIndex {
  entries: IndexEntry[];
  /** Of a split index: the id of the part that all of its versions share. */
  shared: string | undefined;
  /** What the extension of a split index says, which decides what is taken from the shared part. */
  link: Buffer | undefined;
}

const statBytes = 40;
const modeAt = 24;
const extended = 0x4000;
const lengthMask = 0x0fff;

/** Undefined for bytes that are no index. */
export function parseIndex(bytes: Buffer): GitIndex | undefined {
  // It doesn't say which hash it was made with: only the right one comes out even.
  return parseWith(bytes, 20) ?? parseWith(bytes, 32);
}

function parseWith(bytes: Buffer, hashBytes: number): GitIndex | undefined {
  if (bytes.length < 12 + hashBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const reader = new EntryReader(bytes, version, hashBytes);
  const entries: IndexEntry[] = [];
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const entry = reader.next();
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return readExtensions(bytes, reader.at, hashBytes, entries);
}

class EntryReader {
  at = 12;
  readonly #bytes: Buffer;
  readonly #version: number;
  readonly #hashBytes: number;
  #last = '';

  constructor(bytes: Buffer, version: number, hashBytes: number) {
    this.#bytes = bytes;
    this.#version = version;
    this.#hashBytes = hashBytes;
  }

  next(): IndexEntry | undefined {
    const start = this.at;
    const flagsAt = start + statBytes + this.#hashBytes;
    if (flagsAt + 4 > this.#bytes.length) return undefined;
    const mode = this.#bytes.readUInt32BE(start + modeAt);
    const id = this.#bytes.toString('hex', start + statBytes, flagsAt);
    const flags = this.#bytes.readUInt16BE(flagsAt);
    const isLong = (flags & extended) !== 0;
    const more = isLong ? this.#bytes.readUInt16BE(flagsAt + 2) : 0;
    const path = this.#name(start, flagsAt + (isLong ? 4 : 2));
    if (path === undefined) return undefined;
    return { path, mode, id, flags: (flags & ~lengthMask) * 0x10000 + more };
  }

  #name(start: number, nameAt: number): ByteText | undefined {
    let from = nameAt;
    let kept = '';
    if (this.#version === 4) {
      const removed = this.#number(nameAt);
      if (removed === undefined || removed.value > this.#last.length) return undefined;
      kept = this.#last.slice(0, this.#last.length - removed.value);
      from = removed.end;
    }
    const end = this.#bytes.indexOf(0, from);
    if (end < 0) return undefined;
    const path = kept + this.#bytes.toString('latin1', from, end);
    // Entries begin at multiples of eight, with one NUL at least in between, save in version 4.
    this.at = this.#version === 4 ? end + 1 : start + Math.floor((end - start + 8) / 8) * 8;
    this.#last = path;
    // In a split index an entry without a name replaces one of the shared part.
    return path;
  }

  #number(from: number): { value: number; end: number } | undefined {
    let byte = this.#bytes[from] ?? 0;
    let value = byte & 0x7f;
    let at = from + 1;
    while ((byte & 0x80) !== 0) {
      if (at - from > 4) return undefined;
      byte = this.#bytes[at] ?? 0;
      value = (value + 1) * 128 + (byte & 0x7f);
      at += 1;
    }
    return { value, end: at };
  }
}

function readExtensions(bytes: Buffer, from: number, hashBytes: number, entries: IndexEntry[]): GitIndex | undefined {
  const end = bytes.length - hashBytes;
  let link: Buffer | undefined;
  let at = from;
  while (at < end) {
    if (at + 8 > end) return undefined;
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end) return undefined;
    if (bytes.toString('latin1', at, at + 4) === 'link') link = bytes.subarray(at + 8, next);
    at = next;
  }
  if (at !== end) return undefined;
  return { entries, shared: link?.toString('hex', 0, hashBytes), link };
}

/** Tells whether two indexes say the same, whatever they remember of the files' times. Bytes that are no index count as they are. */
export function indexMeaning(bytes: Buffer): string {
  const index = parseIndex(bytes);
  const hash = createHash('sha256');
  if (index === undefined) return hash.update(bytes).digest('hex');
  for (const { path, mode, id, flags } of index.entries) hash.update(`${mode} ${id} ${flags} ${path}\0`, 'latin1');
  if (index.link !== undefined) hash.update(index.link);
  return hash.digest('hex');
}
