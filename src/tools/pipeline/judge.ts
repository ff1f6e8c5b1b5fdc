/** Step 5: floor, mode, rules and grants say allow, ask or deny; the verdict is recorded whatever it is. */
import type { Effect, EventData, JsonObject } from '../../core/index.ts';
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

function verdictOf(judged: Judged, { decision, by, reason, part, shape }: Judgement): Verdict {
  const hosts = hostsOf(judged.effects);
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
    effects: effectsOf(judged.effects),
    ...(hosts.length > 0 && { hosts }),
    ...(part !== undefined && { part: visible(part) }),
    ...(shape === undefined ? {} : { shape }),
  };
}

/** Of a command line what its parts would do, which says more than that it is one. */
function effectsOf({ effects, analysis }: Effects): Effect[] {
  if (analysis === undefined) return effects;
  const unclear: Effect[] = analysis.unclear === undefined ? [] : ['cannot-tell'];
  return [...new Set([...analysis.parts.flatMap((part) => part.effects), ...unclear])];
}

function hostsOf({ analysis, url }: Effects): string[] {
  const named = analysis?.parts.flatMap(({ hosts }) => hosts) ?? [];
  const fetched = url !== undefined && URL.canParse(url) ? [new URL(url).host] : [];
  return [...new Set([...named, ...fetched])].map(visible);
}

const strictness = { allow: 0, ask: 1, deny: 2 };

/** Whether a verdict of now must replace the recorded one: a permission may have ended since, and links may lead elsewhere. */
export function isStricter(now: Verdict, before: Verdict): boolean {
  return strictness[now.decision] > strictness[before.decision];
}

export function deniedText({ by, reason }: Verdict): string {
  return `Denied by ${by}: ${reason} Nothing was run.`;
}
