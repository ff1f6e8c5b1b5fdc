import type { Rule } from '../decide.ts';
import { routed } from '../routing.ts';
import { wantsModel } from '../transcript.ts';
import { offeredOutput } from './limits.ts';

/** Nothing else is to be done and something is unanswered: ask. */
export const askModel: Rule = (view) => {
  if (!wantsModel(view.transcript) || view.setup === undefined) return undefined;
  const { target, route } = routed(view) ?? { target: view.setup };
  const failed = [...view.failures.values()].reduce((sum, { attempts }) => sum + attempts, 0);
  return {
    do: 'ask-model',
    turn: view.ledger.turns + 1,
    attempt: failed + 1,
    maxOutput: offeredOutput(view, target),
    closing: view.noted.has('limit-closing'),
    ...(route !== undefined && { route }),
  };
};
