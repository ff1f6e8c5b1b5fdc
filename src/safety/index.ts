/** The door of the safety part: the analysis of commands, the policy of a run, and the rules and shapes that it holds to. */
export type { JudgedCall } from './needs.ts';
export { createCommandAnalyser, type Analyser, type AnalyserOptions } from './analyser.ts';
export { classOf, type CommandClass } from './command-class.ts';
export { exampleProblem } from './examples.ts';
export { importRules, type Imported } from './foreign/index.ts';
export { loadContent } from './on-demand.ts';
export { pack } from './pack.ts';
export { createPolicy, type PackChoice, type PolicyOptions, type PolicyRule } from './policy.ts';
export { readRule } from './read-rule.ts';
export type { CallRule } from './rule.ts';
export { parseShape } from './shape.ts';
export {
  createRedactor,
  isSecretName,
  placeholderIn,
  secretsInDotenv,
  secretsInEnvironment,
  secretsInKeyFile,
  type Filter,
  type Redactor,
  type SecretValue,
} from './secrets/index.ts';
