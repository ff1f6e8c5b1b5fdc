/** A terminal for one command: a pseudo-terminal of this machine, of which Reins holds the far side. */
import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

export interface Terminal {
  /** File descriptor for the command's input and output. */
  command: number;
  /** What the command prints comes here; what is written here is typed. */
  ours: Socket;
}

/** The part of the library that opens a terminal without starting anything in it: it could pass a command no further descriptors. */
interface Opener {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
}

const columns = 120;
const rows = 30;

/** Throws where the library isn't made for this machine, or there are no more terminals. */
export async function openTerminal(): Promise<Terminal> {
  const { ReadStream } = await import('node:tty');
  const { master, slave, pty } = loadOpener().open(columns, rows);
  try {
    // Opened anew: the library's own is set to return at once from reading, which no program expects.
    const command = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
    return { command, ours: new ReadStream(master) };
  } catch (error) {
    closeSync(master);
    throw error;
  } finally {
    closeSync(slave);
  }
}

function loadOpener(): Opener {
  const require = createRequire(import.meta.url);
  // By its path, since the door of the package has no such function; not imported, since a bundle could not hold its binary.
  const library = require('@lydell/node-pty/requireBinary.js') as { requireBinary(file: string): unknown };
  return library.requireBinary('pty.node') as Opener;
}
