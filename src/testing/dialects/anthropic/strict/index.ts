/** The strict mode of the Messages API: what a real provider refuses, refused permanently and by name. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions, Violation } from '../../dialect.ts';
import type { IssuedReplies } from '../issued.ts';
import { checkCalls, checkThinking } from './calls.ts';
import { checkDeferral } from './deferral.ts';
import { checkEnvelope, checkMarks } from './envelope.ts';
import type { Findings } from './findings.ts';
import { checkMessages } from './messages.ts';

/** The first rule that a request breaks, those left out that `options` excepts. */
export function firstViolation(body: JsonObject, options: CheckOptions, issued: IssuedReplies): Violation | undefined {
  for (const violation of allViolations(body, options, issued)) {
    if (!options.except?.includes(violation.rule)) return violation;
  }
  return undefined;
}

/** The provider's limit on a request, 32 MB. */
const largestBody = 32 * 1024 * 1024;

function* allViolations(body: JsonObject, options: CheckOptions, issued: IssuedReplies): Findings {
  if (options.bytes > largestBody) {
    yield { rule: 'window', status: 413, message: 'Request exceeds the maximum size' };
  }
  if (options.headers['anthropic-version'] === undefined) {
    yield { rule: 'keys', message: 'anthropic-version: header is required' };
  }
  if (!isWellFormed(body)) {
    yield { rule: 'text', message: 'The request body is not valid JSON: no low surrogate in string' };
  }
  yield* checkEnvelope(body, options);
  yield* checkMarks(body);
  yield* checkDeferral(body);
  yield* checkMessages(body, options);
  yield* checkCalls(body);
  yield* checkThinking(body, issued);
  if (!options.counting) yield* checkWindow(body, options);
}

function* checkWindow(body: JsonObject, { window, inputTokens: input }: CheckOptions): Findings {
  const output = typeof body['max_tokens'] === 'number' ? body['max_tokens'] : 0;
  if (input > window) {
    yield { rule: 'window', message: `prompt is too long: ${input} tokens > ${window} maximum` };
  } else if (input + output > window) {
    yield {
      rule: 'window',
      message: `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${window}, decrease input length or \`max_tokens\` and try again`,
    };
  }
}

/** Whether all strings, keys included, are well-formed: half a surrogate pair can't be sent on. */
function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
