/** Errors and headers as OpenAI's APIs write them. */
import type { JsonObject } from '../../../core/index.ts';
import { namedFault } from './faults.ts';

interface Kind {
  type: string;
  code: string | null;
}

const invalidRequest: Kind = { type: 'invalid_request_error', code: null };
const serverError: Kind = { type: 'server_error', code: null };
const overloaded: Kind = { type: 'service_unavailable_error', code: 'server_is_overloaded' };

const kinds: { [status: number]: Kind } = {
  401: { ...invalidRequest, code: 'invalid_api_key' },
  402: { type: 'insufficient_quota', code: 'insufficient_quota' },
  403: { type: 'request_forbidden', code: null },
  404: { ...invalidRequest, code: 'model_not_found' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  503: overloaded,
  529: overloaded,
};

const kindOf = (status: number): Kind => kinds[status] ?? (status < 500 ? invalidRequest : serverError);

/** What names a type; any other name is a code. */
const typeName = /_error$|^(tokens|requests)$/;

/**
 * The error of a status. `name` is a type or a code, as far as it is known; a message that the API words in one way only has its
 * own code.
 */
export function errorFields(status: number, message: string, name?: string): JsonObject {
  const { code: kindCode, type: kindType } = kindOf(status);
  const fault = namedFault(message);
  const type = name !== undefined && typeName.test(name) ? name : kindType;
  const code = name !== undefined && !typeName.test(name) ? name : fault ? fault.code : kindCode;
  return {
    message,
    type: code === 'insufficient_quota' ? code : type,
    param: fault?.param ?? null,
    code,
  };
}

export const errorBody = (status: number, message: string, name?: string): JsonObject => ({
  error: errorFields(status, message, name),
});

/** What the status of an overloaded server is; an error in a stream has none of its own. */
export const overloadedStatus = 503;

const tokenLimit = 2_000_000;
const requestLimit = 4000;

/** Limits that are never reached, told as the provider tells them: what is used comes back within moments. */
export function limitHeaders(requestId: string, inputTokens: number): { [name: string]: string } {
  const left = Math.max(0, tokenLimit - inputTokens);
  return {
    'x-request-id': requestId,
    'x-ratelimit-limit-requests': String(requestLimit),
    'x-ratelimit-remaining-requests': String(requestLimit - 1),
    'x-ratelimit-reset-requests': `${60_000 / requestLimit}ms`,
    'x-ratelimit-limit-tokens': String(tokenLimit),
    'x-ratelimit-remaining-tokens': String(left),
    'x-ratelimit-reset-tokens': duration((60_000 * (tokenLimit - left)) / tokenLimit),
  };
}

/** A time as these APIs write it: `6m0s`, `1.5s`, `20ms`. */
function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.ceil(milliseconds)}ms`;
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
