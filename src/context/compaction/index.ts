/** What a model that summarises is told, and what is made of its words: loaded only when older turns give way. */
export { historyPieces } from './history.ts';
export { summaryPrompt, summaryTask } from './prompt.ts';
export { readSummary, shownSummary } from './summary.ts';
