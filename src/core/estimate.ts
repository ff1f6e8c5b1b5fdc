/** What a next request would hold and cost at worst; estimates, on the safe side. */
import type { Rates, SetupData, Target } from './setup.ts';
import { targetName } from './target.ts';
import { assumedBytesPerToken, mostBytesPerToken, standingSize } from './tokens.ts';
import type { Transcript } from './transcript.ts';

/** What of a view an estimate needs. */
export interface Weighed {
  setup?: SetupData;
  transcript: Transcript;
  standingAsked: number;
  bytesPerToken: ReadonlyMap<string, number>;
  windows: ReadonlyMap<string, number>;
}

/**
 * Input tokens of the next request to a model: what its last reply reported and what was said since; all by size where it has
 * reported nothing. Never less than what was said to it takes at the least, whatever was reported.
 */
export function estimatedInput(view: Weighed, target: Target | undefined = view.setup): number {
  if (target === undefined) return 0;
  const { reported, sizeSinceReply, size, repliesSize } = view.transcript;
  const standing = standingSize(view.setup);
  if (reported === undefined || targetName(reported.source) !== targetName(target))
    return tokensIn(view, standing + size, target);
  // The standing part may have grown since: another mode has other tools.
  const since = sizeSinceReply + Math.max(0, standing - view.standingAsked);
  const least = Math.ceil((standing + size - repliesSize) / mostBytesPerToken);
  return Math.max(least, reported.tokens + tokensIn(view, since, target));
}

/** Tokens that a model makes of this many bytes of text. */
export function tokensIn(view: Weighed, bytes: number, target: Target | undefined = view.setup): number {
  return Math.ceil(bytes / bytesPerToken(view, target));
}

/** Bytes of text in one token of a model, as far as it has reported. */
export function bytesPerToken(view: Weighed, target: Target | undefined = view.setup): number {
  const known = target === undefined ? undefined : view.bytesPerToken.get(targetName(target));
  return known ?? assumedBytesPerToken;
}

/** The context window of a model in tokens: what it is said to be, or what it was found to be. */
export function windowOf({ windows }: Weighed, target: Target): number {
  return Math.min(target.window, windows.get(targetName(target)) ?? Infinity);
}

/** Share of the window at which older turns give way (DESIGN section 7). */
export const fullAt = 0.8;

export function isNearlyFull(view: Weighed, target: Target): boolean {
  return estimatedInput(view, target) >= fullAt * windowOf(view, target);
}

/** The rates that hold for a request with so many tokens of input, cached or not. */
export function ratesFor(input: number, { above, ...rates }: Rates): Rates {
  if (above === undefined || input <= above.tokens) return rates;
  const { tokens: _, ...dearer } = above;
  // An hour in the cache costs more than the dearer write by what it costs more than the ordinary one.
  const { cacheWriteHour } = rates;
  const hour =
    cacheWriteHour === undefined ? {} : { cacheWriteHour: (cacheWriteHour * above.cacheWrite) / rates.cacheWrite };
  return { ...rates, ...dearer, ...hour };
}

/** An estimate that is this share below a dearer tier may well be above it. */
const tierMargin = 0.1;

/** The rates that a request may have to be paid at, with so many tokens of input by estimate. */
export function worstRates(input: number, rates: Rates): Rates {
  return ratesFor(input * (1 + tierMargin), rates);
}

/** Dollars that a request can cost at worst: all input at its dearest rate (a cache may have to be written anew), all the output that was offered. */
export function worstCost(input: number, output: number, rates: Rates): number {
  const own = worstRates(input, rates);
  return inputCost(input, own) + outputCost(output, own);
}

/** Dollars of input at its dearest rate. */
export function inputCost(tokens: number, rates: Rates): number {
  const dearest = Math.max(rates.input, rates.cacheRead, rates.cacheWrite, rates.cacheWriteHour ?? 0);
  return (tokens * dearest) / 1_000_000;
}

export function outputCost(tokens: number, rates: Rates): number {
  return (tokens * rates.output) / 1_000_000;
}
