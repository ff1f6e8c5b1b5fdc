/**
 * What the workspace looked like, on disk, so that the next session reads only what changed since. It may be lost or damaged at any
 * time: then everything is read anew.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isName } from './names.ts';
import { FileNode, FolderNode, type Share } from './nodes.ts';
import type { Pace } from './pace.ts';
import type { State } from './state.ts';
import type { Status } from './status.ts';
import { writeWhole, type StoreFolder } from './store-folder.ts';
import { idBytes } from './trees.ts';

const head = 'reins manifest 1\n';
const checksumBytes = 32;
const kinds = ['file', 'link', 'special', 'folder'] as const;
const shares: readonly Share[] = ['work', 'ignored', 'git'];
const flags = { hasStatus: 1, hasId: 2, isKept: 4, hasWhy: 8, isIgnoredTop: 16 };
/** Bytes before a node's variable parts: kind, share, flags, mode, length of its name. */
const fixedBytes = 7;
const statusBytes = 48;

/** `root`: id of the snapshot that shows the same. */
export async function writeManifest(folder: StoreFolder, state: State, root: string, pace: Pace): Promise<void> {
  const writer = new Writer();
  writer.text(head);
  writer.long(state.root.path);
  writer.long(root);
  const tops = [...state.outside.values()];
  writer.number(tops.length);
  for (const top of tops) writer.long(top.path);
  for (const top of [state.root, ...tops]) {
    writer.node(top);
    // Children come right after their folder, those of its folders after all of its own.
    const waiting = [top];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      writer.number(at.children.size);
      for (const child of at.children.values()) {
        writer.node(child);
        if (child instanceof FolderNode) waiting.push(child);
      }
      if (pace.isDue()) await pace.rest();
    }
  }
  const bytes = writer.finish();
  writeWhole(folder, folder.manifest, Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]));
}

/** The id of the snapshot that the manifest belongs to; undefined when there is none. */
export function manifestRoot(folder: StoreFolder): string | undefined {
  const bytes = readChecked(folder);
  if (bytes === undefined) return undefined;
  const reader = new Reader(bytes);
  reader.text(head.length);
  reader.long();
  return reader.long();
}

/** Fills a state that is empty; gives the snapshot that shows the same. Undefined when there is no manifest that is whole and of this workspace. */
export function readManifest(folder: StoreFolder, state: State): string | undefined {
  const bytes = readChecked(folder);
  if (bytes === undefined) return undefined;
  const reader = new Reader(bytes);
  reader.text(head.length);
  if (reader.long() !== state.root.path) return undefined;
  const root = reader.long();
  const tops = Array.from({ length: reader.number() }, () => state.outsideFolder(reader.long()));
  for (const top of [state.root, ...tops]) {
    reader.node(state, top);
    const waiting = [top];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (let left = reader.number(); left > 0; left--) {
        const child = reader.child(state, at);
        if (child instanceof FolderNode) waiting.push(child);
      }
    }
  }
  return root;
}

function readChecked(folder: StoreFolder): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(folder.manifest);
  } catch {
    return undefined; // there is none, or it can't be read: everything is read anew
  }
  const content = bytes.subarray(0, -checksumBytes);
  const isWhole = createHash('sha256').update(content).digest().equals(bytes.subarray(-checksumBytes));
  return isWhole && content.toString('latin1', 0, head.length) === head ? content : undefined;
}

class Writer {
  #bytes = Buffer.allocUnsafe(256 * 1024);
  #at = 0;

  node(node: FileNode | FolderNode): void {
    const isFolder = node instanceof FolderNode;
    const { status, id, why } = node;
    const set =
      (status === undefined ? 0 : flags.hasStatus) |
      (id === undefined ? 0 : flags.hasId) |
      (!isFolder && node.isKept ? flags.isKept : 0) |
      (why === undefined ? 0 : flags.hasWhy) |
      (isFolder && node.ignoredTop === node ? flags.isIgnoredTop : 0);
    this.#room(fixedBytes + node.name.length);
    this.#byte(kinds.indexOf(isFolder ? 'folder' : node.kind));
    this.#byte(isFolder ? 0 : shares.indexOf(node.share));
    this.#byte(set);
    this.#at = this.#bytes.writeUInt16LE(node.mode, this.#at);
    this.#at = this.#bytes.writeUInt16LE(node.name.length, this.#at);
    this.text(node.name);
    if (status !== undefined) this.#status(status);
    if (id !== undefined) this.#id(id);
    if (!isFolder) this.number(node.size);
    if (why !== undefined) this.long(why, 'utf8');
  }

