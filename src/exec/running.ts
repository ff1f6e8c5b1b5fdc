/** A command at work: what waits for its end and what brings it about, whether somebody awaits its outcome or it goes on as a job. */
import { Feed, type Captured, type FeedOptions } from './output/index.ts';
import {
  endLaunch,
  endLeftovers,
  isStalled,
  kill,
  Usage,
  type Bound,
  type Ended,
  type Launch,
} from './process/index.ts';
import type { Started } from './starts.ts';

/** Milliseconds to wait for the end of the output after everything that could write it is gone. */
const drainLimit = 2000;
/** The longest time that a timer of Node can take. */
const longestTimer = 2 ** 31 - 1;
/** Milliseconds between two looks at what the command uses: memory can fill up within seconds. */
const betweenMeasures = 200;
/** Milliseconds between two looks at whether the command can still go on. */
const betweenLooks = 1000;

/** Why the wait for a command was over: its own end, its time, a cancel, a wish to end the job, too much output, nothing that could go on, nobody waits any more, or too much memory or too many processes. */
export type Stop = 'exit' | 'time' | 'cancel' | 'ended' | 'flood' | 'stalled' | 'released' | 'memory' | 'processes';

/** What bounds it: milliseconds, and bytes of output. */
export interface Limits {
  timeout: number;
  flood: number;
  /** Bytes of memory and processes at once, where they are bounded. */
  use?: Bound | undefined;
}

/** What is to be known of a command while it runs. */
export interface Order {
  command: string;
  /** Milliseconds for which it is waited for. */
  timeout: number;
  /** Names it for whoever wants to do something with it. */
  call?: string;
  /** What came before it goes on as a job is left for the first look. */
  untold?: boolean;
}

/** How a command ended. */
export interface End {
  exit: number | null;
  signal: string | null;
  notStarted?: string;
  ended: Ended;
  /** The last of its output. */
  captured: Captured;
}

export class Running {
  readonly order: Order;
  readonly launch: Launch;
  readonly feed: Feed;
  readonly limits: Limits;
  /** When it began, in milliseconds of the monotonic clock. */
  readonly began = performance.now();
  readonly #start: Started;
  #interrupt: (stop: Stop) => void = () => undefined;
  #interrupted: Promise<Stop> = Promise.race([]);
  /** What it has exceeded for good, whoever waits for it by then. */
  #excess: Stop | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(start: Started, order: Order, output: Omit<FeedOptions, 'onFlood'>) {
    this.#start = start;
    this.order = order;
    this.launch = start.launch;
    this.limits = { timeout: order.timeout, flood: output.flood, use: start.use };
    this.feed = new Feed({ ...output, onFlood: () => this.interrupt('flood') });
    this.#arm();
  }

  /** Hands the command over. */
  begin(folder: string): void {
    const { call } = this.order;
    if (call !== undefined) this.#start.outlet?.belongsTo(call);
    this.#read();
    this.#watchUse();
    this.launch.handOver(this.order.command, folder);
  }

  /** What its connections came to, when it is over: what still went on is cut off. In words for the model. */
  disconnect(): string | undefined {
    this.#start.outlet?.close();
    return this.#start.outlet?.hint();
  }

  /** Whether it can reach anything outside. */
  get isConnected(): boolean {
    return this.#start.outlet !== undefined;
  }

  /** Ends the wait for it. */
  interrupt(stop: Stop): void {
    if (stop === 'flood' || stop === 'memory' || stop === 'processes') this.#excess ??= stop;
    this.#interrupt(stop);
  }

  /** What comes first. */
  async stop(signal: AbortSignal): Promise<Stop> {
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const stopped = new Promise<Stop>((resolve) => {
      timer = setTimeout(resolve, Math.min(this.limits.timeout, longestTimer), 'time');
      onAbort = () => resolve('cancel');
      signal.addEventListener('abort', onAbort, { once: true });
    });
    const watch = this.#watchStall();
    try {
      return await Promise.race([stopped, this.#interrupted, this.#over]);
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      if (onAbort) signal.removeEventListener('abort', onAbort);
    }
  }

  /** What comes first for one that nobody waits for any more: its own end, somebody who ends it, or too much output. */
  async goOn(): Promise<Stop> {
    this.#arm();
    if (this.#excess !== undefined) return this.#excess;
    return Promise.race([this.#interrupted, this.#over]);
  }

  /** Waits until nothing of it is left that matters, and ends what is. A sandbox that is already alone is left to end by itself. */
  async conclude(stop: Stop): Promise<End> {
    const { launch } = this.#start;
    clearInterval(this.#watch);
    const isAlone = stop === 'exit' && launch.isOver;
    let ended: Ended = { names: [], survivors: [] };
    if (!isAlone) {
      ended = await this.#end(stop);
      await this.#drained();
    }
    await launch.shell.settle();
    const last = launch.rest();
    if (last.length > 0) await this.feed.write(last);
    const captured = await this.feed.take(true);
    const { exit, signal, left, notStarted } = launch.ending;
    if (isAlone) void launch.exited.then(() => launch.abandon());
    else launch.abandon();
    return {
      exit: stop === 'exit' ? exit : null,
      signal,
      ...(notStarted !== undefined && stop === 'exit' && { notStarted }),
      ended: { names: [...new Set([...left, ...ended.names])], survivors: ended.survivors },
      captured,
    };
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    clearInterval(this.#watch);
    await kill(this.#start.launch, this.#start.bounds);
  }

  #arm(): void {
    this.#interrupted = new Promise((resolve) => {
      this.#interrupt = resolve;
    });
  }

  get #over(): Promise<Stop> {
    return this.launch.over.then((): Stop => 'exit');
  }

  /** Reads the output as fast as it can be kept, and no faster. */
  #read(): void {
    const { launch, feed } = this;
    launch.output.on('data', (chunk: Buffer) => {
      const own = launch.pass(chunk);
      if (own.length === 0) return;
      const written = feed.write(own);
      if (written === undefined) return;
      launch.output.pause();
      void written.then(() => launch.output.resume());
    });
  }

  /** Nobody is there to wake up what has stopped itself: seen twice, it won't go on. */
  #watchStall(): NodeJS.Timeout {
    const { launch } = this;
    let seen = 0;
    return setInterval(() => {
      seen = launch.pid !== undefined && isStalled(launch.pid, launch.watch) ? seen + 1 : 0;
      if (seen >= 2) this.#interrupt('stalled');
    }, betweenLooks);
  }

  async #end(stop: Stop): Promise<Ended> {
    const { launch, bounds } = this.#start;
    if (stop === 'exit') return endLeftovers(launch, bounds);
    // No moment for what multiplies meanwhile.
    if (stop === 'processes') return { names: [], survivors: await kill(launch, bounds) };
    return endLaunch(launch, bounds);
  }

  #watchUse(): void {
    const { pid } = this.launch;
    const bound = this.#start.use;
    if (bound === undefined || pid === undefined) return;
    const usage = new Usage(bound);
    this.#watch = setInterval(() => {
      const exceeded = usage.exceeded(pid);
      if (exceeded !== undefined) this.interrupt(exceeded);
    }, betweenMeasures).unref();
  }

  /** Waits for the end of the output; nobody is left who could write, so this is a matter of what is still in the pipe. */
  async #drained(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainLimit);
    });
    await Promise.race([this.launch.closed, late]);
    clearTimeout(timer);
  }
}
