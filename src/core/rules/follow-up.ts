import type { Rule } from '../decide.ts';
import { wantsModel } from '../transcript.ts';
import { checks } from './checks.ts';

/** A follow-up belongs to the moment when the run would stop by itself: what was done before it is proven first. One at a time. */
export const followUp: Rule = (view, now) => {
  const [next] = view.transcript.held;
  if (next === undefined || wantsModel(view.transcript)) return undefined;
  const end = checks(view, now);
  if (end !== undefined && end.do !== 'stop') return undefined;
  return { do: 'follow-up', input: next.id };
};
