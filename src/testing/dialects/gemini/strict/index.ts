/** The strict mode of generateContent: what the real provider refuses, refused permanently and by name. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions, Violation } from '../../dialect.ts';
import { addressOf } from '../address.ts';
import type { IssuedParts } from '../issued.ts';
import { checkCalls, checkSignatures } from './calls.ts';
import { checkContents, checkOrder } from './contents.ts';
import { checkEnvelope } from './envelope.ts';
import type { Findings } from './findings.ts';
import { checkTools } from './tools.ts';

/** The first rule that a request breaks, those left out that `options` excepts. */
export function firstViolation(body: JsonObject, options: CheckOptions, issued: IssuedParts): Violation | undefined {
  for (const violation of allViolations(body, options, issued)) {
    if (!options.except?.includes(violation.rule)) return violation;
  }
  return undefined;
}

/** The provider's limit on a request with its data in it, 20 MB. */
const largestBody = 20 * 1024 * 1024;

function* allViolations(body: JsonObject, options: CheckOptions, issued: IssuedParts): Findings {
  if (options.bytes > largestBody) {
    yield { rule: 'window', message: `Request payload size exceeds the limit: ${largestBody} bytes.` };
  }
  if (!isWellFormed(body)) yield { rule: 'text', message: 'Invalid JSON payload received. Invalid UTF-16 surrogate.' };
  yield* checkEnvelope(body, options);
  yield* checkTools(body);
  yield* checkContents(body);
  yield* checkOrder(body, options.paused);
  yield* checkCalls(body);
  yield* checkSignatures(body, addressOf(options.path)?.model ?? '', issued);
  const { window, inputTokens: input } = options;
  // Only the input has to fit: what the model says has a limit of its own.
  if (options.counting || input <= window) return;
  const message = `The input token count (${input}) exceeds the maximum number of tokens allowed (${window}).`;
  yield { rule: 'window', message };
}

/** Whether all strings, keys included, are well-formed: half a surrogate pair can't be sent on. */
function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
