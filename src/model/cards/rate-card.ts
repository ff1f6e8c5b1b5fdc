/**
 * Public prices, windows and output limits of Anthropic's models, as its pages for pricing and models gave them on the date below.
 * A model whose price depends on the length of the prompt (Claude Haiku 5.5) has no rate here: one figure would be wrong.
 */
import type { Rates } from '../../core/index.ts';

export interface CardEntry {
  /** Context window in tokens. */
  window: number;
  /** The most output tokens of one reply. */
  maxOutput: number;
  rates?: Rates;
}

const dated = '2026-11-12';
const source = 'https://platform.claude.com/docs/en/about-claude/pricing';

/** Dollars for a million tokens. Writing to the cache costs 1.25 times the input for five minutes and twice the input for an hour. */
function rates(input: number, output: number, cacheRead: number): Rates {
  return { input, output, cacheRead, cacheWrite: input * 1.25, cacheWriteHour: input * 2, dated, source };
}

const large = { window: 1_000_000, maxOutput: 128_000 };
const small = { window: 200_000, maxOutput: 64_000 };

export const rateCard: { [model: string]: CardEntry } = {
  'claude-fable-5-2': { ...large, rates: rates(8, 40, 0.2) },
  'claude-mythos-5-2': { ...large },
  'claude-fable-5-1': { ...large, rates: rates(10, 50, 0.25) },
  'claude-mythos-5-1': { ...large, rates: rates(10, 50, 0.25) },
  'claude-fable-5': { ...large, rates: rates(10, 50, 1) },
  'claude-mythos-5': { ...large, rates: rates(10, 50, 1) },
  'claude-opus-5-5': { ...large, rates: rates(4, 20, 0.2) },
  'claude-opus-5': { ...large, rates: rates(5, 25, 0.5) },
  'claude-opus-4-8': { ...large, rates: rates(5, 25, 0.5) },
  'claude-opus-4-7': { ...large, rates: rates(5, 25, 0.5) },
  'claude-opus-4-6': { ...large, rates: rates(5, 25, 0.5) },
  'claude-opus-4-5': { ...small, rates: rates(5, 25, 0.5) },
  'claude-sonnet-5-5': { ...large, rates: rates(2, 10, 0.1) },
  'claude-sonnet-5': { ...large, rates: rates(2, 10, 0.2) },
  'claude-sonnet-4-6': { ...large, rates: rates(3, 15, 0.3) },
  'claude-sonnet-4-5': { ...small, rates: rates(3, 15, 0.3) },
  'claude-haiku-5-5': { ...large },
  'claude-haiku-4-5': { ...small, rates: rates(1, 5, 0.1) },
};
