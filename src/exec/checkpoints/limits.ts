/** What is kept of a workspace at most. All sizes are bytes of content, before compression. */
import type { FileNode, FolderNode, Share } from './nodes.ts';

export interface Bytes {
  /** Of one file. */
  each: number;
  /** In all. */
  all: number;
}

export interface Limits {
  /** Files that are tracked or not ignored. */
  work: Bytes;
  /** Ignored files. A folder that is ignored as a whole is kept whole, with a quarter of this and `ignoredFiles` at most, or not at all. */
  ignored: Bytes;
  /** Git's data: index, references, objects. */
  git: Bytes;
  /** Files and folders in all. */
  entries: number;
  /** Files in one folder that is ignored as a whole. */
  ignoredFiles: number;
  /** With more files than these, `take` gives back a partial snapshot where it may. */
  atOnce: number;
  /** What the store may hold on disk. */
  store: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: Limits = {
  work: { each: 128 * mebibyte, all: 1024 * mebibyte },
  ignored: { each: mebibyte, all: 64 * mebibyte },
  git: { each: 512 * mebibyte, all: 512 * mebibyte },
  entries: 250_000,
  ignoredFiles: 2_000,
  atOnce: 20_000,
  store: 2048 * mebibyte,
};

/** Above its limit the store takes small files only, and above this much more nothing. */
const smallFile = 64 * 1024;
const tolerance = 1.1;

/** Bytes that a store holds on disk, as far as known. */
export interface StoreSize {
  bytes: number;
}

/** Counts what is kept. Who is in stays in: a file that fits doesn't go because another one came. */
export class Budget {
  readonly limits: Limits;
  readonly #store: StoreSize;
  entries = 0;
  readonly #used: { [share in Share]: number } = { work: 0, ignored: 0, git: 0 };

  constructor(limits: Limits, store: StoreSize) {
    this.limits = limits;
    this.#store = store;
  }

  used(share: Share): number {
    return this.#used[share];
  }

  /** Takes a file in; gives why not otherwise. What it took before is given back first. */
  admit(node: FileNode, share: Share, size: number): string | undefined {
    this.release(node);
    const { each, all } = this.limits[share];
    const kind = share === 'ignored' ? 'ignored, and ' : '';
    if (size > each) return `${kind}larger than ${inWords(each)}`;
    if (this.#used[share] + size > all) return `${kind}more than ${inWords(all)} in all`;
    const { bytes } = this.#store;
    const isFull = bytes > this.limits.store && (size > smallFile || bytes > this.limits.store * tolerance);
    if (isFull) return `the store of snapshots is full (${inWords(this.limits.store)})`;
    this.#used[share] += size;
    node.share = share;
    node.size = size;
    node.isKept = true;
    return undefined;
  }

  /** Links count nothing. */
  admitLink(node: FileNode): void {
    this.release(node);
    node.size = 0;
    node.isKept = true;
  }

  release(node: FileNode): void {
    if (node.isKept) this.#used[node.share] -= node.size;
    node.isKept = false;
  }

  /** Counts a file as another one is counted elsewhere. */
  copy(to: FileNode, from: FileNode): void {
    this.release(to);
    to.share = from.share;
    to.size = from.size;
    to.isKept = from.isKept;
    this.restore(to);
  }

  /** Counts a file that is read from a manifest. */
  restore(node: FileNode): void {
    if (node.isKept) this.#used[node.share] += node.size;
  }

  /** Why a folder that is ignored as a whole isn't kept; undefined when it is. */
  whyLeaveOut(measured: { files: number; bytes: number }): string | undefined {
    const { ignored, ignoredFiles } = this.limits;
    if (measured.files > ignoredFiles) return `ignored, and more than ${ignoredFiles} files`;
    const most = ignored.all / 4;
    if (measured.bytes > most) return `ignored, and larger than ${inWords(most)}`;
    const isOver = this.#used.ignored + measured.bytes > ignored.all;
    return isOver ? `ignored, and more than ${inWords(ignored.all)} in all` : undefined;
  }

  /** A folder that was kept is let grow to twice its limit before it is left out: it shouldn't come and go. */
  isOvergrown(top: FolderNode): boolean {
    return top.ignoredFiles > 2 * this.limits.ignoredFiles;
  }
}

function inWords(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[unit]}`;
}
