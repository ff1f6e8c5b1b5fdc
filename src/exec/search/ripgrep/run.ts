/** One run of ripgrep: no shell, no settings, an empty environment, and an end in any case. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Watch } from '../engine.ts';

/** Kilobytes of memory of its own that a run may take: a line is held as a whole, however long it is. */
const memoryLimit = 256 * 1024;
/** Milliseconds between two looks at its memory. */
const memoryRhythm = 50;
const messagesLimit = 65_536;

export interface Run {
  program: string;
  arguments: string[];
  /** Real path of the folder that it runs in. */
  folder: string;
  /** What it reads: bytes, or an open file. */
  input?: Buffer | number;
}

export interface RunEnd {
  /** `enough`: the reader wanted no more. `cancel`: the signal. */
  end: 'done' | 'enough' | 'time' | 'memory' | 'cancel';
  exit: number | null;
  messages: string;
}

/** It couldn't be started, or died: something else must do its work. */
export class RipgrepFailed extends Error {}

/** Runs it; `onOutput` gets what it prints as it comes, and says whether more is wanted. */
export async function run(plan: Run, watch: Watch, onOutput: (chunk: Buffer) => boolean): Promise<RunEnd> {
  if (watch.signal.aborted) return { end: 'cancel', exit: null, messages: '' };
  const { input } = plan;
  const child = spawn(plan.program, plan.arguments, {
    cwd: plan.folder,
    env: {},
    stdio: [typeof input === 'number' ? input : input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let end: RunEnd['end'] = 'done';
  let messages = '';
  const stop = (why: RunEnd['end']): void => {
    if (end === 'done') end = why;
    child.kill('SIGKILL');
  };
  const onAbort = (): void => stop('cancel');
  const timer = setTimeout(stop, Math.max(0, watch.deadline - performance.now()), 'time');
  const look = setInterval(() => ownMemory(child.pid) > memoryLimit && stop('memory'), memoryRhythm);
  watch.signal.addEventListener('abort', onAbort, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    if (end === 'done' && !onOutput(chunk)) stop('enough');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    messages = (messages + chunk.toString('utf8')).slice(0, messagesLimit);
  });
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined);
  if (typeof input === 'object') child.stdin?.end(input);
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(new RipgrepFailed(error.message)));
      child.once('close', resolve);
    });
    if (exit === null && end === 'done') throw new RipgrepFailed(`ripgrep was ended by ${child.signalCode}`);
    return { end, exit, messages };
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    watch.signal.removeEventListener('abort', onAbort);
  }
}

/** Kilobytes that a process holds besides what it shares with files; 0 where the system doesn't tell. */
function ownMemory(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has ended meanwhile
  }
}
