/** What tokens cost, and how many there may be. */
import { inputCost, outputCost, type Rates, type Usage } from '../core/index.ts';

/** Characters to a token before a session has reported any: code and prose have 3.5 to 4.3. */
const charactersPerToken = 4;

/** Dollars for a reply; undefined without a rate or where the provider didn't report both input and output. Unknown, never zero. */
export function cost(usage: Usage | undefined, rates: Rates | undefined): number | undefined {
  if (rates === undefined || usage?.input === undefined || usage.output === undefined) return undefined;
  const written = usage.cacheWrite ?? 0;
  const writtenForAnHour = Math.min(written, usage.cacheWriteHour ?? 0);
  const dollars =
    usage.input * rates.input +
    usage.output * rates.output +
    (usage.cacheRead ?? 0) * rates.cacheRead +
    (written - writtenForAnHour) * rates.cacheWrite +
    writtenForAnHour * (rates.cacheWriteHour ?? rates.cacheWrite);
  return dollars / 1_000_000;
}

/** Tokens of a text, as a guess. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Dollars that a request can cost at worst: all input at the dearest rate, all the output that was offered. */
export function worstCost(input: number, output: number, rates: Rates | undefined): number | undefined {
  return rates === undefined ? undefined : inputCost(input, rates) + outputCost(output, rates);
}

/**
 * Dollars for a request that got no whole reply: what was reported counts, the rest is estimated, input at its dearest rate and output
 * by the characters that came.
 */
export function brokenCost(
  usage: Usage | undefined,
  estimated: { input: number; outputCharacters: number },
  rates: Rates | undefined,
): number | undefined {
  if (rates === undefined) return undefined;
  const output = Math.max(usage?.output ?? 0, estimateTokens(estimated.outputCharacters));
  const reported = cost(usage?.input === undefined ? undefined : { ...usage, output }, rates);
  return reported ?? inputCost(estimated.input, rates) + outputCost(output, rates);
}
