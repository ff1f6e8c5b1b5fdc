/** Long work that gives way: after some milliseconds everybody else in the process has a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work at a stretch. */
const stretch = 10;

export class Pace {
  #since = performance.now();

  isDue(): boolean {
    return performance.now() - this.#since > stretch;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
