import { compactionOf } from '../compaction.ts';
import type { Action, Rule } from '../decide.ts';
import { isNearlyFull, windowOf } from '../estimate.ts';
import { fillingOf } from '../filling.ts';
import { routed } from '../routing.ts';
import type { Target } from '../setup.ts';
import { targetName } from '../target.ts';
import { standingSize } from '../tokens.ts';
import { wantsModel } from '../transcript.ts';
import type { View } from '../view.ts';

/** Compactions in a row that bring nothing below the limit: another one would do no better. */
const mostInARow = 2;

/**
 * The window of the model that would be asked is nearly full: older turns give way, so that there is room before it is needed. Where
 * nothing is gained by that, it is asked as it is as long as it may have room: its provider says whether that was too much.
 */
export const windowFull: Rule = (view) => {
  if (!wantsModel(view.transcript) || view.setup === undefined) return undefined;
  const { target } = routed(view) ?? { target: view.setup };
  if (!isNearlyFull(view, target)) return undefined;
  if (isExhausted(view)) return full(view, target, 'although older turns have given way twice');
  const action = compaction(view, 'window');
  if (action !== undefined || !isImpossible(view, target)) return action;
  return full(view, target, 'and nothing is left that could give way');
};

function full(view: View, target: Target, why: string): Action {
  const detail = `The conversation doesn’t fit the window, ${why}. ${fillingOf(view, target)}`;
  return { do: 'stop', reason: 'provider', code: 'context-overflow', detail };
}

/**
 * It reports more tokens than there are bytes, and more than its window: whatever would give way, it would report as much again. What is
 * larger than the window and was answered all the same shows that the window is.
 */
function isImpossible(view: View, target: Target): boolean {
  const { reported, size } = view.transcript;
  if (reported === undefined || targetName(reported.source) !== targetName(target)) return false;
  return reported.tokens >= windowOf(view, target) && reported.tokens > standingSize(view.setup) + size;
}

function isExhausted({ compactions }: View): boolean {
  return compactions >= mostInARow;
}

/** Undefined where nothing is gained, or was twice in a row. */
export function compaction(view: View, why: 'overflow' | 'window'): Action | undefined {
  if (view.setup === undefined || isExhausted(view)) return undefined;
  const { target } = routed(view) ?? { target: view.setup };
  return compactionOf(view, target, why, view.compactions > 0);
}
