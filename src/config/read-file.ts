/** Reads a settings file that someone else may have made: only regular files, bounded, without ever waiting. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes; a settings file of more is a mistake or an attack. */
const mostBytes = 256 * 1024;

export type FileContent = { bytes: Buffer; changedAt: Date } | { unreadable: string } | undefined;

/** The bytes of the file, why it can't be read, or undefined where there is none. */
export function readSettingsFile(path: string): FileContent {
  let file: number;
  try {
    // Without O_NONBLOCK, a named pipe in place of the file would hold us for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { unreadable: `The file can’t be opened (${code}).` };
  }
  try {
    return readOpen(file);
  } catch (error) {
    return { unreadable: `The file can’t be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).` };
  } finally {
    closeSync(file);
  }
}

function readOpen(file: number): FileContent {
  const status = fstatSync(file);
  if (status.isDirectory()) return { unreadable: 'This is a folder; expected a file.' };
  if (!status.isFile()) return { unreadable: 'This is not a regular file.' };
  // One byte more than allowed tells a file that is too large from one that just fits.
  const buffer = Buffer.alloc(Math.min(status.size, mostBytes) + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  if (length > mostBytes) return { unreadable: `The file has more than ${mostBytes} bytes.` };
  return { bytes: buffer.subarray(0, length), changedAt: status.mtime };
}
