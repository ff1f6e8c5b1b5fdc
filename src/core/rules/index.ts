export { offeredOutput } from './limits.ts';

/** The default rules in their order, and those of them that a profile may leave out. */
import type { Rule } from '../decide.ts';
import { askModel } from './ask-model.ts';
import { cancelled } from './cancelled.ts';
import { checks } from './checks.ts';
import { cutReply } from './cut-reply.ts';
import { declined } from './declined.ts';
import { denied } from './denied.ts';
import { followUp } from './follow-up.ts';
import { limits } from './limits.ts';
import { openCallsRule } from './open-calls.ts';
import { openQuestion } from './open-question.ts';
import { overflow } from './overflow.ts';
import { providerFailed } from './provider-failed.ts';
import { plan } from './plan.ts';
import { planReview } from './plan-review.ts';
import { promptCutRule } from './prompt-cut.ts';
import { stopped } from './stopped.ts';
import { stuck } from './stuck.ts';
import { windowFull } from './window.ts';

// oxfmt-ignore
export const defaultRules: readonly Rule[] = [
  stopped, cancelled, cutReply, overflow, declined, openCallsRule, openQuestion,
  providerFailed, denied, limits, stuck, promptCutRule, windowFull, planReview, followUp, checks, plan, askModel,
];

/** Without these a run still ends, keeps its limits and proves its work. */
export const optionalRules = { plan, stuck } as const satisfies { readonly [name: string]: Rule };
