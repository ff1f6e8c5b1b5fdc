/** The one thread that parses, started when it is first needed and again after it had to be ended. */
import type { Worker } from 'node:worker_threads';
import { TimeLimit } from './time-limit.ts';
import type { Statement, Unclear } from './tree.ts';
import type { ThreadMessage } from './worker.ts';

/** Milliseconds that the thread may take to get ready, on a machine that is busy. */
const longestStart = 20_000;
/** Megabytes of its heap. A tree of the longest line that can be parsed in time takes a part of this. */
const heap = 256;

type Result = Statement[] | Unclear;

export class GrammarThread {
  #started: Promise<Worker | Unclear> | undefined;
  #current: Worker | undefined;
  /** The end of the one before, which may take its time: until then it would still take the processor from the next. */
  #ending: Promise<unknown> = Promise.resolve();
  #waiting = new Map<number, (result: Result) => void>();
  #last = 0;
  #closed = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** Starts it, unless it is. */
  async warm(): Promise<void> {
    await (this.#started ??= this.#start());
  }

  /** `limit`: milliseconds for the parsing, once those before it are done. Never rejects. */
  parse(source: string, limit: number): Promise<Result> {
    const result = this.#turn.then(() => this.#parseNow(source, limit));
    this.#turn = result;
    return result;
  }

  async #parseNow(source: string, limit: number): Promise<Result> {
    if (this.#closed) return { unclear: 'the grammar is closed' };
    const thread = await (this.#started ??= this.#start());
    if ('unclear' in thread) return thread;
    const id = (this.#last += 1);
    const { promise, resolve } = Promise.withResolvers<Result>();
    this.#waiting.set(id, resolve);
    const time = new TimeLimit(limit);
    const late = (): void => {
      if (!this.#waiting.has(id)) return;
      if (time.isOver()) this.#end(thread, `it took more than ${limit} milliseconds to parse`);
      else timer = setTimeout(() => setImmediate(late), limit / 4);
    };
    // Where this thread itself was held up, the answer may be here already: it is looked for first.
    let timer = setTimeout(() => setImmediate(late), limit);
    thread.ref();
    thread.postMessage({ id, source }, []);
    const result = await promise;
    clearTimeout(timer);
    // One that is being ended is waited for by the next line.
    if (this.#current === thread) thread.unref();
    return result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = await this.#started;
    this.#settleAll('the grammar is closed');
    if (thread !== undefined && !('unclear' in thread)) await thread.terminate();
  }

  async #start(): Promise<Worker | Unclear> {
    await this.#ending;
    try {
      const [{ Worker }, { address, threadName }] = await Promise.all([
        import('node:worker_threads'),
        import('./worker.ts'),
      ]);
      const limits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 16 };
      const thread = new Worker(new URL(address), {
        workerData: threadName,
        env: {},
        execArgv: [],
        resourceLimits: limits,
      });
      return await this.#untilReady(thread);
    } catch (error) {
      return this.#failed(error instanceof Error ? error.message : String(error));
    }
  }

  async #untilReady(thread: Worker): Promise<Worker | Unclear> {
    const ready = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => ready.resolve('it took too long to start'), longestStart);
    thread.on('message', (message: ThreadMessage) => {
      if ('ready' in message) ready.resolve(undefined);
      else if ('failed' in message) ready.resolve(message.failed);
      else this.#settle(message.id, message.result);
    });
    thread.on('error', (error) => {
      ready.resolve(error.message);
      this.#end(thread, `the parser failed: ${error.message}`);
    });
    thread.on('exit', () => ready.resolve('it ended by itself'));
    const problem = await ready.promise;
    clearTimeout(timer);
    if (problem === undefined) {
      thread.unref();
      this.#current = thread;
      return thread;
    }
    void thread.terminate();
    return this.#failed(problem);
  }

  /** The next line tries again. */
  #failed(why: string): Unclear {
    this.#started = undefined;
    return { unclear: `the grammar of the shell can’t be loaded: ${why}` };
  }

  #settle(id: number, result: Result): void {
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
  }

  #settleAll(unclear: string): void {
    for (const id of this.#waiting.keys()) this.#settle(id, { unclear });
  }

  /** What waits in it is lost with it; the next line starts another one. */
  #end(thread: Worker, why: string): void {
    // What is told late of one that was ended before is nothing to the next.
    if (this.#current !== thread) return;
    this.#current = undefined;
    this.#started = undefined;
    this.#settleAll(why);
    this.#ending = thread.terminate().catch(() => undefined);
  }
}
