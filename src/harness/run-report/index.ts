/** The inner door to what a run leaves to be known. */
export { shortened, type DoneCall } from './calls.ts';
export { recordIn, reportOf, RunRecord } from './report.ts';
export { createdBefore, writeReport } from './write.ts';
