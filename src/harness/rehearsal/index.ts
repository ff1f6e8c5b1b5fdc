/** The joint that runs a past session again in a fresh copy of its workspace. */
export type { RehearsalComparison, RehearsedCall, RehearsedStop } from './rehearsal-report.ts';
export { rehearseSession, type Rehearsal, type RehearseOptions } from './rehearse.ts';
