import type { Rule } from '../decide.ts';
import { wantsModel } from '../transcript.ts';
import { offeredOutput } from './limits.ts';

/** Nothing else is to be done and something is unanswered: ask. */
export const askModel: Rule = (view) => {
  if (!wantsModel(view.transcript) || view.setup === undefined) return undefined;
  return {
    do: 'ask-model',
    turn: view.ledger.turns + 1,
    attempt: (view.failure?.attempts ?? 0) + 1,
    maxOutput: offeredOutput(view),
    closing: view.noted.has('limit-closing'),
  };
};
