/** What the checks of both wires have in common: how they report, and what holds for any request. */
import type { Json, JsonObject } from '../../../core/index.ts';
import type { CheckOptions, Violation } from '../dialect.ts';

export type Findings = Generator<Violation>;

/** The first rule that a request breaks, those left out that `options` excepts. */
export function firstOf(findings: Findings, options: CheckOptions): Violation | undefined {
  for (const violation of findings) {
    if (!options.except?.includes(violation.rule)) return violation;
  }
  return undefined;
}

/** Reports the first key that isn't known, as `say` words it. */
export function* unknownKeys(value: JsonObject, known: readonly string[], say: (key: string) => string): Findings {
  const extra = Object.keys(value).find((key) => !known.includes(key));
  if (extra !== undefined) yield { rule: 'keys', message: say(extra) };
}

/** The most that a request may weigh, 50 MB with its images. */
const largestBody = 50 * 1024 * 1024;

export function* checkBody(body: JsonObject, options: CheckOptions): Findings {
  if (options.bytes > largestBody) {
    yield { rule: 'window', status: 413, message: 'The request is larger than 50 MB.' };
  }
  if (!isWellFormed(body)) {
    yield { rule: 'text', message: 'We could not parse the JSON body of your request: no low surrogate in a string.' };
  }
}

/** Whether all strings, keys included, are well-formed: half a surrogate pair can't be sent on. */
function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
