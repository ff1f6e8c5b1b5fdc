/** Property tests: how often they run, and with which seed, can be said from outside. */
import type { TestContext } from 'node:test';
import * as fc from 'fast-check';

/** REINS_PROPERTY_RUNS multiplies the number of runs (and the time they may take). */
export const factor = Math.max(1, Number(process.env['REINS_PROPERTY_RUNS'] ?? 1));

/** Milliseconds that a property may take, for `test(name, { timeout }, ...)`. */
export const patience = 60_000 * factor;

/**
 * Holds the predicate against random values, and tells the seed. REINS_PROPERTY_SEED gives it; then a failure is also shrunk,
 * which takes its time when each run does.
 */
export async function holds<T>(
  context: TestContext,
  arbitrary: fc.Arbitrary<T>,
  runs: number,
  predicate: (value: T) => Promise<void>,
): Promise<void> {
  const given = process.env['REINS_PROPERTY_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  context.diagnostic(`seed ${seed}`);
  await fc.assert(fc.asyncProperty(arbitrary, predicate), {
    seed,
    numRuns: Math.ceil(runs * factor),
    endOnFailure: given === undefined,
  });
}

/** A part of a whole, from 0 up to but not including 1, each as likely as any other. */
export const share: fc.Arbitrary<number> = fc.noBias(fc.integer({ min: 0, max: 99_999 })).map((part) => part / 100_000);
