/** The door of the safety part: the policy of a run, and the shapes that its rules are written in. */
export type { JudgedCall } from './needs.ts';
export { createPolicy, type PolicyOptions, type PolicyRule } from './policy.ts';
export { importRules, type Imported } from './foreign/index.ts';
export { classOf, createCommandAnalyser, type Analyser, type AnalyserOptions, type CommandClass } from './analysis/index.ts';
export { createCommandAnalyser, type Analyser, type AnalyserOptions } from './analyser.ts';
export { classOf, type CommandClass } from './command-class.ts';
export { matchesGlob } from './glob.ts';
export { parseShape } from './shape.ts';
