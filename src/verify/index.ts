/** The door of verify: checks and their evidence, what a workspace is and what changed in it, and the difference for people. */
export { definersOf, watchesOf } from './tampering/index.ts';
export { diffOf, type Diff } from './diff.ts';
export { createDiagnostics, type Diagnostics, type DiagnosticsOptions, type Program } from './diagnostics/index.ts';
export { FileHashes } from './file-hash.ts';
export type { CheckRun, Git } from './needs.ts';
export { createVerifier } from './verifier.ts';
export type { ProposedCheck } from './proposal/index.ts';

/** Proposals for a repository, loaded when somebody asks for them. */
export function loadProposals() {
  return import('./proposal/index.ts');
}
