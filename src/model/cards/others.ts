/** Models that are reached by Chat Completions, as https://models.dev had them from the pages of their vendors. */
import type { Abilities } from '../../core/index.ts';
import { dearerAbove, plainRates, type Cards, type Reading } from './card.ts';

const common = { sampling: true, systemMessages: false, edits: 'replace' } as const;

/** What is believed of a model of which nothing is known: only what somebody sets is ever sent. */
export const unknownAbilities: Abilities = {
  ...common,
  images: false,
  efforts: ['low', 'medium', 'high'],
  thinking: 'either',
};
const seeing: Abilities = { ...unknownAbilities, images: true };

/** https://api-docs.deepseek.com/quick_start/pricing, 2026-09-10. */
export function deepseekCards(): Cards {
  const size = { window: 1_000_000, maxOutput: 384_000, unpriced: 'its price depends on the time of the day' };
  return {
    'deepseek-flash': { ...size, abilities: { ...seeing, efforts: ['low', 'high', 'max'] } },
    'deepseek-v4-pro': { ...size, abilities: { ...unknownAbilities, efforts: ['high', 'max'] } },
  };
}

/** https://docs.mistral.ai/models. Cached input has a price of its own for some models only; where none is named, it costs what input costs. */
export function mistralCards(): Cards {
  const reading: Reading = { dated: '2026-08-27', source: 'https://models.dev, from https://docs.mistral.ai/models' };
  const medium = {
    window: 262_144,
    maxOutput: 256_000,
    abilities: { ...seeing, efforts: ['none', 'high'], thinking: 'none' as const },
    rates: plainRates(1.5, 7.5, 1.5, reading),
  };
  return { 'mistral-medium-3.5': medium, 'mistral-medium-latest': medium };
}

/** https://console.groq.com/docs/models and https://groq.com/pricing. */
export function groqCards(): Cards {
  const reading: Reading = { dated: '2026-08-29', source: 'https://models.dev, from https://groq.com/pricing' };
  const abilities: Abilities = { ...unknownAbilities, thinking: 'none' };
  const size = { window: 131_072, maxOutput: 65_536 };
  return {
    'openai/gpt-oss-120b': { ...size, abilities, rates: plainRates(0.15, 0.6, 0.075, reading) },
    'openai/gpt-oss-20b': { ...size, abilities, rates: plainRates(0.075, 0.3, 0.0375, reading) },
  };
}

/**
 * https://docs.x.ai/developers/models, 2026-09-21. The vendor names no limit of output; one reply is given a tenth of the window. It
 * names no price for writing to the cache either: that costs what input costs.
 */
export function xaiCards(): Cards {
  const reading: Reading = {
    dated: '2026-09-21',
    source: 'https://models.dev, from https://docs.x.ai/developers/models',
  };
  const rates = dearerAbove(200_000, { input: 2, output: 2 }, plainRates(2, 6, 0.5, reading));
  const abilities: Abilities = { ...seeing, efforts: ['low', 'medium', 'high', 'xhigh'], thinking: 'none' };
  const size = { window: 500_000, maxOutput: 50_000, abilities };
  return { 'grok-4.7': { ...size, rates }, 'grok-4.6': { ...size, unpriced: 'its price was not found' } };
}

/** A local server says what it serves, and nobody else can. */
export const noCards = (): Cards => ({});
