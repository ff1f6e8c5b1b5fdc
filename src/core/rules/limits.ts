import type { Rates, SetupData, Target } from '../setup.ts';
import type { Action, Rule } from '../decide.ts';
import { estimatedInput, inputCost, outputCost, windowOf, worstRates } from '../estimate.ts';
import { runningTime, spent, useOfTree } from '../ledger.ts';
import { routed } from '../routing.ts';
import { lastSegment, wantsModel } from '../transcript.ts';
import type { View } from '../view.ts';

export type LimitName = 'turns' | 'calls' | 'minutes' | 'cost' | 'tokens';

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
  /** What is left is for the closing turn. */
  binds: boolean;
  /** Nothing is left, not even for a closing turn. */
  exhausted: boolean;
}

/** Limits bind only when the model would be asked again: one closing turn within the limit, then a stop that can be resumed. */
export const limits: Rule = (view, now) => {
  if (view.setup === undefined) return undefined;
  const last = lastSegment(view.transcript);
  const uses = usesOf(view, view.setup, now);
  // A setup after the closing turn (a resume) forgets the note, and with it the closing.
  const closingNoted = view.noted.has('limit-closing');
  const closed = closingNoted && last.closing;
  if (!wantsModel(view.transcript)) return closed ? stopFor(uses, view) : undefined;
  if (closed || uses.some((use) => use.exhausted)) return stopFor(uses, view);
  const binding = uses.find((use) => use.binds);
  if (binding !== undefined && !closingNoted) return closingNote(binding);
  return closingNoted ? undefined : warning(view, uses);
};

function stopFor(uses: Use[], { failure }: View): Action {
  const use = uses.find((each) => each.exhausted) ?? uses.find((each) => each.binds);
  if (use === undefined) return { do: 'stop', reason: 'limit', detail: 'A limit was reached.' };
  const limit = `the limit of ${amount(use, use.limit)}`;
  const isShort = use.name === 'cost' && use.used < use.limit;
  const detail = isShort
    ? `What is left of ${limit}, ${amount(use, use.limit - use.used)}, doesn’t pay for another request.`
    : `The${limit.slice(3)} was reached.`;
  // Without its end the last failure would stay untold.
  const isFailed = failure !== undefined && failure.data.class !== 'cancelled';
  const failed = isFailed ? ` Before it ${failure.name} failed: ${failure.data.message}` : '';
  return { do: 'stop', reason: 'limit', code: `limit-${use.name}`, detail: detail + failed };
}

function closingNote(use: Use): Action {
  const text =
    `The limit of ${amount(use, use.limit)} is reached: this is your last turn, and calls in it will not be run. ` +
    'Say in a few sentences what is done, what is not, and what the next step is.';
  return { do: 'note', code: 'limit-closing', text };
}

function warning(view: View, uses: Use[]): Action | undefined {
  const near = uses.find((use) => use.used >= use.limit * warnAt && !view.noted.has(`limit-warning-${use.name}`));
  if (near === undefined) return undefined;
  const rest = Math.max(0, near.limit - near.used);
  const left = `${amount(near, rest)} ${rest === 1 ? 'is' : 'are'} left`;
  const text = `Of the limit of ${amount(near, near.limit)}, ${left}. Do what matters most and come to an end.`;
  return { do: 'note', code: `limit-warning-${near.name}`, text };
}

function amount(use: Use, value: number): string {
  const unit = use.name === 'cost' ? 'dollars' : use.name;
  const rounded = Number(value.toFixed(3));
  return `${rounded} ${rounded === 1 ? unit.slice(0, -1) : unit}`;
}

/** One turn, a share of the time and one full reply's money are kept for the closing turn; calls it makes none. */
function usesOf(view: View, setup: SetupData, now: number): Use[] {
  const { turns, calls, minutes, cost, outputTokens, tokens } = setup.limits;
  const { ledger } = view;
  const tree = useOfTree(ledger);
  const uses: Use[] = [];
  if (turns !== null) uses.push(use('turns', tree.turns, turns, 1));
  if (calls !== null) uses.push({ ...use('calls', tree.calls, calls, 0), exhausted: false });
  if (minutes !== null) uses.push(use('minutes', runningTime(ledger, now) / 60_000, minutes, minutes * closingShare));
  const target = routed(view)?.target ?? setup;
  // The closing turn sends all of it once more.
  if (tokens !== undefined) uses.push(use('tokens', ledger.tokensInRun, tokens, estimatedInput(view, target)));
  if (cost === null || target.rates === undefined) return uses;
  const affordable = affordableOutput(view, cost - spent(ledger), target, target.rates);
  const wanted = Math.min(outputTokens, target.maxOutput);
  const exhausted = affordable < Math.min(leastOutput, wanted);
  return [...uses, { name: 'cost', used: spent(ledger), limit: cost, binds: affordable < wanted, exhausted }];
}

function use(name: LimitName, used: number, limit: number, kept: number): Use {
  return { name, used, limit, binds: used >= limit - kept, exhausted: used >= limit };
}

/** Output tokens that the money left would pay for after the input's worst case. */
function affordableOutput(view: View, left: number, target: Target, rates: Rates): number {
  const input = estimatedInput(view, target);
  const own = worstRates(input, rates);
  const forOutput = left - inputCost(input, own);
  const perToken = outputCost(1, own);
  return perToken === 0 ? Infinity : Math.floor(forOutput / perToken);
}

/**
 * What may be offered to the next turn: the limit a turn, at most what the model gives and what its window has room for, clamped to
 * what the money left pays for.
 */
export function offeredOutput(view: View, target: Target): number {
  const { limits } = view.setup ?? {};
  if (limits === undefined) return 0;
  const room = Math.max(leastOutput, windowOf(view, target) - estimatedInput(view, target));
  const most = Math.min(limits.outputTokens, target.maxOutput, room);
  if (limits.cost === null || target.rates === undefined) return most;
  return Math.max(1, Math.min(most, affordableOutput(view, limits.cost - spent(view.ledger), target, target.rates)));
}
