/** Has files looked at in up to two threads, which end with the work. */
import type { Worker } from 'node:worker_threads';
import type { Looked, Told, Wanted } from './worker.ts';

/** Files that a thread gets at once, and from how many on there is a second thread. */
const batchSize = 32;
const muchWork = 200;
/** Milliseconds that a thread may be silent: each text has a limit of its own. */
const longestSilence = 10_000;
/** Threads that may die, or be ended, before what is left is left out. */
const mostDeaths = 5;
/** Megabytes of a thread’s heap; what the grammars take comes on top. */
const heap = 512;

export interface Watch {
  signal: AbortSignal;
  /** Milliseconds of the clock `performance.now()`. */
  deadline: number;
}

/**
 * Calls back with what was found, in any order. What comes back: the files that nobody looked at before the time was over, or that a
 * thread died of. The threads begin at both ends of the list, so that one sorted by language has each load about half of the grammars.
 */
export async function lookAtFiles(
  files: readonly Wanted[],
  watch: Watch,
  onLooked: (looked: Looked[]) => void,
): Promise<Wanted[]> {
  const batches = batchesOf(files);
  const missing: Wanted[] = [];
  let deaths = 0;
  const take = async (next: () => Wanted[] | undefined): Promise<void> => {
    while (deaths < mostDeaths && !isOver(watch)) {
      const batch = next();
      if (batch === undefined) return;
      const unfinished = await withThread(batch, next, watch, onLooked);
      if (unfinished.length > 0) deaths += 1;
      missing.push(...unfinished);
    }
  };
  await Promise.all([take(() => batches.shift()), ...(files.length >= muchWork ? [take(() => batches.pop())] : [])]);
  return [...missing, ...batches.flat()];
}

function batchesOf(files: readonly Wanted[]): Wanted[][] {
  const count = Math.ceil(files.length / batchSize);
  return Array.from({ length: count }, (_, index) => files.slice(index * batchSize, (index + 1) * batchSize));
}

function isOver({ signal, deadline }: Watch): boolean {
  return signal.aborted || performance.now() > deadline;
}

/** One thread, as long as it lives and there is work. Gives the files of the batch that it didn’t finish. */
async function withThread(
  first: Wanted[],
  next: () => Wanted[] | undefined,
  watch: Watch,
  onLooked: (looked: Looked[]) => void,
): Promise<Wanted[]> {
  const thread = await startThread();
  try {
    for (let batch: Wanted[] | undefined = first; batch !== undefined; batch = next()) {
      if (isOver(watch)) return batch;
      const rest = await lookedAt(thread, batch, watch, onLooked);
      if (rest.length > 0) return rest;
    }
    return [];
  } finally {
    await thread.terminate();
  }
}

async function startThread(): Promise<Worker> {
  const [{ Worker }, { address, threadName }] = await Promise.all([
    import('node:worker_threads'),
    import('./worker.ts'),
  ]);
  const limits = { maxOldGenerationSizeMb: heap };
  const thread = new Worker(new URL(address), {
    workerData: threadName,
    env: {},
    execArgv: [],
    resourceLimits: limits,
  });
  // Without somebody who listens its failure would be the process’s.
  thread.on('error', () => undefined);
  return thread;
}

/** Gives what is left of the batch when the thread died, was cancelled, or took too long. */
async function lookedAt(
  thread: Worker,
  batch: Wanted[],
  watch: Watch,
  onLooked: (looked: Looked[]) => void,
): Promise<Wanted[]> {
  let rest = batch;
  thread.postMessage(batch, []);
  for (;;) {
    const told = await nextWord(thread, watch);
    if (told === undefined) return rest;
    onLooked(told.looked);
    rest = rest.slice(told.looked.length);
    if (told.isAll) return rest;
  }
}

async function nextWord(thread: Worker, { signal, deadline }: Watch): Promise<Told | undefined> {
  const { promise, resolve } = Promise.withResolvers<Told | undefined>();
  const silence = Math.min(longestSilence, Math.max(0, deadline - performance.now()));
  const timer = setTimeout(resolve, silence, undefined);
  const giveUp = (): void => resolve(undefined);
  thread.once('message', resolve);
  thread.once('exit', giveUp);
  signal.addEventListener('abort', giveUp, { once: true });
  const told = await promise;
  clearTimeout(timer);
  thread.off('message', resolve);
  thread.off('exit', giveUp);
  signal.removeEventListener('abort', giveUp);
  return told;
}
