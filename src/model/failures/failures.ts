/** One classification of what goes wrong, for all wires: what class, which code, whether and when to try again. */
import type { ErrorCode, FailureClass } from '../../core/index.ts';
import type { Complaint } from './complaint.ts';
import { quote } from './quote.ts';
import { joinSentences } from './sentences.ts';
import { retryAfter, untilReset } from './told-wait.ts';

export { complaintOf, type Complaint } from './complaint.ts';

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

/** Kinds and codes of errors, in lower case, as the four protocols and those who imitate them name them. */
const kinds = {
  overflow: words('request_too_large context_length_exceeded exceed_context_size_error'),
  quota: words(
    'billing_error insufficient_quota exceeded_current_quota_error billing_hard_limit_reached insufficient_user_quota',
  ),
  auth: words(
    'authentication_error permission_error invalid_api_key invalid_authentication unauthenticated permission_denied api_key_invalid unauthorized',
  ),
  overload: words(
    'overloaded_error overloaded server_overloaded unavailable unavailable_error service_unavailable engine_overloaded_error server_is_overloaded slow_down service_unavailable_error model_overloaded',
  ),
  rate: words(
    'rate_limit_error rate_limit_exceeded rate_limit_reached_error resource_exhausted rate_limited too_many_requests',
  ),
  server: words(
    'api_error timeout_error server_error internal_error conflict_error internal internal_server_error internalservererror deadline_exceeded bad_gateway upstream_error vector_store_timeout',
  ),
  policy: words(
    'invalid_prompt content_filter content_policy_violation bio_policy misalignment_policy_violation safety data_inspection_failed responsibleaipolicyviolation',
  ),
  missing: words('model_not_found not_found not_found_error notfounderror deploymentnotfound'),
  /** The model’s own call was no call: another reply may do. */
  botched: words('tool_use_failed'),
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

const overflowWords = new RegExp(
  [
    'prompt (?:is )?too long|input is too long',
    'context.{0,3}(?:length|window|limit|size)|maximum (?:context|prompt|model|input)[ _-]?length',
    'input (?:token count|length)\\b.{0,80}\\bexceed|prompt (?:token count |of |\\d+ )*exceeds',
    "exceed(?:s|ed)? (?:the )?(?:model’?'?s? )?(?:maximum|max) (?:allowed )?(?:number of )?(?:input )?tokens",
    'exceed(?:s|ed) (?:the )?(?:model )?token limit|too many (?:input )?tokens',
    '(?:reduce|shorten) (?:the |your )?(?:length|prompt|input)',
    'tokens to keep from the initial prompt|longer than the (?:maximum )?model',
    'tokens \\+ `?max_new_tokens`? must be',
  ].join('|'),
  'i',
);
/** A limit for a time, not of the window. */
const rateWords =
  /tokens per (?:min|hour|day)|requests per (?:min|hour|day)|\(?\b[TR]P[MD]\b\)?|rate.?limit|too many requests/i;
const outputWords =
  /max_?(?:completion_?|output_?|new_?)?tokens\b.{0,60}(?:too large|must be (?:less|at most|between)|maximum allowed)|at most \d+ (?:completion|output) tokens/i;
const authWords =
  /api[ _-]?key (?:is )?(?:not valid|not found|invalid|expired|missing)|(?:invalid|incorrect|expired|missing|no) (?:api[ _-]?key|auth)/i;
const quotaCodes = /spend_limit|billing|insufficient_quota|insufficient_balance|credit/;
const quotaWords =
  /credit balance|usage limits?\b|spend(?:ing)? limit|insufficient (?:quota|balance|funds|credits?)|available credits|\bbilling\b/i;
/** At 429 the plain words for it are used for limits that pass, too. */
const spentWords = /credit balance|spend(?:ing)? limit|insufficient (?:balance|funds|credits?)|all available credits/i;
const policyWords = /\b(?:flagged|moderation|content (?:policy|filter|management policy))\b/i;
const passingStatuses = new Set([408, 409, 425]);

export function classify(complaint: Complaint): ProviderFailure {
  const { headers, now } = complaint;
  const status = complaint.status ?? complaint.inner;
  const asked = retryAfter(headers, now) ?? complaint.told;
  const told = asked ?? (status === 429 ? untilReset({ ...headers, ...complaint.limits }, now) : undefined);
  const judged = judge({ ...complaint, status }, asked !== undefined);
  const failure = { ...judged, message: wordsOf(complaint) };
  const settled = waiting(settle(failure, headers['x-should-retry']), told);
  return complaint.status === undefined ? settled : { ...settled, status: complaint.status };
}

/** A limit that is told to pass at a time is waited out, whatever the limit. */
function waiting(failure: ProviderFailure, told: number | undefined): ProviderFailure {
  if (told === undefined || (failure.class !== 'retryable' && failure.class !== 'wait')) return failure;
  return { ...failure, class: 'wait', wait: told };
}

type Judgement = Pick<ProviderFailure, 'class' | 'code'>;
/** A complaint with the status that it is judged by. */
type Judged = Omit<Complaint, 'status'> & { status: number | undefined };

const retryable: Judgement = { class: 'retryable', code: 'provider-error' };
const overloaded: Judgement = { class: 'retryable', code: 'provider-overloaded' };
const rejected: Judgement = { class: 'content', code: 'provider-rejected' };
const notSpoken: Judgement = { class: 'protocol', code: 'stream-invalid' };

function judge(complaint: Judged, hasTime: boolean): Judgement {
  const { status } = complaint;
  if (isOverflow(complaint)) return { class: 'overflow', code: 'context-overflow' };
  if (isQuota(complaint, hasTime)) return { class: 'quota', code: 'provider-quota' };
  if (isPolicy(complaint)) return rejected;
  if (isAuth(complaint)) return { class: 'auth', code: 'provider-auth' };
  if (status === 407) return { class: 'auth', code: 'connect-failed' };
  if (status !== undefined && status >= 300 && status < 400) return notSpoken;
  if (is('botched', complaint)) return { class: 'broken-stream', code: 'stream-invalid' };
  if (status === 429 || is('rate', complaint)) return { class: 'wait', code: 'rate-limited' };
  if (status === 529 || status === 503 || is('overload', complaint)) return overloaded;
  if (status === undefined) return judgeStreamed(complaint);
  if (status >= 500 || passingStatuses.has(status) || is('server', complaint)) return retryable;
  return status >= 400 ? rejected : notSpoken;
}

function is(kind: keyof typeof kinds, { type, code }: Pick<Complaint, 'type' | 'code'>): boolean {
  return kinds[kind].has(type) || kinds[kind].has(code);
}

/** An error in the middle of a stream has no status. What names neither a kind nor a fault of the request is taken as passing. */
function judgeStreamed(complaint: Judged): Judgement {
  const { type, code, message } = complaint;
  if (is('missing', complaint)) return rejected;
  if (/invalid|unsupported|bad_?request|image/.test(`${type} ${code}`) || /^invalid /i.test(message)) return rejected;
  return rateWords.test(message) ? { class: 'wait', code: 'rate-limited' } : retryable;
}

const overflowStatuses = new Set<number | undefined>([undefined, 400, 422, 500]);

function isOverflow(complaint: Judged): boolean {
  const { status, message } = complaint;
  if (is('overflow', complaint)) return true;
  if (isRate(complaint)) return isLargerThanItsRate(message);
  if (isOutputLimit(message)) return false;
  return status === 413 || (overflowStatuses.has(status) && overflowWords.test(message));
}

function isRate(complaint: Judged): boolean {
  return complaint.status === 429 || is('rate', complaint) || rateWords.test(complaint.message);
}

/** One request that is larger than all that a minute allows never passes, however long it waits. */
function isLargerThanItsRate(message: string): boolean {
  const [, limit, requested] =
    /too large\b.{0,300}\blimit:? ([\d,]+).{0,40}\brequested:? ([\d,]+)/is.exec(message) ?? [];
  return limit !== undefined && requested !== undefined && numberIn(requested) > numberIn(limit);
}

function numberIn(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** More output was asked for than the model ever gives; unless only the rest of the window is too small for it. */
function isOutputLimit(message: string): boolean {
  if (!outputWords.test(message)) return false;
  const [, asked, window] = /\((\d+) > (\d+) - \d+\)/.exec(message) ?? [];
  return asked === undefined || window === undefined || Number(asked) > Number(window);
}

/** A rate limit passes; a limit of money does so only when the provider names the time. */
function isQuota(complaint: Judged, hasTime: boolean): boolean {
  const { status, code, message, daily } = complaint;
  if (status === 402 || is('quota', complaint)) return true;
  if (daily === true && !hasTime) return true;
  if (quotaCodes.test(code)) return !(status === 429 && hasTime);
  if (status === 429) return !hasTime && spentWords.test(message);
  const mayBe = status === undefined || status === 400 || status === 403;
  return mayBe && !is('rate', complaint) && quotaWords.test(message);
}

function isAuth(complaint: Judged): boolean {
  const { status, message } = complaint;
  if (status === 401 || status === 403 || is('auth', complaint)) return true;
  return (status === undefined || status === 400) && authWords.test(message);
}

/** The provider won’t have it, whoever asks. */
function isPolicy(complaint: Judged): boolean {
  if (is('policy', complaint)) return true;
  return complaint.status === 403 && policyWords.test(complaint.message);
}

/** A server that says outright whether to try again is obeyed, save where the same request can't ever pass. */
function settle(failure: ProviderFailure, shouldRetry: string | undefined): ProviderFailure {
  const passes = failure.class === 'retryable' || failure.class === 'wait';
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
  if (status === 404 && !/model/i.test(said))
    return joinSentences(said || 'Not found', 'The server knows no such address or model.');
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
