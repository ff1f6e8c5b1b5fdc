/** The inner door to removing sessions. */
export { pruneSessions, type PruneOptions, type PruneReport } from './prune.ts';
