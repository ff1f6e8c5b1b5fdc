/** What the checks have in common: how they report, and the keys that things may have. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { Violation } from '../../dialect.ts';

export type Findings = Generator<Violation>;

/** Reports the first key that isn't known. */
export function* unknownKeys(value: JsonObject, known: readonly string[], where: string): Findings {
  const extra = Object.keys(value).find((key) => !known.includes(key));
  if (extra === undefined) return;
  yield { rule: 'keys', message: `${where}${extra}: Extra inputs are not permitted` };
}

export const isBlank = (value: Json | undefined): boolean => typeof value !== 'string' || value.trim() === '';
