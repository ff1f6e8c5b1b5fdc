/** The repositories within a repository that its index names (submodules among them), read without Git: format of the index, gitformat-index(5). */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statusOf } from '../paths.ts';

/** Bytes of an index that is read. */
const largest = 64 * 1024 * 1024;
/** The mode of an entry that is a commit of another repository. */
const commit = 0o160000;

/** Paths relative to the working tree; undefined where the index can't be read. `hashBytes`: 20, or 32 for SHA-256. */
export function gitlinksOf(index: string, hashBytes: 20 | 32): string[] | undefined {
  const status = statusOf(index);
  if (status === undefined) return [];
  if (!status.isFile() || status.size > largest) return undefined;
  try {
    const bytes = readFileSync(index);
    const { found, end } = entriesIn(bytes, hashBytes);
    const base = sharedBase(bytes, end, hashBytes);
    const shared = base === undefined ? [] : gitlinksOf(join(dirname(index), `sharedindex.${base}`), hashBytes);
    // An entry in place of one of the shared index has no name.
    return shared === undefined || found.includes('') ? undefined : [...new Set([...shared, ...found])];
  } catch {
    return undefined; // not to be read, or cut off in the middle of an entry
  }
}

/** The shared index that a split one adds to, by its hash: named by an extension behind the entries. */
function sharedBase(bytes: Buffer, end: number, hashBytes: number): string | undefined {
  for (let at = end; at + 8 <= bytes.length - hashBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString('latin1', at, at + 4) !== 'link') continue;
    const hash = bytes.subarray(at + 8, at + 8 + hashBytes);
    return hash.every((byte) => byte === 0) ? undefined : hash.toString('hex');
  }
  return undefined;
}

function entriesIn(bytes: Buffer, hashBytes: number): { found: string[]; end: number } {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) throw new Error('no index');
  const found: string[] = [];
  let at = 12;
  let path = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const begin = at;
    const mode = bytes.readUInt32BE(at + 24);
    const flags = bytes.readUInt16BE(at + 40 + hashBytes);
    at += 42 + hashBytes + ((flags & 0x4000) === 0 ? 0 : 2);
    let kept = 0;
    if (version === 4) {
      // Version 4 says how many bytes of the path before are dropped.
      const dropped = offsetAt(bytes, at);
      at = dropped.end;
      kept = path.length - dropped.value;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) throw new Error('a name without an end');
    if (version === 4 || mode === commit) path = Buffer.concat([path.subarray(0, kept), bytes.subarray(at, end)]);
    if (mode === commit) found.push(path.toString('utf8'));
    at = version === 4 ? end + 1 : begin + ((end - begin + 8) & ~7);
  }
  return { found, end: at };
}

/** A number as Git's pack files write offsets. */
function offsetAt(bytes: Buffer, from: number): { value: number; end: number } {
  let at = from;
  let byte = bytes.readUInt8(at);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes.readUInt8(at);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at + 1 };
}
