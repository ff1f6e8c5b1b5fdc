/**
 * Google's Gemini models, as https://models.dev had them from https://ai.google.dev/gemini-api/docs/pricing. Caching is implicit:
 * writing costs what input costs. The Pro models cost more above 200,000 tokens of prompt.
 */
import type { Abilities } from '../../core/index.ts';
import { dearerAbove, plainRates, type Cards, type Reading } from './card.ts';

const reading: Reading = {
  dated: '2026-09-20',
  source: 'https://models.dev, from https://ai.google.dev/gemini-api/docs/pricing',
};
const unpriced = 'more than 200,000 tokens of prompt cost more, and not all of its prices were found';

const common = { images: true, sampling: true, systemMessages: false, edits: 'replace' } as const;
const levels: Abilities = { ...common, efforts: ['low', 'medium', 'high'], thinking: 'adaptive' };
const budgets: Abilities = { ...common, efforts: [], thinking: 'budget' };

export const googleAbilities: Abilities = { ...levels, thinking: 'either' };

const size = { window: 1_048_576, maxOutput: 65_536 };

export function googleCards(): Cards {
  const flash = { ...size, abilities: levels };
  return {
    'gemini-3.8-flash': { ...flash, rates: plainRates(0.75, 3.75, 0.075, reading), until: '2026-12-31' },
    'gemini-3.5-flash': { ...flash, rates: plainRates(1.5, 9, 0.15, reading) },
    'gemini-3.1-flash-lite': { ...flash, rates: plainRates(0.25, 1.5, 0.025, reading) },
    'gemini-3.1-pro-preview': {
      ...size,
      abilities: levels,
      rates: dearerAbove(200_000, { input: 2, output: 1.5 }, plainRates(2, 12, 0.2, reading)),
    },
    // It thinks always: https://ai.google.dev/gemini-api/docs/thinking names 128 as the least.
    'gemini-2.5-pro': { ...size, abilities: { ...budgets, leastThinking: 128 }, unpriced },
    'gemini-2.5-flash': { ...size, abilities: budgets, rates: plainRates(0.3, 2.5, 0.03, reading) },
  };
}
