/** The door of the cards: the known models of each vendor, made when they are asked for. */
export { anthropicAbilities, anthropicCards } from './anthropic.ts';
export type { Card, Cards } from './card.ts';
export { googleAbilities, googleCards } from './google.ts';
export { openaiAbilities, openaiCards } from './openai.ts';
export { deepseekCards, groqCards, mistralCards, noCards, unknownAbilities, xaiCards } from './others.ts';
export { rateCard, type CardEntry } from './rate-card.ts';
