/** The door of the hands: processes, output, sandbox, files and Git. */
export type { CommandOutcome, CommandRequest, Shell } from './command.ts';
export {
  copyRepository,
  createGit,
  type Git,
  type GitOptions,
  type GitResult,
  type RepositoryCopy,
} from './git/index.ts';
export type { BlobSink, BlobWriter, Environment } from './needs.ts';
export {
  createSandbox,
  type Obstacle,
  type Sandbox,
  type SandboxOptions,
  type SandboxReport,
} from './sandbox/index.ts';
export { startProgram, type Program } from './program.ts';
export { createShell, defaultOutputCaps, type OutputCaps, type ShellOptions } from './shell.ts';
export { createFiles, type Files, type FileState, type Refusal } from './files/index.ts';
