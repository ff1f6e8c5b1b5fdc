import type { Clock } from '../core/index.ts';

/** Milliseconds that a timer may take; longer sleeps are slept in pieces. */
const longestTimer = 2_000_000_000;

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(until, wake) {
    while (!wake.aborted && Date.now() < until) await pause(Math.min(until - Date.now(), longestTimer), wake);
  },
};

function pause(milliseconds: number, wake: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      wake.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    wake.addEventListener('abort', done);
  });
}
