import type { Rule } from '../decide.ts';
import { openCalls } from '../transcript.ts';

/** What is left of the calls waits for an answer. */
export const openQuestion: Rule = (view) => {
  const asks = openCalls(view.transcript).flatMap((call) => (call.ask === undefined ? [] : [call.ask]));
  return asks.length === 0 ? undefined : { do: 'wait', for: 'answer', asks };
};
