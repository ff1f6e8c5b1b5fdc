/** decide(view, rules, now): what is to be done next. The first rule with an answer wins; rules keep no memory of their own. */
import type { Gist } from './compactions.ts';
import type { CallKey, EventId, Outcome, StopReason } from './events.ts';
import type { JsonObject } from './messages.ts';
import type { Routed } from './routing.ts';
import type { Check } from './setup.ts';
import type { CallState } from './segment.ts';
import type { View } from './view.ts';

export type Action =
  /** With `route`: another model than the setup's. */
  | {
      do: 'ask-model';
      turn: number;
      attempt: number;
      maxOutput: number;
      closing: boolean;
      route?: NonNullable<Routed['route']>;
    }
  /** Show the results of these calls as notes of their size from here on, and a summary in place of what is older than a tail. */
  | { do: 'compact'; why: 'overflow' | 'window' | 'manual'; elide: CallKey[]; older?: Older; focus?: string }
  | { do: 'run-calls'; calls: CallKey[] }
  | { do: 'answer-calls'; calls: CallKey[]; outcome: Outcome; text: string }
  /** The time for an answer to these questions is over. */
  | { do: 'expire'; asks: EventId[] }
  /** `early`: the model still works. */
  | { do: 'check'; checks: Check[]; early?: true }
  /** Have a judge rule on the goal. */
  | { do: 'judge'; goal: string }
  /** Look at what the model's own commands prove. */
  | { do: 'weigh' }
  /** Describe the workspace, to settle what calls may have changed. */
  | { do: 'snapshot' }
  /** Put the plan to a person. */
  | { do: 'review-plan' }
  | { do: 'note'; code: string; text: string }
  /** Something a person should know. */
  | { do: 'notice'; code: string; text: string; data: JsonObject }
  /** Say a follow-up that was held until now. */
  | { do: 'follow-up'; input: EventId }
  /** For time (`until`), or for a person or another driver; with `asks` for answers, which count until then. */
  | { do: 'wait'; for: string; until?: number; asks?: EventId[] }
  | {
      do: 'stop';
      reason: StopReason;
      code?: string;
      detail: string;
      answer?: string;
      signal?: 'SIGINT' | 'SIGTERM';
    };

/**
 * Turns that give way: what stays of them, how many tokens their summary may have and a question about them, and the results to elide
 * instead where there is no summary.
 */
export interface Older extends Pick<Gist, 'tail' | 'kept' | 'last'> {
  most: number;
  window: number;
  instead?: CallKey[];
}

/** Answers calls that aren't to be run. */
export function answering(calls: readonly CallState[], outcome: Outcome, text: string): Action {
  return { do: 'answer-calls', calls: calls.map((call) => call.key), outcome, text };
}

/** A rule: pure, a function of the view and the time (milliseconds since the epoch). */
export type Rule = (view: View, now: number) => Action | undefined;

/** A harness without a rule that applies has nothing to do: it waits for whoever has something to say. */
export function decide(view: View, rules: readonly Rule[], now: number): Action {
  for (const rule of rules) {
    const action = rule(view, now);
    if (action !== undefined) return action;
  }
  return { do: 'wait', for: 'input' };
}
