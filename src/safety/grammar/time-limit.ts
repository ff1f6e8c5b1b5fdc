/** A limit on work that is over sooner or later: in milliseconds that this process computes, so that a busy machine alone fails nothing. */

/** The time on the clock that it may take at most, as a multiple. */
const slowest = 20;

export class TimeLimit {
  readonly #limit: number;
  readonly #since = performance.now();
  readonly #used = process.cpuUsage();

  constructor(limit: number) {
    this.#limit = limit;
  }

  isOver(): boolean {
    const elapsed = performance.now() - this.#since;
    if (elapsed <= this.#limit) return false;
    if (elapsed > this.#limit * slowest) return true;
    const { user, system } = process.cpuUsage(this.#used);
    return (user + system) / 1000 > this.#limit;
  }
}
