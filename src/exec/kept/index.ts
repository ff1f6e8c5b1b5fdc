/** The inner door to jobs that are kept beyond their session. */
export { KeptJobs, type KeptOptions, type KeptStart } from './kept-jobs.ts';
