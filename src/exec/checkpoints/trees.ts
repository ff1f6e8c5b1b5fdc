/**
 * Folders as Git trees. All permission bits are kept in the mode (Git itself writes only two of them), an empty folder is an empty
 * tree, and what isn't kept stands as a submodule's commit would, under an id that is no object's but tells two states apart.
 */
import { createHash } from 'node:crypto';
import { isName, type ByteText } from './names.ts';

export const idBytes = 32;

/** The file type in a mode, as Git has it. */
export const types = { file: 0o100000, link: 0o120000, folder: 0o040000, unkept: 0o160000 } as const;
const typeMask = 0o170000;
export const permissions = 0o7777;
/** Marks a folder of which only some entries are known. It stands above the bits that mean something to Git. */
export const partly = 0o1000000;

export interface TreeEntry {
  name: ByteText;
  /** File type and all permission bits. */
  mode: number;
  /** Lower-case hex. */
  id: string;
}

export function typeOf(mode: number): number {
  return mode & typeMask;
}

export function isTree({ mode }: TreeEntry): boolean {
  return typeOf(mode) === types.folder;
}

/** Ids of what isn't kept. */
export const leftOutFolder = fingerprint('a folder that is left out');
export const unkeptIgnored = fingerprint('an ignored file that is not kept');

/** An id for a state of something whose content isn't kept. */
export function fingerprint(text: string): string {
  return createHash('sha256').update('not kept: ').update(text).digest('hex');
}

export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries.map((entry) => ({ entry, key: isTree(entry) ? `${entry.name}/` : entry.name }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  const parts = sorted.map(({ entry }) => [
    Buffer.from(`${entry.mode.toString(8)} ${entry.name}\0`, 'latin1'),
    Buffer.from(entry.id, 'hex'),
  ]);
  return Buffer.concat(parts.flat());
}

/** Undefined for bytes that are no tree, or hold a name that no folder can. */
export function decodeTree(bytes: Buffer): TreeEntry[] | undefined {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, at);
    if (space < 0 || end < space || end + idBytes >= bytes.length) return undefined;
    const mode = Number.parseInt(bytes.toString('latin1', at, space), 8);
    const name = bytes.toString('latin1', space + 1, end);
    if (!Number.isInteger(mode) || !isName(name)) return undefined;
    at = end + 1 + idBytes;
    entries.push({ name, mode, id: bytes.toString('hex', end + 1, at) });
  }
  return entries;
}
