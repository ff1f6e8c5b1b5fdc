/** Files that a person names on the command line: of any kind that comes to an end, a pipe too, and whole. */
import { closeSync, openSync, readSync } from 'node:fs';
import { UsageError } from './arguments.ts';
import { oneLine } from './printable.ts';

/** Bytes; more is none that was meant, or never ends (`/dev/zero`). */
const mostBytes = 64 * 1024 * 1024;
const pieceBytes = 64 * 1024;
const standardInput = 0;

/** `-` is standard input. Rejects with a UsageError: `WHAT can’t be read`, and why. */
export function givenBytes(what: string, file: string): Promise<Buffer> {
  return readable(what, () => readBytes(file));
}

/** The same as text, without a byte order mark; what isn’t UTF-8 is no text. */
export function givenText(what: string, file: string): Promise<string> {
  return readable(what, () => readText(file));
}

async function readable<T>(what: string, read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    const { systemReason } = await import('../../harness/index.ts');
    throw new UsageError(`${what} can’t be read: ${oneLine(systemReason(error))}.`);
  }
}

function readBytes(file: string): Buffer {
  const handle = file === '-' ? standardInput : openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; ;) {
      const piece = Buffer.alloc(pieceBytes);
      const count = readSync(handle, piece, 0, pieceBytes, null);
      if (count === 0) return Buffer.concat(pieces, length);
      length += count;
      if (length > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
      pieces.push(piece.subarray(0, count));
    }
  } finally {
    if (handle !== standardInput) closeSync(handle);
  }
}

/** Throws what the system says, or why it is no text. */
export function readText(file: string): string {
  const bytes = readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error('it is no text in UTF-8', { cause: error });
  }
}
