/** Work that is heavy on memory or on the processor: one piece after the other, and none for ever. */

let last: Promise<unknown> = Promise.resolve();

/** What `inTurn` gives for work that wasn't done within its time. */
export const late = Symbol('late');

/**
 * Does a piece of work once all earlier pieces are done or have used up their time. The time in milliseconds counts from its start.
 * What can't be stopped goes on in the background, and its outcome is dropped.
 */
export async function inTurn<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<T | typeof late> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  try {
    await Promise.race([before, aborted(signal)]);
    if (signal.aborted) return late;
    const over = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
    return await Promise.race([work(over), aborted(over).then((): typeof late => late)]);
  } finally {
    // Whoever waits next still waits for what came before this one.
    void before.then(() => resolve());
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
