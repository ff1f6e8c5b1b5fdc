/** Planning: whether a plan is written, under review, and what the person made of it. The task list of the model is another thing (plan.ts). */
import type { EventData, EventId, InputFrom } from './events.ts';
import type { ReviewedPlan } from './permissions.ts';
import type { Mode } from './setup.ts';

export interface Planning {
  /** Of the plan as it is now; absent before it is reviewed, and once something is said or written after that. */
  review?: { id: EventId; plan: ReviewedPlan; answer?: EventData['answer'] };
}

/** What a person says while a plan is under review sends the model back to it. */
export function isReply(from: InputFrom): boolean {
  return from !== 'harness' && from !== 'follow-up';
}

/** The code under which the model is told of an accepted plan. */
export const planAcceptedCode = 'plan-accepted';

export type PlanDecision = 'accepted' | 'change' | 'rejected';

/** A no with words wants another plan, one without wants none. Undefined where nobody has answered. */
export function planDecision({ review }: Planning): PlanDecision | undefined {
  const { answer } = review ?? {};
  if (answer === undefined) return undefined;
  if (answer.decision === 'yes') return 'accepted';
  return wantedChange(answer) === undefined ? 'rejected' : 'change';
}

/** The person's words on a plan that they want changed. */
export function wantedChange({
  decision,
  reason = '',
}: Pick<EventData['answer'], 'decision' | 'reason'>): string | undefined {
  return decision === 'no' && reason.trim() !== '' ? reason.trim() : undefined;
}

/** The mode of the answer where it was offered: whoever answers can't choose another. */
export function acceptedMode({ plan, answer }: NonNullable<Planning['review']>): Mode {
  const [careful = 'ask'] = plan.modes;
  return answer?.mode !== undefined && plan.modes.includes(answer.mode) ? answer.mode : careful;
}

/** The plan that was accepted and not begun yet, and the mode in which it is carried out. */
export function acceptedPlan(planning: Planning | undefined): (ReviewedPlan & { mode: Mode }) | undefined {
  const { review } = planning ?? {};
  if (review === undefined || planDecision({ review }) !== 'accepted') return undefined;
  return { ...review.plan, mode: acceptedMode(review) };
}

/** The mode in which a session goes on by itself, where its planning says: on with the plan, or on with planning. */
export function modeAfterPlanning(planning: Planning | undefined): Mode | undefined {
  if (planning === undefined || planDecision(planning) === 'rejected') return undefined;
  return acceptedPlan(planning)?.mode ?? 'plan';
}

/** What is left of planning when a run begins: a plan that was decided on is over, and so is planning in another mode. */
export function planningAt(planning: Planning | undefined, mode: Mode): Planning | undefined {
  if (planning === undefined || mode !== 'plan') return undefined;
  const decision = planDecision(planning);
  return decision === 'accepted' || decision === 'rejected' ? undefined : planning;
}
