/** What a judge is told, and what it says: loaded only where there is a goal. */
export { judgeCase } from './case.ts';
export { judgePrompt } from './prompt.ts';
export { readRuling } from './ruling.ts';
