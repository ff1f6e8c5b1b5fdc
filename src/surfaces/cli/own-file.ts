/** Files that a command writes for whoever called it, and for nobody else. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemReason } from '../../harness/index.ts';
import { UsageError } from './arguments.ts';
import { oneLine } from './printable.ts';

const ownerOnly = 0o600;

/** Gives the bytes that were written. One that is there is replaced as a whole, and only where that is wanted. Throws a UsageError. */
export function writeOwnFile(file: string, pieces: Iterable<string>, replaces: boolean): number {
  if (!replaces && existsSync(file)) throw exists(file);
  // A device or a pipe would be gone for everybody; what is written to one is written by the shell.
  if (replaces && isSpecial(file)) throw new UsageError(`${oneLine(file)} is no file that can be replaced.`);
  const target = replaces ? `${file}.${process.pid}.part` : file;
  let fd: number;
  try {
    fd = openSync(target, 'wx', ownerOnly);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(target) : unwritable(file, error);
  }
  try {
    const bytes = writeAll(fd, pieces);
    if (replaces) renameSync(target, file);
    return bytes;
  } catch (error) {
    rmSync(target, { force: true });
    throw unwritable(file, error);
  } finally {
    closeSync(fd);
  }
}

function isSpecial(file: string): boolean {
  try {
    const status = statSync(file);
    return !status.isFile() && !status.isDirectory();
  } catch {
    return false; // Not there, or no name that could be: writing it says why.
  }
}

function writeAll(fd: number, pieces: Iterable<string>): number {
  let bytes = 0;
  for (const piece of pieces) {
    const buffer = Buffer.from(piece);
    for (let start = 0; start < buffer.length;) start += writeSync(fd, buffer, start);
    bytes += buffer.length;
  }
  return bytes;
}

function exists(file: string): UsageError {
  return new UsageError(`${oneLine(file)} is there already; --force replaces it.`);
}

/** That the system refuses a file that is to be written, and why. */
export function unwritable(file: string, error: unknown): UsageError {
  const folder = dirname(file);
  const isMissing = !existsSync(folder);
  const why = isMissing ? `the folder ${folder} doesn’t exist` : systemReason(error);
  return new UsageError(`${oneLine(file)} can’t be written: ${oneLine(why)}.`);
}
