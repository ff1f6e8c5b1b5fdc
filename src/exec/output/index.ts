/** The inner door to the output of commands. */
export type { Captured, OutputBudget } from './capture.ts';
export { LiveDecoder } from './decode.ts';
export { Feed, type FeedOptions } from './feed.ts';
