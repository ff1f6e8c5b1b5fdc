/**
 * OpenAI's models, as https://developers.openai.com/api/docs/models had them on 2026-11-18; the models before GPT-5.6 and
 * GPT-6 Astra as https://models.dev had them. From GPT-5.6 on a request with more than 272,000 tokens of input costs more; a model
 * of which not all prices were found has no rate. Models that reason take no sampling.
 */
import type { Abilities } from '../../core/index.ts';
import { dearerAbove, plainRates, type Card, type Cards, type Reading } from './card.ts';

const reading: Reading = { dated: '2026-06-01', source: 'https://models.dev, from OpenAI’s pages of these models' };
const pages = { dated: '2026-11-18', source: 'https://developers.openai.com/api/docs/models' };
const unpriced = 'not all of its prices were found';

/** Dollars for a million tokens; writing to the cache costs a quarter more than input. */
function tiered(input: number, output: number, cacheRead: number, read: Reading): Pick<Card, 'rates'> {
  const rates = { input, output, cacheRead, cacheWrite: input * 1.25, ...read };
  return { rates: dearerAbove(272_000, { input: 2, output: 1.5 }, rates) };
}

const efforts = {
  always: ['low', 'medium', 'high', 'xhigh', 'max'],
  all: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  upToHigh: ['none', 'low', 'medium', 'high'],
  first: ['minimal', 'low', 'medium', 'high'],
};

const able = (words: string[]): Abilities => ({
  images: true,
  efforts: words,
  thinking: 'none',
  sampling: false,
  systemMessages: true,
  edits: 'patch',
});

export const openaiAbilities: Abilities = able(efforts.always);

const large = { window: 1_050_000, maxOutput: 128_000 };
const small = { window: 400_000, maxOutput: 128_000 };

export function openaiCards(): Cards {
  const always: Card = { ...large, abilities: able(efforts.always) };
  const optional: Card = { ...large, abilities: able(efforts.all) };
  return {
    'gpt-6.2-astra': { ...always, unpriced },
    'gpt-6.2-sol': { ...always, ...tiered(2, 10, 0.1, pages) },
    'gpt-6.1-sol': { ...always, unpriced },
    'gpt-6.1-terra': { ...optional, ...tiered(1, 5, 0.05, pages) },
    'gpt-6-astra': { ...always, ...tiered(10, 50, 1, reading) },
    'gpt-6-sol': { ...optional, ...tiered(2, 10, 0.2, pages) },
    'gpt-6-luna': { ...optional, ...tiered(0.1, 0.5, 0.01, pages) },
    'gpt-5.6-sol': { ...optional, unpriced },
    'gpt-5.6-terra': { ...optional, unpriced },
    'gpt-5.6-luna': { ...optional, unpriced },
    'gpt-5.2': { ...small, abilities: able(efforts.upToHigh), rates: plainRates(1.75, 14, 0.175, reading) },
    'gpt-5.1': { ...small, abilities: able(efforts.upToHigh), rates: plainRates(1.25, 10, 0.125, reading) },
    'gpt-5': { ...small, abilities: able(efforts.first), rates: plainRates(1.25, 10, 0.125, reading) },
    'gpt-5-mini': { ...small, abilities: able(efforts.first), rates: plainRates(0.25, 2, 0.025, reading) },
  };
}
