/** Waits for something to happen to a job. */
import { PatternSearch, type Match } from './pattern.ts';
import type { JobLook } from './keeper.ts';

/** Milliseconds for which output is gathered before it is looked through. */
const gathering = 10;
/** The longest time that a timer of Node can take. */
const longestTimer = 2 ** 31 - 1;

export interface Awaited {
  isRunning: boolean;
  over: Promise<void>;
  /** What came since the last look: all, or start and end. */
  texts: readonly string[];
  listen: (listener: (chunk: Buffer) => void) => () => void;
}

/** Resolves at the end, when the time is over, on an abort, or when the pattern is there; whether that is so. */
export async function waitFor(job: Awaited, { pattern, wait }: JobLook, signal: AbortSignal): Promise<Match> {
  const search = pattern === undefined ? undefined : new PatternSearch(pattern);
  const first = search?.begin(job.texts) ?? false;
  if (first !== false || !job.isRunning || wait <= 0 || signal.aborted) return first;
  const waiting = new Waiting(search);
  const unlisten = job.listen((chunk) => waiting.take(chunk));
  const timer = setTimeout(() => waiting.finish(false), Math.min(wait, longestTimer));
  const onAbort = () => waiting.finish(false);
  signal.addEventListener('abort', onAbort, { once: true });
  void job.over.then(() => waiting.finish(true));
  try {
    return await waiting.done;
  } finally {
    unlisten();
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

class Waiting {
  readonly done: Promise<Match>;
  readonly #search: PatternSearch | undefined;
  #settle: (match: Match) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(search: PatternSearch | undefined) {
    this.#search = search;
    this.done = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  take(chunk: Buffer): void {
    if (this.#search === undefined) return;
    this.#search.push(chunk);
    if (this.#search.isFull) this.#look();
    else this.#timer ??= setTimeout(() => this.#look(), gathering);
  }

  /** Nothing more is waited for; what came until now may hold it all the same. */
  finish(isOver: boolean): void {
    clearTimeout(this.#timer);
    this.#settle(this.#search?.pass(isOver) ?? false);
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const found = this.#search?.pass() ?? false;
    if (found !== false) this.#settle(found);
  }
}
