/**
 * Pipes for the input and output of commands. Those that Node makes are sockets, which no program can open by a path such as
 * /dev/stdout or /proc/self/fd/1; a named pipe that was opened and removed is a pipe like any shell's.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExecutable } from '../programs.ts';

/** File descriptors of both ends. */
export interface Pipe {
  read: number;
  write: number;
}

/** So many are made at once: it costs a process. */
const batch = 8;

const makers = ['/usr/bin/mkfifo', '/bin/mkfifo'];

/** Pipes in store. Where none can be made, `take` gives undefined. */
export class Pipes {
  #stored: Pipe[] = [];
  #filling: Promise<void> | undefined;
  #isClosed = false;

  async take(): Promise<Pipe | undefined> {
    if (this.#stored.length === 0) {
      this.#filling ??= this.#fill().finally(() => (this.#filling = undefined));
      await this.#filling;
    }
    return this.#stored.pop();
  }

  close(): void {
    this.#isClosed = true;
    for (const pipe of this.#stored.splice(0)) closePipe(pipe);
  }

  async #fill(): Promise<void> {
    const made = await makePipes(batch);
    if (this.#isClosed) made.forEach(closePipe);
    else this.#stored.push(...made);
  }
}

function closePipe({ read, write }: Pipe): void {
  closeSync(read);
  closeSync(write);
}

async function makePipes(count: number): Promise<Pipe[]> {
  const maker = makers.find(isExecutable);
  if (maker === undefined) return [];
  let folder: string | undefined;
  const made: Pipe[] = [];
  try {
    folder = mkdtempSync(join(tmpdir(), 'reins-pipes-'));
    const names = Array.from({ length: count }, (_, index) => String(index));
    if (!(await runs(maker, ['-m', '600', ...names], folder))) return [];
    for (const name of names) made.push(openBoth(join(folder, name)));
  } catch {
    // No room for files or descriptors: what was made until then is of use all the same.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return made;
}

/** Each end waits for the other, but for one that reads without waiting: it goes first, and another takes its place. */
function openBoth(path: string): Pipe {
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const write = openSync(path, constants.O_WRONLY);
    return { write, read: openSync(path, constants.O_RDONLY) };
  } finally {
    closeSync(first);
  }
}

function runs(program: string, args: string[], folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, stdio: 'ignore', env: {} });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
