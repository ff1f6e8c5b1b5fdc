/** A clock that only tests move. */
import type { Clock } from '../core/index.ts';

export interface ManualClock extends Clock {
  /** Milliseconds since the epoch to which somebody sleeps, soonest first. */
  readonly sleepers: number[];
  /** Every time to which somebody has slept, in the order in which they began. */
  readonly sleeps: number[];
  /**
   * Moves the time, in milliseconds, waking sleepers one after another, each at its own time, and letting what they do run before the
   * next: also who falls asleep meanwhile wakes, if it is for within the time.
   */
  advance(milliseconds: number): Promise<void>;
  /** Resolves with the time to which the next one sleeps, as soon as somebody sleeps. */
  untilAsleep(): Promise<number>;
}

export interface ManualClockOptions {
  /** A sleep moves the time to its end at once; nobody needs to advance. Default false. */
  auto?: boolean;
}

interface Sleeper {
  until: number;
  wake: () => void;
}

/** A clock that stands at `start`, in milliseconds since the epoch, until it is moved. */
export function manualClock(start = 0, options: ManualClockOptions = {}): ManualClock {
  return new StandingClock(start, options.auto ?? false);
}

class StandingClock implements ManualClock {
  readonly sleeps: number[] = [];
  readonly #auto: boolean;
  #now: number;
  #asleep: Sleeper[] = [];
  #watchers: ((until: number) => void)[] = [];

  constructor(start: number, auto: boolean) {
    this.#now = start;
    this.#auto = auto;
  }

  get sleepers(): number[] {
    return this.#asleep.map((sleeper) => sleeper.until);
  }

  now(): number {
    return this.#now;
  }

  sleep(until: number, wake: AbortSignal): Promise<void> {
    this.sleeps.push(until);
    if (wake.aborted) return Promise.resolve();
    if (this.#auto) this.#now = Math.max(this.#now, until);
    if (until <= this.#now) return Promise.resolve();
    return new Promise((resolve) => {
      const rise = () => {
        wake.removeEventListener('abort', rise);
        this.#asleep = this.#asleep.filter((other) => other !== sleeper);
        resolve();
      };
      const sleeper: Sleeper = { until, wake: rise };
      wake.addEventListener('abort', rise);
      this.#asleep.push(sleeper);
      // Whoever fell asleep first wakes first at the same time: the sort is stable.
      this.#asleep.sort((a, b) => a.until - b.until);
      for (const watcher of this.#watchers.splice(0)) watcher(this.#asleep[0]?.until ?? until);
    });
  }

  async advance(milliseconds: number): Promise<void> {
    await settled();
    const target = this.#now + milliseconds;
    for (let next = this.#asleep[0]; next && next.until <= target; next = this.#asleep[0]) {
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await settled();
    }
    this.#now = target;
    await settled();
  }

  untilAsleep(): Promise<number> {
    const [first] = this.#asleep;
    if (first) return Promise.resolve(first.until);
    return new Promise((resolve) => this.#watchers.push(resolve));
  }
}

/** Lets everything run that waits for nothing but its turn. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
