import type { Rule } from '../decide.ts';
import { acceptedMode, planDecision } from '../planning.ts';
import { lastSegment, wantsModel } from '../transcript.ts';

/** The end of planning is a question: a person reviews the plan, and what they say ends the run or sends the model back to it. */
export const planReview: Rule = ({ planning, setup, ledger, transcript }) => {
  if (setup?.mode !== 'plan' || planning === undefined) return undefined;
  const { review } = planning;
  const decision = planDecision(planning);
  if (review !== undefined && decision === 'accepted') {
    const detail = `The plan was accepted; the work goes on in mode ${acceptedMode(review)}.`;
    return { do: 'stop', reason: 'completed', detail };
  }
  if (wantsModel(transcript) || lastSegment(transcript).reply === undefined) return undefined;
  if (decision === 'rejected') return { do: 'stop', reason: 'completed', detail: 'The plan was rejected.' };
  if (review !== undefined && ledger.openAsks.has(review.id)) return { do: 'wait', for: 'answer', asks: [review.id] };
  return { do: 'review-plan' };
};
