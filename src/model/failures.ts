/** One classification of what goes wrong, for all wires: what class, which code, whether and when to try again. */
import type { ErrorCode, FailureClass, Json } from '../core/index.ts';
import { quote } from './quote.ts';
import { isObject, parseObject, textOf } from './reply.ts';
import { retryAfter, untilReset, type Headers } from './told-wait.ts';

export interface ProviderFailure {
  class: FailureClass;
  code: ErrorCode;
  /** The provider's own words where there are any, not yet fit to be shown (see quote.ts). */
  message: string;
  status?: number;
  /** Milliseconds that the provider asks to wait. */
  wait?: number;
  /** The same would fail again, although failures of this class can pass. */
  final?: true;
}

/** What a provider complains of, in its own words: out of an HTTP answer, or out of the middle of a stream (no status). */
export interface Complaint {
  status?: number;
  headers: Headers;
  /** The kind of error as the provider names it, and the finer code where it has one. */
  type: string;
  code: string;
  message: string;
  now: number;
}

/** Finds type, code and message in the error shapes that providers use; a body that is no JSON is the message itself. */
export function complaintOf(body: unknown): Pick<Complaint, 'type' | 'code' | 'message'> {
  const content = typeof body === 'string' ? (parseObject(body) ?? body) : body;
  if (!isObject(content)) return { type: '', code: '', message: typeof content === 'string' ? content : '' };
  const error = content['error'] ?? content;
  if (!isObject(error)) return { type: '', code: '', message: textOf(error) };
  const details = isObject(error['details']) ? error['details'] : {};
  const code = [details['error_code'], error['code'], error['status']].find((value) => typeof value === 'string');
  return { type: textOf(error['type']), code: textOf(code), message: messageOf(error, content) };
}

function messageOf(error: { [key: string]: Json }, content: { [key: string]: Json }): string {
  const said = [error['message'], content['message'], content['detail']].find((text) => typeof text === 'string');
  return typeof said === 'string' ? said : JSON.stringify(error);
}

const overflowTypes = new Set(['request_too_large', 'context_length_exceeded']);
const overflowWords =
  /prompt is too long|context.{0,3}(?:length|window|limit)|maximum context|input (?:token count|length)\b.{0,80}\bexceed|too many (?:input )?tokens/i;
const authTypes = new Set(['authentication_error', 'permission_error', 'invalid_api_key']);
const quotaTypes = new Set(['billing_error', 'insufficient_quota']);
const quotaCodes = /spend_limit|billing|insufficient_quota|insufficient_balance|credit/;
const quotaWords =
  /credit balance|usage limits?\b|spend(?:ing)? limit|insufficient (?:quota|balance|funds|credits?)|\bbilling\b/i;
const overloadTypes = new Set(['overloaded_error', 'overloaded', 'server_overloaded']);
const rateTypes = new Set(['rate_limit_error', 'rate_limit_exceeded']);
const serverTypes = new Set(['api_error', 'timeout_error', 'server_error', 'internal_error', 'conflict_error']);
const passingStatuses = new Set([408, 409, 425]);

export function classify(complaint: Complaint): ProviderFailure {
  const { status, headers } = complaint;
  const asked = retryAfter(headers, complaint.now);
  const told = asked ?? (status === 429 ? untilReset(headers, complaint.now) : undefined);
  const failure = { ...judge(complaint, asked !== undefined), message: wordsOf(complaint) };
  const settled = settle(failure, headers['x-should-retry']);
  const waits = settled.class === 'retryable' && told !== undefined ? { wait: told } : {};
  return { ...settled, ...(status === undefined ? {} : { status }), ...waits };
}

type Judgement = Pick<ProviderFailure, 'class' | 'code'>;

