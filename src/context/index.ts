/** The door of context: what the model sees besides the transcript. */
export type { Instructions, LeftOut, Place } from './instructions/index.ts';
export type { ReadableFolder } from './needs.ts';
export { checksText, families, fragments, modeText, standingFragments, styles } from './prompt/index.ts';
export const loadCompaction = () => import('./compaction/index.ts');
export const loadInstructions = () => import('./instructions/index.ts');
export const loadJudge = () => import('./judge/index.ts');
export const loadMapLayer = () => import('./map.ts');
export const loadMemoryLayer = () => import('./memory.ts');
export const loadPreamble = () => import('./preamble.ts');
export const loadReview = () => import('./review/index.ts');
export { systemFor, type SystemContext } from './system.ts';
