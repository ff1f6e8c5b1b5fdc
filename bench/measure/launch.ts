/** Starts a contender and tells when that was, on the clock of the server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Command {
  program: string;
  args: string[];
  env: { [name: string]: string };
  cwd: string;
}

export interface Launched {
  pid: number;
  /** `performance.now()` right before the process was started. */
  startedAt: number;
  /** Resolves when it has ended well; rejects with its last words when it hasn't. */
  ended: Promise<void>;
}

/** Milliseconds after which a run counts as hung. */
const runLimit = 180_000;

export function launch({ program, args, env, cwd }: Command, output: string): Launched {
  const file = openSync(output, 'w');
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', file, file] });
  closeSync(file);
  const ended = endOf(child, program, output);
  // Whoever doesn't wait for it isn't told twice.
  ended.catch(() => undefined);
  return { pid: child.pid ?? -1, startedAt, ended };
}

async function endOf(child: ChildProcess, program: string, output: string): Promise<void> {
  const limit = setTimeout(() => child.kill('SIGKILL'), runLimit);
  const how = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  clearTimeout(limit);
  if (how === 0) return;
  const words = readFileSync(output, 'utf8').trim().split('\n').slice(-12).join('\n');
  throw new Error(`${program} ended with ${how}:\n${words}`);
}

/** The first request of a run, or the reason why none came. */
export async function firstOf<T>(first: Promise<T>, { ended }: Launched): Promise<T> {
  const none = ended.then(() => {
    throw new Error('The run ended without a request.');
  });
  return Promise.race([first, none]);
}
