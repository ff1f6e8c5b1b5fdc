/**
 * A pipe for what is typed into a command. A named one wouldn't do: once its input has ended, whoever opens it by a path such as
 * /dev/stdin would wait for ever. One without a name is made by a shell, as for any pipeline, and opened where that process has it.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Pipe } from './pipes.ts';

/** Says which process has the pipe, as descriptor 4, and keeps it until nobody listens any more. */
const script = ': | { exec 4<&0; read -r self rest </proc/self/stat; echo "$self" >&3; read -r end <&3; }';

/** Undefined where processes can't be looked into (macOS), or nothing more can be opened. */
export async function openInputPipe(): Promise<Pipe | undefined> {
  if (process.platform !== 'linux') return undefined;
  const maker = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: {} });
  const channel = maker.stdio?.[3] as Socket | null | undefined;
  const said = new Promise<string>((resolve) => {
    maker.once('error', () => resolve(''));
    maker.once('exit', () => resolve(''));
    channel?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  // It may be gone already; whether it did its part is told by what it said.
  channel?.on('error', () => undefined);
  const pid = await said;
  try {
    return /^\d+$/.test(pid) ? openBoth(`/proc/${pid}/fd/4`) : undefined;
  } catch {
    return undefined; // no descriptors left, or it was killed
  } finally {
    channel?.destroy();
  }
}

function openBoth(path: string): Pipe {
  const read = openSync(path, constants.O_RDONLY);
  try {
    return { read, write: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(read);
    throw error;
  }
}
