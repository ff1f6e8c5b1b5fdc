/** The inner door to the own walk: the same answers as ripgrep's, in a thread of its own. */
import { Worker } from 'node:worker_threads';
import type { Counted, Ended, Engine, FileLines, Trouble, Watch } from '../engine.ts';
import type { Refusal } from '../requests.ts';
import type { Job, Told } from './job.ts';

/** Megabytes of a thread's heap. */
const heap = 512;
/** Milliseconds that a thread waits for its next job. */
const patience = 5_000;

type Result = Ended & { refused?: string };

export function createWalk(): Engine {
  const threads = new Threads();
  return {
    async count(query, place, options, watch) {
      const files: Counted[] = [];
      const ended = await threads.run({ do: 'count', query, place, ...options }, watch, (told) => {
        if (told.tells === 'counted') for (const file of told.files) files.push(file);
      });
      return ended.refused === undefined ? { ...ended, files } : ({ refused: ended.refused } satisfies Refusal);
    },
    async lines(query, place, files, options, watch) {
      const shown: FileLines[] = [];
      const ended = await threads.run({ do: 'lines', query, place, files, ...options }, watch, (told) => {
        if (told.tells === 'lines') shown.push(restored(told.file));
      });
      return { ...ended, files: shown };
    },
    async locate(query, lines, watch) {
      let columns: (number | undefined)[] = [];
      await threads.run({ do: 'locate', query, lines }, watch, (told) => {
        if (told.tells === 'located') ({ columns } = told);
      });
      return columns;
    },
    list: (place, names, onPath, watch) =>
      threads.run({ do: 'list', place, ...(names !== undefined && { names }) }, watch, (told) => {
        if (told.tells === 'paths') for (const path of told.paths) onPath(path);
      }),
  };
}

/** Between threads, a buffer becomes plain bytes. */
function restored(file: FileLines): FileLines {
  const records = file.records.map((record) =>
    record.bytes === undefined ? record : { ...record, bytes: Buffer.from(record.bytes) },
  );
  return { ...file, records };
}

/** Threads for jobs: one that has done its job takes the next, if it comes soon. */
class Threads {
  #idle: Worker | undefined;

  async run(job: Job, watch: Watch, onTold: (told: Told) => void): Promise<Result> {
    const thread = this.#idle ?? (await start());
    this.#idle = undefined;
    const result = await doing(thread, job, watch, onTold);
    if (result.halt !== undefined || watch.signal.aborted || this.#idle !== undefined) await thread.terminate();
    else this.#keep(thread);
    return result;
  }

  #keep(thread: Worker): void {
    this.#idle = thread;
    thread.unref();
    const timer = setTimeout(() => {
      if (this.#idle !== thread) return;
      this.#idle = undefined;
      void thread.terminate();
    }, patience);
    timer.unref();
  }
}

async function start(): Promise<Worker> {
  const { address, threadName } = await import('./worker.ts');
  const limits = { maxOldGenerationSizeMb: heap };
  const thread = new Worker(new URL(address), {
    workerData: threadName,
    env: {},
    execArgv: [],
    resourceLimits: limits,
  });
  // One that is being ended may still fail, which nobody waits for any more.
  return thread.on('error', () => undefined);
}

/** Waits for the end of a job: done, out of time or memory, or cancelled. Rejects when the thread itself fails. */
async function doing(thread: Worker, job: Job, watch: Watch, onTold: (told: Told) => void): Promise<Result> {
  const troubles: Trouble[] = [];
  const end = Promise.withResolvers<Ended['halt']>();
  let refused: string | undefined;
  const onAbort = (): void => end.resolve(undefined);
  const timer = setTimeout(() => end.resolve('time'), Math.max(0, watch.deadline - performance.now()));
  watch.signal.addEventListener('abort', onAbort, { once: true });
  const onMessage = (told: Told): void => {
    if (told.tells === 'trouble') troubles.push(told.trouble);
    else if (told.tells === 'refused') refused = told.reason;
    else if (told.tells === 'done') end.resolve(undefined);
    else onTold(told);
  };
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') end.resolve('memory');
    else end.reject(error);
  };
  thread.on('error', onError);
  thread.on('message', onMessage);
  thread.ref();
  if (watch.signal.aborted) onAbort();
  else thread.postMessage(job, []);
  try {
    const halt = await end.promise;
    return { troubles, ...(halt !== undefined && { halt }), ...(refused !== undefined && { refused }) };
  } finally {
    clearTimeout(timer);
    watch.signal.removeEventListener('abort', onAbort);
    thread.off('message', onMessage);
    thread.off('error', onError);
  }
}
