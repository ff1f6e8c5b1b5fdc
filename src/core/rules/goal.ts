/** The end of a run that has a goal: the judge has the last word, and only on what is proven as far as commands can prove it. */
import type { Action } from '../decide.ts';
import type { View } from '../view.ts';
import { completed, unverified } from './ending.ts';

/** Where no check is set up, the judge's word is all the proof that there is; where one failed or was redefined, it is no help. */
export function withGoal(view: View, end: Action): Action {
  const goal = view.setup?.goal;
  if (goal === undefined || end.do !== 'stop') return end;
  if (end.reason !== 'completed' && end.code !== 'checks-missing') return end;
  const { judgement } = view.ledger;
  if (judgement === undefined) return { do: 'judge', goal };
  const { ruling, reason } = judgement;
  switch (ruling) {
    case 'met':
      return completed(view, `${end.detail} The judge finds the goal met: ${reason}`);
    case 'impossible':
      return unverified(view, 'goal-impossible', `The judge finds the goal impossible: ${reason}`);
    case 'not-yet':
      return unverified(view, 'goal-not-met', `The judge finds the goal not met yet: ${reason}`);
    default:
      return unverified(view, 'goal-unjudged', `Nobody could judge the goal: ${reason}`);
  }
}
