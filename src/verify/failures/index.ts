/** The door of failures: what the output of a failing check says. */
export { cutToFailures, type CutOutput } from './cut.ts';
