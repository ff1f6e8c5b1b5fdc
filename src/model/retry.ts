/** When to try again after a failure: a pure function of the policy, the attempts so far, the time and a lot drawn. */
import type { RetryPolicy } from '../core/index.ts';
import type { ProviderFailure } from './failures.ts';

/** The longest pause that is chosen here, in milliseconds; a provider may ask for a longer one. */
const longestPause = 60_000;

/** The time of the next try in milliseconds since the epoch; or that there is none and, where the class alone doesn't say it, why. */
export type NextTry = { retryAt: number } | { reason?: string };

/**
 * `attempt` is the try that failed, from 1; `firstFailureAt` the time of the first failure of this turn; `random` gives [0, 1).
 * Pauses double from the policy's first up to a minute; the lot takes up to half of one away. What a provider asks to wait is
 * always waited, and a little more by lot.
 */
export function nextTry(
  policy: RetryPolicy,
  attempt: number,
  firstFailureAt: number,
  now: number,
  failure: ProviderFailure,
  random: () => number,
): NextTry {
  const tries = triesFor(policy, failure);
  if (tries === 0) return {};
  if (attempt >= tries) return { reason: `No further try: ${tries} are allowed.` };
  const grown = Math.min(longestPause, policy.firstPause * 2 ** (attempt - 1));
  const pause = grown * (1 - random() / 2);
  const told = failure.wait ?? 0;
  const retryAt = Math.ceil(now + Math.max(pause, told * (1 + random() / 10)));
  const deadline = firstFailureAt + policy.minutes * 60_000;
  if (retryAt <= deadline) return { retryAt };
  const limit = `the ${policy.minutes} minutes in which tries are allowed`;
  if (now + told <= deadline) return { reason: `No further try: it would come after ${limit}.` };
  return { reason: `The provider asks to wait until ${new Date(now + told).toISOString()}, beyond ${limit}.` };
}

function triesFor(policy: RetryPolicy, failure: ProviderFailure): number {
  if (failure.final === true) return 0;
  if (failure.class === 'retryable') return policy.attempts;
  const isBroken = failure.class === 'broken-stream' || failure.class === 'unreachable';
  return isBroken ? Math.min(policy.attempts, policy.brokenStream) : 0;
}
