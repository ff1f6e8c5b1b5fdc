/** The door of the judge, loaded only where a run has a goal. */
export { judgeFor } from './judge.ts';
