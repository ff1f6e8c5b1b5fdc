/** The door of scripts: from a scenario and a request to what is answered. */
export { Script } from './script.ts';
export { blocksOf, estimateTokens, outputText, type Block } from './blocks.ts';
export { freeId, lastSaid, type AskedMessage, type AskedResult, type Question } from './question.ts';
