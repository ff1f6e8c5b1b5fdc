/** The door of the hands: processes, output, sandbox, files and Git. */
export type { CommandOutcome, CommandRequest, Shell } from './command.ts';
export {
  copyRepository,
  createGit,
  createGitFacts,
  type Git,
  type GitFacts,
  type GitOptions,
  type GitResult,
  type RepositoryCopy,
} from './git/index.ts';
export type { JobEnd, JobReport, Jobs, JobStart } from './jobs/index.ts';
export type { BlobSink, BlobWriter, Environment } from './needs.ts';
export {
  chooseSandbox,
  createSandbox,
  loadSandbox,
  type Obstacle,
  type Sandbox,
  type SandboxName,
  type SandboxOptions,
  type SandboxReport,
} from './sandbox/index.ts';
export type { Connection, CredentialAlias, Egress, EgressOptions } from './egress/index.ts';
export { KeptJobs, type KeptOptions, type KeptStart } from './kept/index.ts';
export { startProgram, type Program } from './program.ts';
export { createFetcher, loadCheckpoints, loadEgress } from './on-demand.ts';
export { createSearcher, type Searcher, type SearcherOptions } from './search/index.ts';
export type { Fetcher, FetcherOptions } from './fetch/index.ts';
export { createShell, defaultOutputCaps, type KeptCommands, type OutputCaps, type ShellOptions } from './shell.ts';
export { createFiles, type Files, type FileState, type Refusal } from './files/index.ts';
export type { CheckpointStore, Difference, Entry, Outcome, RestoreTarget, Snapshot } from './checkpoints/index.ts';
export { isFolder, packageScripts } from './package-scripts.ts';
export { isWithin, realPathAsFar } from './paths.ts';
