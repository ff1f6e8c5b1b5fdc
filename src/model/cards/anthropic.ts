/**
 * Anthropic's models: the rate card, and what each can do as the pages on effort, on adaptive thinking and on the models said
 * (https://platform.claude.com/docs, 2026-11-12). Where a page left something open, the narrower reading is taken.
 */
import type { Abilities } from '../../core/index.ts';
import { rateCard } from './rate-card.ts';
import type { Card, Cards } from './card.ts';

/** All of them find deferred tools: Opus, Sonnet and Haiku from 4.5 on (the page on the tool search tool, 2026-09-26). */
const common = { images: true, systemMessages: false, toolSearch: true, edits: 'replace' } as const;

/** From Opus 4.7 on a model decides by itself how much it thinks, and takes no sampling. */
const current: Abilities = {
  ...common,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  thinking: 'adaptive',
  sampling: false,
};
/** Takes a message of the harness in the middle of the conversation: Opus from 4.8 on. */
const spokenTo: Abilities = { ...current, systemMessages: true };
const between: Abilities = {
  ...common,
  efforts: ['low', 'medium', 'high', 'max'],
  thinking: 'either',
  sampling: true,
};
const earlier: Abilities = { ...common, efforts: [], thinking: 'budget', sampling: true };

const abilities: { [model: string]: Abilities } = {
  'claude-opus-5-5': spokenTo,
  'claude-opus-5': spokenTo,
  'claude-opus-4-8': spokenTo,
  'claude-opus-4-6': between,
  'claude-opus-4-5': { ...earlier, efforts: ['low', 'medium', 'high'] },
  'claude-sonnet-5': { ...current, efforts: ['low', 'medium', 'high', 'max'] },
  'claude-sonnet-4-6': between,
  'claude-sonnet-4-5': earlier,
  'claude-haiku-5-5': { ...current, efforts: ['low', 'medium', 'high'] },
  'claude-haiku-4-5': earlier,
};

export function anthropicCards(): Cards {
  return Object.fromEntries(
    Object.entries(rateCard).map(([model, entry]): [string, Card] => {
      const card = { ...entry, abilities: abilities[model] ?? current };
      return [model, entry.rates === undefined ? { ...card, unpriced: reasons[model] ?? 'no public price' } : card];
    }),
  );
}

const reasons: { [model: string]: string } = { 'claude-haiku-5-5': 'its price depends on the length of the prompt' };

/** What is believed of a model that isn't in the card: the newest are like each other. */
export const anthropicAbilities: Abilities = { ...current, thinking: 'either', sampling: true };
