/** The door of proposals: what could check a repository. */
export type { ProposedCheck } from './ecosystems.ts';
export { proposeFor, type Proposal } from './propose.ts';
