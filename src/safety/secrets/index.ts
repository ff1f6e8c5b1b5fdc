/** The door of secrets: what they are, and how text goes on without them. */
export { secretsInDotenv, secretsInEnvironment, secretsInKeyFile } from './dotenv.ts';
export { isSecretName } from './names.ts';
export { createRedactor, placeholderIn, type Filter, type Redactor, type SecretValue } from './redactor.ts';
