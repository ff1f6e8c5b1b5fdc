/** What sessions take on the disk: their own files, and blobs, which several may share. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { blobsFolder, changedAt, errorCode, sessionFolder } from './folders.ts';

export interface Weight {
  /** Bytes of all files but blobs. */
  own: number;
  blobs: { inode: number; bytes: number; links: number }[];
  /** When its log last grew, in milliseconds since the epoch. */
  changed: number;
}

export function weigh(state: string, id: string): Weight {
  const folder = sessionFolder(state, id);
  const blobs = filesIn(blobsFolder(folder)).map(({ ino, size, nlink }) => ({ inode: ino, bytes: size, links: nlink }));
  const own = [folder, join(folder, 'inbox'), join(folder, 'inbox', 'rejected')].flatMap(filesIn);
  return { own: own.reduce((sum, { size }) => sum + size, 0), blobs, changed: changedAt(folder) };
}

function filesIn(folder: string) {
  return namesIn(folder).flatMap((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() === true ? [stats] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Adds up what is freed when one session after the other goes: a blob is, when the last session that has it goes. */
export class Freed {
  own = 0;
  blobs = 0;
  readonly #left = new Map<number, number>();

  add({ own, blobs }: Weight): void {
    this.own += own;
    for (const { inode, bytes, links } of blobs) {
      const left = (this.#left.get(inode) ?? links) - 1;
      this.#left.set(inode, left);
      if (left === 0) this.blobs += bytes;
    }
  }

  get bytes(): number {
    return this.own + this.blobs;
  }
}

/** Bytes of all these together, each blob once. */
export function together(weights: Iterable<Weight>): number {
  const blobs = new Map<number, number>();
  let own = 0;
  for (const weight of weights) {
    own += weight.own;
    for (const { inode, bytes } of weight.blobs) blobs.set(inode, bytes);
  }
  return [...blobs.values()].reduce((sum, bytes) => sum + bytes, own);
}
