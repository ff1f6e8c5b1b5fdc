/** The door of rendering: what happened, as lines for people. Pure: nothing in here writes. */
export { clockTime, duration, plural } from './amounts.ts';
export { percent } from './table.ts';
export { captureLines } from './capture-lines.ts';
export { cacheLines } from './cache-lines.ts';
export { contextLines } from './context-lines.ts';
export { instructionLines } from './instruction-lines.ts';
export { EventLines } from './event-line.ts';
export { modelLines } from './model-lines.ts';
export { policyLines, testLine } from './policy-lines.ts';
export { Progress, type Activity } from './progress.ts';
export { compactionText } from './request-text.ts';
export { rehearsalLines } from './rehearsal-lines.ts';
export { plainStyle, styleOf, type Style } from './style.ts';
export { treeLines } from './tree-lines.ts';
export { undoLines } from './undo-lines.ts';
export { summaryLines } from './summary.ts';
export { costLines, turnLines } from './turn-lines.ts';
export { detailLines, questionText } from './question-lines.ts';
