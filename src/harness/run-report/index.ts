/** The inner door to what a run leaves to be known. */
export { recordIn, reportOf } from './report.ts';
export { writeReport } from './write.ts';
