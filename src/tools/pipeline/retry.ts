/** Tries again what may pass, where doing it twice is the same as doing it once. */
import type { CallOutcome, Clock } from '../../core/index.ts';

/** Milliseconds before each try. */
const pauses = [0, 100, 400];
/** The share by which a pause is longer, at most, so that many who failed together don't come back together. */
const jitter = 0.5;

export interface Retrying {
  idempotent: boolean;
  clock: Clock;
  /** Aborted on cancel and at the time limit, which holds for all tries together. */
  signal: AbortSignal;
  /** From 0 up to 1. */
  random: () => number;
}

export async function withRetries(
  attempt: () => Promise<CallOutcome>,
  { idempotent, clock, signal, random }: Retrying,
): Promise<{ outcome: CallOutcome; tries: number }> {
  let outcome = await attempt();
  let tries = 1;
  for (const pause of pauses.slice(1)) {
    if (!idempotent || !mayPass(outcome)) break;
    await clock.sleep(clock.now() + pause * (1 + jitter * random()), signal);
    if (signal.aborted) break;
    outcome = await attempt();
    tries += 1;
  }
  return { outcome, tries };
}

function mayPass({ outcome, failed }: CallOutcome): boolean {
  return outcome === 'error' && (failed === 'transient' || failed === 'timeout');
}
