import type { Rates, SetupData } from '../setup.ts';
import type { Action, Rule } from '../decide.ts';
import { estimatedInput, inputCost, outputCost } from '../estimate.ts';
import { runningTime, spent } from '../ledger.ts';
import { lastSegment, wantsModel } from '../transcript.ts';
import type { View } from '../view.ts';

export type LimitName = 'turns' | 'calls' | 'minutes' | 'cost';

/** A reply of fewer tokens is not worth a closing turn. */
const leastOutput = 1_000;
/** Share of a limit at which the model is told what is left. */
const warnAt = 0.8;
/** The closing turn must fit in what is left of the time. */
const closingShare = 0.05;

interface Use {
  name: LimitName;
  used: number;
  limit: number;
  /** Nothing is left, not even for a closing turn. */
  exhausted: boolean;
  /** What is left is for the closing turn. */
  binds: boolean;
  left: string;
}

/** Limits bind only when the model would be asked again: one closing turn within the limit, then a stop that can be resumed. */
export const limits: Rule = (view, now) => {
  if (view.setup === undefined) return undefined;
  const last = lastSegment(view.transcript);
  const uses = usesOf(view, view.setup, now);
  if (!wantsModel(view.transcript)) return last.closing ? stopFor(uses) : undefined;
  if (last.closing || uses.some((use) => use.exhausted)) return stopFor(uses);
  const closingNoted = view.noted.has('limit-closing');
  const binding = uses.find((use) => use.binds);
  if (binding !== undefined && !closingNoted) return closingNote(binding);
  return closingNoted ? undefined : warning(view, uses);
};

function stopFor(uses: Use[]): Action {
  const use = uses.find((each) => each.exhausted) ?? uses.find((each) => each.binds) ?? uses[0];
  const code = `limit-${use?.name ?? 'turns'}`;
  const detail = use === undefined ? 'A limit was reached.' : `The limit of ${describe(use)} was reached.`;
  return { do: 'stop', reason: 'limit', code, detail };
}

function closingNote(use: Use): Action {
  const text =
    `The limit of ${describe(use)} is reached: this is your last turn, and calls in it will not be run. ` +
    'Say in a few sentences what is done, what is not, and what the next step is.';
  return { do: 'note', code: 'limit-closing', text };
}

function warning(view: View, uses: Use[]): Action | undefined {
  const near = uses.find((use) => use.used >= use.limit * warnAt && !view.noted.has(`limit-warning-${use.name}`));
  if (near === undefined) return undefined;
  const text = `Of the limit of ${describe(near)}, ${near.left} left. Do what matters most and come to an end.`;
  return { do: 'note', code: `limit-warning-${near.name}`, text };
}

function describe(use: Use): string {
  if (use.name === 'cost') return `${use.limit} dollars`;
  return `${use.limit} ${use.name}`;
}

function usesOf(view: View, setup: SetupData, now: number): Use[] {
  const { turns, calls, minutes } = setup.limits;
  const uses: Use[] = [];
  if (turns !== null) uses.push(counted('turns', view.ledger.turns, turns, 1));
  if (calls !== null) uses.push(counted('calls', view.ledger.calls, calls, 0));
  if (minutes !== null) uses.push(timed(runningTime(view.ledger, now) / 60_000, minutes));
  return [...uses, ...priced(view, setup)];
}

/** `reserve` of them are kept for the closing turn. Calls can be used up and the closing turn still be had: it runs none. */
function counted(name: 'turns' | 'calls', used: number, limit: number, reserve: number): Use {
  const exhausted = name === 'turns' && used >= limit;
  const left = `${Math.max(0, limit - used)} are`;
  return { name, used, limit, exhausted, binds: used >= limit - reserve, left };
}

function timed(used: number, limit: number): Use {
  const left = `${Math.max(0, limit - used).toFixed(1)} minutes are`;
  return {
    name: 'minutes',
    used,
    limit,
    exhausted: used >= limit,
    binds: used >= limit * (1 - closingShare),
    left,
  };
}

function priced(view: View, setup: SetupData): Use[] {
  const limit = setup.limits.cost;
  if (limit === null || setup.rates === undefined) return [];
  const used = spent(view.ledger);
  const affordable = affordableOutput(view, limit - used, setup.rates);
  const least = Math.min(leastOutput, setup.limits.outputTokens);
  const left = `${Math.max(0, limit - used).toFixed(4)} dollars are`;
  const binds = affordable < setup.limits.outputTokens;
  return [{ name: 'cost', used, limit, exhausted: affordable < least, binds, left }];
}

/** Output tokens that the money left would pay for after the input's worst case. */
function affordableOutput(view: View, left: number, rates: Rates): number {
  const forOutput = left - inputCost(estimatedInput(view), rates);
  const perToken = outputCost(1, rates);
  return perToken === 0 ? Infinity : Math.floor(forOutput / perToken);
}

/** What may be offered to the next turn: the limit a turn, clamped to what the money left pays for. */
export function offeredOutput(view: View): number {
  const setup = view.setup;
  if (setup === undefined) return 0;
  const { cost, outputTokens } = setup.limits;
  if (cost === null || setup.rates === undefined) return outputTokens;
  const affordable = affordableOutput(view, cost - spent(view.ledger), setup.rates);
  return Math.max(1, Math.min(outputTokens, affordable));
}
