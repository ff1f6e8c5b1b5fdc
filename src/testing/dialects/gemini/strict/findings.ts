/** What the checks have in common: how they report, and the fields that things may have. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { StrictRule } from '../../../scenario/index.ts';
import type { Violation } from '../../dialect.ts';
import { asText, isObject } from '../shape.ts';

export type Findings = Generator<Violation>;

const unknownName = (name: string, where: string): string =>
  `Invalid JSON payload received. Unknown name "${name}"${where === '' ? '' : ` at '${where}'`}: Cannot find field.`;

/** Reports the first field that isn't known, as the provider does: with its place in the names of the protocol. */
export function* unknownFields(
  value: JsonObject,
  known: readonly string[],
  where: string,
  rule: StrictRule = 'keys',
): Findings {
  const extra = Object.keys(value).find((key) => !known.includes(key));
  if (extra !== undefined) yield { rule, message: unknownName(extra, where) };
}

/** Reports a field that is there and no object, or has fields that aren't known. */
export function* checkFields(
  holder: JsonObject,
  key: string,
  known: readonly string[],
  where: string,
): Generator<Violation, JsonObject> {
  const value = holder[key];
  if (value === undefined) return {};
  if (!isObject(value)) {
    yield { rule: 'input', message: `Invalid value at '${where}': an object is expected.` };
    return {};
  }
  yield* unknownFields(value, known, where);
  return value;
}

export const invalidValue = (where: string, value: Json | undefined): Violation => ({
  rule: 'input',
  message: `Invalid value at '${where}', ${JSON.stringify(value ?? null).slice(0, 100)}`,
});

/** Bytes are given in base64, plain or made safe for URLs, with or without padding. */
export function isBase64(value: Json | undefined): boolean {
  const plain = asText(value).replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  // Decoding skips what isn't base64; encoding again shows it. (A pattern over megabytes would exhaust the stack.)
  return plain !== '' && Buffer.from(plain, 'base64').toString('base64').replace(/=+$/, '') === plain;
}
