import type { Rule } from '../decide.ts';
import { isOver } from '../questions.ts';
import { openCalls } from '../transcript.ts';

/** What is left of the calls waits for an answer, or has waited long enough. */
export const openQuestion: Rule = ({ transcript, ledger }, now) => {
  const asks = openCalls(transcript).flatMap((call) => (call.ask === undefined ? [] : [call.ask]));
  if (asks.length === 0) return undefined;
  const over = asks.filter((ask) => isOver(ledger, ask, now));
  if (over.length > 0) return { do: 'expire', asks: over };
  const until = Math.min(...asks.map((ask) => ledger.openAsks.get(ask)?.until ?? Infinity));
  return { do: 'wait', for: 'answer', asks, ...(until < Infinity && { until }) };
};
