import type { Rule } from '../decide.ts';

/** A failed attempt is waited out and tried again, as long as it says when; otherwise the run stops with the cause. */
export const providerFailed: Rule = (view, now) => {
  if (view.failure === undefined) return undefined;
  const { data, attempts } = view.failure;
  // Ended from our side: by a cancel, which has stopped the run, or because the time was up, which is a limit's to say.
  if (data.class === 'cancelled') return undefined;
  if (data.retryAt === undefined) {
    const exhausted = attempts > 1 ? ` (after ${attempts} tries)` : '';
    return { do: 'stop', reason: 'provider', code: data.code, detail: `${data.message}${exhausted}` };
  }
  if (now >= data.retryAt) return undefined;
  return { do: 'wait', for: `another try: ${data.message}`, until: data.retryAt };
};
