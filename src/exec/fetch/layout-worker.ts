/**
 * Lays a page out in a thread of its own, with a limit of time and of memory. This module is both sides: it starts itself, so that it is
 * found wherever it lies, as a source, in the library or in a bundle.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { LaidOut } from './layout.ts';

export interface LayoutLimits {
  /** Milliseconds. */
  time: number;
  /** Megabytes of the thread's heap. */
  memory: number;
}

interface Task {
  reinsPage: string;
  address: string;
}

/** Undefined where the page can't be laid out within the limits. Rejects only with the reason of an abort. */
export async function layOutApart(
  html: string,
  address: string,
  limits: LayoutLimits,
  signal: AbortSignal,
): Promise<LaidOut | undefined> {
  // Another name means that somebody else's bundler has put this into a file with other things, which must not be started again.
  if (!/\/layout-worker[^/]*\.[jt]s$/.test(import.meta.url)) return undefined;
  const task: Task = { reinsPage: html, address };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: task,
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: 32 },
  });
  const over = AbortSignal.any([signal, AbortSignal.timeout(limits.time)]);
  try {
    const laidOut = await new Promise<LaidOut | undefined>((resolve) => {
      const giveUp = () => resolve(undefined);
      worker.once('message', resolve);
      worker.once('error', giveUp);
      worker.once('exit', giveUp);
      if (over.aborted) giveUp();
      else over.addEventListener('abort', giveUp, { once: true });
    });
    signal.throwIfAborted();
    return laidOut;
  } finally {
    await worker.terminate();
  }
}

function isTask(data: unknown): data is Task {
  return typeof data === 'object' && data !== null && 'reinsPage' in data && 'address' in data;
}

if (!isMainThread && isTask(workerData)) {
  const { layOut } = await import('./layout.ts');
  const laidOut = await layOut(workerData.reinsPage, workerData.address).catch(() => undefined);
  parentPort?.postMessage(laidOut, []);
}
