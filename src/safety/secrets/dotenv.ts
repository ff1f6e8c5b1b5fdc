/** Files of variables (`.env`): which values in them are secrets. */
import { linesOfKeys } from './key-block.ts';
import { isSecretName } from './names.ts';
import type { SecretValue } from './redactor.ts';

/** Secrets of one file, at most: more would be no file of settings. */
const mostValues = 200;

/** A name, and a value in quotes (over lines too) or to the end of its line. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,200})[ \t]*[=:][ \t]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gm;

export function secretsInDotenv(text: string): SecretValue[] {
  const found: SecretValue[] = [];
  for (const [, name = '', double, single, back, plain] of text.matchAll(assignment)) {
    if (found.length >= mostValues) break;
    if (!isSecretName(name)) continue;
    // A shell takes the backslashes out of double quotes, other readers leave them.
    const quoted = [double, double?.replace(/\\([\\"$`])/g, '$1'), single, back];
    for (const value of new Set([...quoted, plain?.trim(), plain?.replace(/\s#.*$/, '').trim()])) {
      if (value !== undefined && value !== '') found.push({ name, value });
    }
  }
  return found;
}

/** Values of variables that are named like secrets. */
export function secretsInEnvironment(variables: { readonly [name: string]: string | undefined }): SecretValue[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) ? [{ name, value }] : [],
  );
}

/** The lines of private keys: each is known by itself, also where it is shown without the others. */
export function secretsInKeyFile(text: string): SecretValue[] {
  return linesOfKeys(text)
    .slice(0, mostValues)
    .map((value) => ({ name: 'private_key', value }));
}
