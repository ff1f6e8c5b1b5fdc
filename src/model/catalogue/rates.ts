/** What tokens cost, and how many there may be. */
import { outputCost, ratesFor, worstCost, type Rates, type Usage } from '../../core/index.ts';

/** Characters to a token before a session has reported any: code and prose have 3.5 to 4.3. */
const charactersPerToken = 4;

/** Dollars for a reply; undefined without a rate or where the provider didn't report both input and output. Unknown, never zero. */
export function cost(usage: Usage | undefined, rates: Rates | undefined): number | undefined {
  if (rates === undefined || usage?.input === undefined || usage.output === undefined) return undefined;
  const { cacheRead = 0, cacheWrite: written = 0, cacheWriteHour = 0 } = usage;
  const own = ratesFor(usage.input + cacheRead + written, rates);
  const writtenForAnHour = Math.min(written, cacheWriteHour);
  const dollars =
    usage.input * own.input +
    usage.output * own.output +
    cacheRead * own.cacheRead +
    (written - writtenForAnHour) * own.cacheWrite +
    writtenForAnHour * (own.cacheWriteHour ?? own.cacheWrite);
  return dollars / 1_000_000;
}

/** Tokens of a text, as a guess. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/**
 * Dollars for a request that got no whole reply: what was reported counts, the rest is estimated, input at its dearest rate and output
 * by the characters that came.
 */
export function brokenCost(
  usage: Usage | undefined,
  estimated: { input: number; outputCharacters: number },
  rates: Rates | undefined,
): { cost?: number; estimated?: true } {
  if (rates === undefined) return {};
  const output = Math.max(usage?.output ?? 0, estimateTokens(estimated.outputCharacters));
  const reported = cost(usage?.input === undefined ? undefined : { ...usage, output }, rates);
  const isReported = reported !== undefined && usage?.output !== undefined && usage.output >= output;
  const dollars = reported ?? worstCost(estimated.input, output, rates);
  return isReported ? { cost: dollars } : { cost: dollars, estimated: true };
}

/** Twice what a token of text has: a reply that is ended for its cost costs too much by any count. */
const mostCharactersPerToken = 8;

/** Characters of output that the money left may pay for, after so much input; no end where there is no limit or no price. */
export function affordableCharacters(left: number | undefined, input: number, rates: Rates | undefined): number {
  if (left === undefined || rates === undefined) return Infinity;
  const perToken = outputCost(1, ratesFor(input, rates));
  return perToken === 0 ? Infinity : Math.max(1, left / perToken) * mostCharactersPerToken;
}

/** Dollars that tokens cost more when they can't be read from the cache, in a request with so much input; undefined without a rate. */
export function missCost(tokens: number, input: number, rates: Rates | undefined): number | undefined {
  if (rates === undefined) return undefined;
  const own = ratesFor(input, rates);
  return (tokens * Math.max(0, Math.max(own.input, own.cacheWrite) - own.cacheRead)) / 1_000_000;
}
