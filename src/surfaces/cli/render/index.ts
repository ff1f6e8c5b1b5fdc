/** The door of rendering: what happened, as lines for people. Pure: nothing in here writes. */
export { clockTime, duration, plural } from './amounts.ts';
export { EventLines } from './event-line.ts';
export { Progress, type Activity } from './progress.ts';
export { plainStyle, styleOf, type Style } from './style.ts';
export { summaryLines } from './summary.ts';
