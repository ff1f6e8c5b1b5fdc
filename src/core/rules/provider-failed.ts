import type { Rule } from '../decide.ts';
import { fillingOf } from '../filling.ts';
import { lastFailure, routed } from '../routing.ts';
import type { View } from '../view.ts';

/** A failed attempt is waited out and tried again, as long as it says when; where a route takes over it is left; else the run stops with the cause. */
export const providerFailed: Rule = (view, now) => {
  if (view.failure === undefined) return undefined;
  const { data } = view.failure;
  // Ended from our side: by a cancel, which has stopped the run, or because the time was up, which is a limit's to say.
  if (data.class === 'cancelled') return undefined;
  const next = routed(view);
  if (next === undefined) {
    const filled = data.class === 'overflow' && view.setup !== undefined ? ` ${fillingOf(view, view.setup)}` : '';
    return { do: 'stop', reason: 'provider', code: data.code, detail: `${data.message}${triesOf(view)}${filled}` };
  }
  const before = lastFailure(view, next.name);
  if (before?.data.retryAt === undefined || now >= before.data.retryAt) return undefined;
  return { do: 'wait', for: `another try: ${before.data.message}`, until: before.data.retryAt };
};

/** How often it was tried, and what was tried besides. */
function triesOf(view: View): string {
  const { name = '', attempts = 1 } = view.failure ?? {};
  const tries = attempts > 1 ? ` (after ${attempts} tries)` : '';
  const others = [...new Map([...view.down, ...view.failures]).values()].filter((failure) => failure.name !== name);
  if (others.length === 0) return tries;
  return `${tries}; before it ${others.map((failure) => `${failure.name} failed: ${failure.data.code}`).join(', ')}`;
}
