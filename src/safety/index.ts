/** The door of the safety part: the policy of a run, and the shapes that its rules are written in. */
export type { JudgedCall } from './needs.ts';
export { loadContent, type Suspicion } from './on-demand.ts';
export { createPolicy, type PolicyOptions, type PolicyRule } from './policy.ts';
export { matchesGlob } from './glob.ts';
export { isProvenRead } from './proven-reads.ts';
export { parseShape } from './shape.ts';
