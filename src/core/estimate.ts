/** What a next request would hold and cost at worst; estimates, on the safe side. */
import type { Rates, Target } from './setup.ts';
import { targetName } from './target.ts';
import { assumedBytesPerToken, standingSize } from './tokens.ts';
import type { View } from './view.ts';

/** Input tokens of the next request to a model: what its last reply reported and what was said since; all by size where it has reported nothing. */
export function estimatedInput(view: View, target: Target | undefined = view.setup): number {
  if (target === undefined) return 0;
  const { reported, sizeSinceReply, size } = view.transcript;
  if (reported !== undefined && targetName(reported.source) === targetName(target))
    return reported.tokens + tokensIn(view, sizeSinceReply, target);
  return tokensIn(view, standingSize(view.setup) + size, target);
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

/** Dollars that a request can cost at worst: all input at its dearest rate (a cache may have to be written anew), all the output that was offered. */
export function worstCost(input: number, output: number, rates: Rates): number {
  const own = ratesFor(input, rates);
  return inputCost(input, own) + outputCost(output, own);
}

/** Dollars of input at its dearest rate. */
export function inputCost(tokens: number, rates: Rates): number {
  const dearest = Math.max(rates.input, rates.cacheWrite, rates.cacheWriteHour ?? 0);
  return (tokens * dearest) / 1_000_000;
}

export function outputCost(tokens: number, rates: Rates): number {
  return (tokens * rates.output) / 1_000_000;
}
