/** What a next request would hold and cost at worst; estimates, on the safe side. */
import type { Rates, Target } from './setup.ts';
import { targetName } from './target.ts';
import { assumedBytesPerToken, mostBytesPerToken, standingSize } from './tokens.ts';
import type { View } from './view.ts';

/**
 * Input tokens of the next request to a model: what its last reply reported and what was said since; all by size where it has
 * reported nothing. Never less than what was said to it takes at the least, whatever was reported.
 */
export function estimatedInput(view: View, target: Target | undefined = view.setup): number {
  if (target === undefined) return 0;
  const { reported, sizeSinceReply, size } = view.transcript;
  const standing = standingSize(view.setup);
  if (reported === undefined || targetName(reported.source) !== targetName(target))
    return tokensIn(view, standing + size, target);
  // The standing part may have grown since: another mode has other tools.
  const since = sizeSinceReply + Math.max(0, standing - view.standingAsked);
  const least = Math.ceil((standing + size - view.repliesSize) / mostBytesPerToken);
  return Math.max(least, reported.tokens + tokensIn(view, since, target));
}

/** Tokens that a model makes of this many bytes of text. */
export function tokensIn(view: View, bytes: number, target: Target | undefined = view.setup): number {
  const known = target === undefined ? undefined : view.bytesPerToken.get(targetName(target));
  return Math.ceil(bytes / (known ?? assumedBytesPerToken));
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