  text(text: string, encoding: 'latin1' | 'utf8' = 'latin1'): void {
    this.#room(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at, encoding);
  }

  long(text: string, encoding: 'latin1' | 'utf8' = 'latin1'): void {
    this.number(Buffer.byteLength(text, encoding));
    this.text(text, encoding);
  }

  number(value: number): void {
    this.#room(6);
    this.#at = this.#bytes.writeUIntLE(value, this.#at, 6);
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #byte(value: number): void {
    this.#at = this.#bytes.writeUInt8(value, this.#at);
  }

  #status({ dev, ino, mode, size, mtime, ctime }: Status): void {
    this.#room(statusBytes);
    this.#at = this.#bytes.writeBigUInt64LE(dev, this.#at);
    this.#at = this.#bytes.writeBigUInt64LE(ino, this.#at);
    for (const value of [mode, size, mtime, ctime]) this.#at = this.#bytes.writeBigInt64LE(value, this.#at);
  }

  #id(id: string): void {
    this.#room(idBytes);
    this.#at += this.#bytes.write(id, this.#at, 'hex');
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  child(state: State, folder: FolderNode): FileNode | FolderNode {
    const isFolder = kinds[this.#bytes[this.#at] ?? 0] === 'folder';
    const length = this.#bytes.readUInt16LE(this.#at + 5);
    const name = this.#bytes.toString('latin1', this.#at + fixedBytes, this.#at + fixedBytes + length);
    if (!isName(name)) throw new Error('a manifest holds a name that is none');
    const node = isFolder ? new FolderNode(folder, name) : new FileNode(folder, name);
    this.node(state, node);
    state.restore(node);
    return node;
  }

  node(state: State, node: FileNode | FolderNode): void {
    const kind = kinds[this.#byte()] ?? 'file';
    const share = shares[this.#byte()] ?? 'work';
    const set = this.#byte();
    node.mode = this.#bytes.readUInt16LE(this.#at);
    this.#at += 4 + node.name.length;
    if ((set & flags.hasStatus) !== 0) node.status = this.#status();
    if ((set & flags.hasId) !== 0) node.id = this.#take(idBytes).toString('hex');
    if (node instanceof FolderNode) {
      node.ignoredTop = (set & flags.isIgnoredTop) === 0 ? node.parent?.ignoredTop : node;
    } else {
      if (kind !== 'folder') node.kind = kind;
      node.share = share;
      node.size = this.number();
      node.isKept = (set & flags.isKept) !== 0;
    }
    if ((set & flags.hasWhy) !== 0) node.why = this.long('utf8');
  }

  text(length: number, encoding: 'latin1' | 'utf8' = 'latin1'): string {
    return this.#take(length).toString(encoding);
  }

  long(encoding: 'latin1' | 'utf8' = 'latin1'): string {
    return this.text(this.number(), encoding);
  }

  number(): number {
    const value = this.#bytes.readUIntLE(this.#at, 6);
    this.#at += 6;
    return value;
  }

  #take(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #byte(): number {
    const value = this.#bytes.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  #status(): Status {
    const at = this.#at;
    this.#at += statusBytes;
    return {
      dev: this.#bytes.readBigUInt64LE(at),
      ino: this.#bytes.readBigUInt64LE(at + 8),
      mode: this.#bytes.readBigInt64LE(at + 16),
      size: this.#bytes.readBigInt64LE(at + 24),
      mtime: this.#bytes.readBigInt64LE(at + 32),
      ctime: this.#bytes.readBigInt64LE(at + 40),
    };
  }
}