function judge(complaint: Complaint, hasTime: boolean): Judgement {
  const { status, type, code, message } = complaint;
  if (isOverflow(complaint)) return { class: 'overflow', code: 'context-overflow' };
  if (isQuota(complaint, hasTime)) return { class: 'quota', code: 'provider-quota' };
  if (status === 401 || status === 403 || authTypes.has(type) || authTypes.has(code))
    return { class: 'auth', code: 'provider-auth' };
  if (status === 407) return { class: 'auth', code: 'connect-failed' };
  if (status !== undefined && status >= 300 && status < 400) return { class: 'protocol', code: 'stream-invalid' };
  if (status === 529 || status === 503 || overloadTypes.has(type))
    return { class: 'retryable', code: 'provider-overloaded' };
  if (status === 429 || rateTypes.has(type)) return { class: 'retryable', code: 'rate-limited' };
  if (status === undefined) return judgeStreamed(type, message);
  if (status >= 500 || passingStatuses.has(status) || serverTypes.has(type))
    return { class: 'retryable', code: 'provider-error' };
  if (status >= 400) return { class: 'content', code: 'provider-rejected' };
  return { class: 'protocol', code: 'stream-invalid' };
}

/** An error in the middle of a stream has no status. What names neither a kind nor a fault of the request is taken as passing. */
function judgeStreamed(type: string, message: string): Judgement {
  const isRejection = /invalid|not_found|unsupported/.test(type) || /^invalid /i.test(message);
  if (isRejection) return { class: 'content', code: 'provider-rejected' };
  return { class: 'retryable', code: 'provider-error' };
}

function isOverflow({ status, type, code, message }: Complaint): boolean {
  if (status === 413 || overflowTypes.has(type) || overflowTypes.has(code)) return true;
  const mayBe = status === undefined || status === 400 || status === 422;
  return mayBe && !rateTypes.has(type) && overflowWords.test(message);
}

/** A rate limit passes; a limit of money does so only when the provider names the time. */
function isQuota({ status, type, code, message }: Complaint, hasTime: boolean): boolean {
  if (status === 402 || quotaTypes.has(type)) return true;
  if (quotaCodes.test(code)) return !(status === 429 && hasTime);
  const mayBe = status === undefined || status === 400 || status === 403;
  return mayBe && !rateTypes.has(type) && quotaWords.test(message);
}

/** A server that says outright whether to try again is obeyed, save where the same request can't ever pass. */
function settle(failure: ProviderFailure, shouldRetry: string | undefined): ProviderFailure {
  const passes = failure.class === 'retryable';
  if (shouldRetry === 'false' && passes) return { ...failure, final: true };
  if (shouldRetry === 'true' && failure.class === 'content')
    return { ...failure, class: 'retryable', code: 'provider-error' };
  return failure;
}

function wordsOf({ status, headers, message, type }: Complaint): string {
  if (status !== undefined && status >= 300 && status < 400) {
    const place = headers['location'] ?? 'another address';
    return `The server redirects to ${place}. Redirects aren’t followed, so that the key doesn’t travel; set the base URL to the final address.`;
  }
  const said = message.trim() === '' ? type : message;
  if (status === undefined) return said === '' ? 'The provider reported an error.' : said;
  return said === '' ? `HTTP ${status} without a word.` : said;
}

/** A reply that ended too early, or isn't what the protocol says. */
export function brokenStream(problem?: string): ProviderFailure {
  if (problem !== undefined) return { class: 'broken-stream', code: 'stream-invalid', message: problem };
  const message = 'The reply ended before its terminal event.';
  return { class: 'broken-stream', code: 'stream-cut', message };
}

export function emptyReply(reason: string): ProviderFailure {
  const word = reason === '' ? '' : ` (${reason})`;
  return {
    class: 'broken-stream',
    code: 'empty-reply',
    message: `The reply has neither text nor calls${word}.`,
  };
}

/** An answer that is no stream of events although it claims success: another service at that address. */
export function notAStream(contentType: string, body: string): ProviderFailure {
  const kind = contentType === '' ? 'no content type' : contentType;
  return {
    class: 'protocol',
    code: 'stream-invalid',
    message: `The server answers with ${kind} instead of a stream of events: ${quote(body).slice(0, 300)}`,
  };
}
