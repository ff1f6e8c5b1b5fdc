/** The door of the safety part: the policy of a run, and the rules and shapes that it holds to. */
export type { JudgedCall } from './needs.ts';
export { createPolicy, type PackChoice, type PolicyOptions, type PolicyRule } from './policy.ts';
export { exampleProblem, type Trial } from './examples.ts';
export {
  classOf,
  createCommandAnalyser,
  type Analyser,
  type AnalyserOptions,
  type CommandClass,
} from './analysis/index.ts';
export { matchesGlob } from './glob.ts';
export { isProvenRead } from './proven-reads.ts';
export { parseShape } from './shape.ts';
export { pack } from './pack.ts';
export { readRule } from './read-rule.ts';
export type { CallRule } from './rule.ts';
