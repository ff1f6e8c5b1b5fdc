/** Step 5: floor, mode, rules and grants say allow, ask or deny; the verdict is recorded whatever it is. */
import type { EventData, JsonObject } from '../../core/index.ts';
import type { Effects, Judgement, Policy } from '../needs.ts';
import { visible } from '../text/index.ts';

export type Verdict = EventData['verdict'];

export interface Judged {
  call: string;
  tool: string;
  arguments: JsonObject;
  changedBy: string[];
  effects: Effects;
}

export function judge(policy: Policy, judged: Judged): Verdict {
  const { tool, effects } = judged;
  return verdictOf(judged, policy.judge({ tool, arguments: judged.arguments, effects }));
}

/** The verdict of a hook that blocks. */
export function blocked(judged: Judged, hook: string, reason: string): Verdict {
  return verdictOf(judged, { decision: 'deny', by: `hook:${hook}`, reason });
}

function verdictOf(judged: Judged, { decision, by, reason, shape }: Judgement): Verdict {
  return {
    call: judged.call,
    tool: judged.tool,
    decision,
    by,
    // It may quote a path or a command of the model, and people read it on a terminal.
    reason: visible(reason),
    arguments: judged.arguments,
    ...(judged.changedBy.length > 0 ? { changedBy: judged.changedBy } : {}),
    resources: judged.effects.resources,
    ...(shape === undefined ? {} : { shape }),
  };
}

const strictness = { allow: 0, ask: 1, deny: 2 };

/** Whether a verdict of now must replace the recorded one: a permission may have ended since, and links may lead elsewhere. */
export function isStricter(now: Verdict, before: Verdict): boolean {
  return strictness[now.decision] > strictness[before.decision];
}

export function deniedText({ by, reason }: Verdict): string {
  return `Denied by ${by}: ${reason} Nothing was run.`;
}
