import type { Rule } from '../decide.ts';
import { expired, firstUntil } from '../questions.ts';
import { openCalls } from '../transcript.ts';

/** What is left of the calls waits for an answer, or has waited long enough. */
export const openQuestion: Rule = (view, now) => {
  const asks = openCalls(view.transcript).flatMap((call) => (call.ask === undefined ? [] : [call.ask]));
  if (asks.length === 0) return undefined;
  const over = expired(view.ledger, asks, now);
  if (over.length > 0) return { do: 'expire', asks: over };
  const until = firstUntil(view.ledger, asks);
  return { do: 'wait', for: 'answer', asks, ...(until !== undefined && { until }) };
};
