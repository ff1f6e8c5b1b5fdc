/** The inner door to checkpoints. */
export type { RepositoryDifference, RepositoryPart } from './compare-repository.ts';
export { defaultLimits, type Bytes, type Limits } from './limits.ts';
export type { Pruned, PrunePolicy } from './prune.ts';
export { pruneSessions, weighSessions } from './prune-sessions.ts';
export type { RestoreTarget } from './restore.ts';
export type { Difference, Entry, Missing, Outcome, Snapshot } from './snapshot.ts';
export { createCheckpoints, type CheckpointOptions, type CheckpointStore } from './store.ts';
export type { Verified } from './verify.ts';
