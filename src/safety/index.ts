/** The door of the safety part: the policy of a run, and the shapes that its rules are written in. */
export type { JudgedCall } from './needs.ts';
export { createPolicy, type PolicyOptions, type PolicyRule } from './policy.ts';
export { matchesGlob } from './glob.ts';
export { isProvenRead } from './proven-reads.ts';
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
