/** What a command's shell gets as input and output, and our ends of it. */
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { openInputPipe } from './input-pipe.ts';
import type { Pipe, Pipes } from './pipes.ts';
import { openTerminal } from './terminal.ts';

/** `none`: the end of input at once. `pipe`: what is typed. `terminal`: input and output are a terminal of its own. */
export type Input = 'none' | 'pipe' | 'terminal';

export interface Wires {
  /** Descriptors 0 and 1 of the shell: one of ours that it gets a copy of, or one that Node makes. */
  input: number | 'ignore' | 'pipe';
  output: number | 'pipe';
  /** Our ends; absent where Node makes them. */
  writer?: Socket;
  reader?: Socket;
  isTerminal: boolean;
}

/** Rejects when there is no terminal to be had. */
export async function connect(input: Input, pipes: Pipes): Promise<Wires> {
  if (input === 'terminal') {
    const { command, ours } = await openTerminal().catch((error: Error) => {
      throw new Error(`there is no terminal to be had: ${error.message.split('\n')[0]}`, { cause: error });
    });
    return { input: command, output: command, writer: ours, reader: ours, isTerminal: true };
  }
  const output = await pipes.take();
  const reading =
    output === undefined ? { output: 'pipe' as const } : { output: output.write, reader: readerOf(output) };
  if (input === 'none') return { input: 'ignore', ...reading, isTerminal: false };
  const typed = await openInputPipe();
  const writing = typed === undefined ? { input: 'pipe' as const } : { input: typed.read, writer: writerOf(typed) };
  return { ...writing, ...reading, isTerminal: false };
}

function readerOf({ read }: Pipe): Socket {
  return new Socket({ fd: read, readable: true, writable: false });
}

function writerOf({ write }: Pipe): Socket {
  return new Socket({ fd: write, readable: false, writable: true });
}

/** Closes the shell's ends on our side, once it has its copies: as long as they are open here, no end would ever be seen. */
export function letGo({ input, output }: Wires): void {
  for (const end of new Set([input, output])) if (typeof end === 'number') closeSync(end);
}

/** Closes everything, where no shell was started. */
export function disconnect(wires: Wires): void {
  letGo(wires);
  wires.reader?.destroy();
  wires.writer?.destroy();
}
