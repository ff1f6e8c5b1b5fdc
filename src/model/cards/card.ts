/** What is known of a model: how much it takes and gives, what it can do, and what it costs. */
import type { Abilities, Rates } from '../../core/index.ts';

export interface Card {
  /** Context window in tokens. */
  window: number;
  /** The most output tokens of one reply. */
  maxOutput: number;
  abilities: Abilities;
  rates?: Rates;
  /** The last day (YYYY-MM-DD) for which the vendor has named these rates. */
  until?: string;
  /** Why there is no rate, in words. */
  unpriced?: string;
}

export type Cards = { readonly [model: string]: Card };

/** Where and when figures were read. */
export interface Reading {
  dated: string;
  source: string;
}

/** The same rates, and what they are multiplied by when the whole input is larger than so many tokens. */
export function dearerAbove(
  tokens: number,
  factors: { input: number; output: number; cache?: number },
  rates: Rates,
): Rates {
  const { input, output, cache = factors.input } = factors;
  const above = {
    tokens,
    input: rates.input * input,
    output: rates.output * output,
    cacheRead: rates.cacheRead * cache,
    cacheWrite: rates.cacheWrite * cache,
  };
  return { ...rates, above };
}

/** Dollars for a million tokens where writing to the cache costs what input costs. */
export function plainRates(input: number, output: number, cacheRead: number, reading: Reading): Rates {
  return { input, output, cacheRead, cacheWrite: input, ...reading };
}
