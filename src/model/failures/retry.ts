/** When to try again after a failure: a pure function of the policy, the failures so far, the time and a lot drawn. */
import type { RetryPolicy } from '../../core/index.ts';
import type { ProviderFailure } from './failures.ts';
import { joinSentences } from './sentences.ts';

/** The longest pause that is chosen here, in milliseconds; a provider may ask for a longer one. */
const longestPause = 60_000;

/** The failures of one model in this turn, the one that just came included. */
export interface FailuresSoFar {
  attempts: number;
  /** How many of them were streams that broke or hosts that weren't reached. */
  broken: number;
  /** When the first of them came, in milliseconds since the epoch. */
  firstAt: number;
}

/** The time of the next try in milliseconds since the epoch; or that there is none and, where the class alone doesn't say it, why. */
export type NextTry = { retryAt: number } | { reason?: string };

/**
 * `random` gives [0, 1). Pauses double from the policy's first up to a minute; the lot takes up to half of one away. What a
 * provider asks to wait is always waited, and a little more by lot.
 */
export function nextTry(
  policy: RetryPolicy,
  so: FailuresSoFar,
  now: number,
  failure: ProviderFailure,
  random: () => number,
): NextTry {
  const limit = limitFor(failure, policy);
  if (limit === undefined) return {};
  if (so.attempts >= policy.attempts) return { reason: noFurther(policy.attempts) };
  if (limit === 'broken' && so.broken >= policy.brokenStream) return { reason: noFurther(policy.brokenStream) };
  const grown = Math.min(longestPause, policy.firstPause * 2 ** (so.attempts - 1));
  const pause = grown * (1 - random() / 2);
  const told = failure.wait ?? 0;
  const retryAt = Math.ceil(now + Math.max(pause, told * (1 + random() / 10)));
  const deadline = so.firstAt + policy.minutes * 60_000;
  if (retryAt <= deadline) return { retryAt };
  const minutes = `the ${policy.minutes} ${policy.minutes === 1 ? 'minute' : 'minutes'} in which tries are allowed`;
  if (now + told <= deadline) return { reason: `No further try: it would come after ${minutes}.` };
  return { reason: `The provider asks to wait until ${timeText(now + told)}, beyond ${minutes}.` };
}

/** What a person reads of a failure: the provider's words, and why there is no further try where that needs saying. */
export function failureText(said: string, next: NextTry): string {
  return 'reason' in next && next.reason !== undefined ? joinSentences(said, next.reason) : said;
}

/** Which of the two limits on tries holds; undefined where there is no sense in another. */
function limitFor(failure: ProviderFailure, policy: RetryPolicy): 'all' | 'broken' | undefined {
  if (failure.final === true || policy.attempts === 0) return undefined;
  if (failure.class === 'retryable' || failure.class === 'wait') return 'all';
  return failure.class === 'broken-stream' || failure.class === 'unreachable' ? 'broken' : undefined;
}

function noFurther(tries: number): string {
  return `No further try: ${tries} are allowed.`;
}

/** The furthest time that a date can hold; what a server asks for can lie beyond it. */
const furthest = 8.64e15;

function timeText(at: number): string {
  return new Date(Math.min(at, furthest)).toISOString();
}
