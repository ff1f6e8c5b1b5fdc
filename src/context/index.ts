/** The door of context: what the model sees besides the transcript. */
export { fragments } from './prompt/index.ts';
export const loadReview = () => import('./review/index.ts');
export { systemFor, type SystemContext } from './system.ts';
