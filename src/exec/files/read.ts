/** Reads whole regular files, bounded. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { statusOf } from '../paths.ts';
import { isStill, openFile, whyNoFile } from './handle.ts';
import { codeOf, reasonOf } from './reasons.ts';
import { whyNot, type Refusal } from './resolve.ts';

const mebibyte = 1024 * 1024;
/** Bytes of the largest file that is read: it is held in memory as a whole, several times over while it is edited. */
const largest = 256 * mebibyte;
const step = 4 * mebibyte;
/** A file that is replaced while it is being opened is opened anew, so many times. */
const openings = 5;

export interface FileState {
  /** The real path (links resolved), absolute. */
  path: string;
  bytes: Buffer;
  /** SHA-256 of the bytes. */
  hash: string;
}

/** The file's present bytes; null when there is none. */
export async function readState(workspace: string, real: string): Promise<FileState | null | Refusal> {
  const refused = whyNot(workspace, real, 'read');
  if (refused !== undefined) return refused;
  // Looked at before it is opened: opening alone can have effects on a device.
  const status = statusOf(real);
  const kind = status === undefined || status.isSymbolicLink() ? undefined : whyNoFile(status);
  if (kind !== undefined) return kind;
  try {
    for (let opening = 1; ; opening++) {
      const state = await openAndRead(real);
      if (state !== 'moved') return state;
      if (opening === openings) return { refused: 'it was moved meanwhile' };
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
    return { refused: reasonOf(error) };
  }
}

async function openAndRead(real: string): Promise<FileState | Refusal | 'moved'> {
  const handle = await openFile(real, constants.O_RDONLY);
  try {
    return await readHandle(handle, real);
  } finally {
    await handle.close();
  }
}

async function readHandle(handle: FileHandle, real: string): Promise<FileState | Refusal | 'moved'> {
  const status = await handle.stat();
  const refused = whyNoFile(status);
  if (refused !== undefined) return refused;
  if (!isStill(handle.fd, real)) return 'moved';
  const bytes = await readBytes(handle, status.size);
  return Buffer.isBuffer(bytes) ? { path: real, bytes, hash: hashOf(bytes) } : bytes;
}

/** All bytes of an open file, also of one that grows. */
export async function readBytes(handle: FileHandle, size: number): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = [];
  for (let total = 0; Math.max(total, size) <= largest;) {
    // One byte more than is left to come, so that a file of the expected size is read in one step.
    const room = Math.max(1, Math.min(size - total + 1, step));
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(room), 0);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return {
    refused: `it has more than ${largest / mebibyte} MB; look at parts of it with a command (head, tail, grep)`,
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
