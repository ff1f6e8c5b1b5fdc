/** What a reviewing model is told, and what it says: loaded only where there is one. */
export { caseText } from './case.ts';
export { reviewPrompt } from './prompt.ts';
export { parseRuling, type Ruling } from './ruling.ts';
