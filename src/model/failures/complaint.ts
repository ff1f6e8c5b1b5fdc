/** What a provider complains of, in its own words: found in the error shapes that providers use. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, parseObject, textOf } from '../reply.ts';
import { durationOf, toldInWords, type Headers } from './told-wait.ts';

/** A complaint out of an HTTP answer, or out of the middle of a stream (then without a status). */
export interface Complaint {
  status?: number;
  headers: Headers;
  /** The kind of error as the provider names it, and the finer code where it has one; in lower case. */
  type: string;
  code: string;
  message: string;
  /** The status that an error in a stream or in an answer of success names in its body. */
  inner?: number;
  /** Milliseconds to wait, where the body itself tells it. */
  told?: number;
  /** A limit of a day is used up. */
  daily?: true;
  /** Headers of limits that a gateway repeats in the body. */
  limits?: Headers;
  now: number;
}

export type Said = Pick<Complaint, 'type' | 'code' | 'message' | 'inner' | 'told' | 'daily' | 'limits'>;

/** Levels of errors that are wrapped in another; gateways quote those of the provider behind them. */
const deepest = 3;

/**
 * Type, code and message of an error body, whatever its shape: `{error: {...}}`, `{error: "words"}`, a bare object, a list of them,
 * `{response: {error}}` of a stream. A body that is no JSON is the message itself. Nothing in it is trusted to be there.
 */
export function complaintOf(body: unknown, depth = 0): Said {
  const content = typeof body === 'string' ? (parsed(body) ?? body) : body;
  if (Array.isArray(content)) return depth < deepest ? complaintOf(content[0], depth + 1) : nothing;
  if (!isObject(content)) return typeof content === 'string' ? said({ message: content }) : nothing;
  const error = errorIn(content);
  if (!isObject(error)) return said({ code: codeIn(content), message: textOf(error) || messageIn(content) });
  const details = objectsIn(error['details']);
  const code = textOf(isObject(error['details']) ? error['details']['error_code'] : undefined);
  const own = said({
    type: textOf(error['type']) || textOf(error['status']),
    code: code || codeIn(error) || reasonIn(details),
    message: messageIn(error) || messageIn(content) || shapeless(error),
  });
  const found: Said = { ...own, ...innerStatus(error), ...toldIn(details, own), ...dailyIn(details) };
  return depth < deepest ? withInner(found, error, depth + 1) : found;
}

/** An error without words is quoted as it is. */
function shapeless(error: JsonObject): string {
  return Object.keys(error).length === 0 ? '' : JSON.stringify(error);
}

const nothing: Said = { type: '', code: '', message: '' };

function said({ type = '', code = '', message = '' }: Partial<Said>): Said {
  return { type: type.toLowerCase(), code: code.toLowerCase(), message, ...toldInMessage(message) };
}

/** A list, or an object; text that is neither is no error shape. */
function parsed(text: string): Json | undefined {
  const object = parseObject(text);
  if (object !== undefined || !text.trimStart().startsWith('[')) return object;
  // The same care as for an object: only what parses inside of one is taken.
  return parseObject(`{"list":${text}}`)?.['list'];
}

function errorIn(content: JsonObject): Json {
  const { error, response } = content;
  if (error !== undefined && error !== null) return error;
  if (response === undefined) return content;
  return isObject(response) ? (response['error'] ?? {}) : {};
}

function codeIn(error: JsonObject): string {
  const { code } = error;
  return typeof code === 'string' ? code : '';
}

/** Words wherever providers put them: `message`, `detail`, or lists of either as validators write them. */
function messageIn(error: JsonObject): string {
  const { message, detail } = error;
  const words = [message, detail].map(wordsIn).filter((text) => text !== '');
  return words[0] ?? '';
}

function wordsIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsIn).filter(Boolean).join('; ');
  if (!isObject(value)) return '';
  const place = Array.isArray(value['loc'])
    ? `${value['loc'].filter((step) => typeof step !== 'object').join('.')}: `
    : '';
  const words = wordsIn(value['msg'] ?? value['message'] ?? value['detail']);
  return words === '' ? '' : place + words;
}

function innerStatus(error: JsonObject): { inner?: number } {
  const given = [error['code'], error['status'], error['status_code']].map((value) => {
    return typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  });
  const status = given.find((value) => typeof value === 'number' && value >= 400 && value < 600);
  return typeof status === 'number' ? { inner: status } : {};
}

function objectsIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The reason in `ErrorInfo` of Google's services. */
function reasonIn(details: readonly JsonObject[]): string {
  return details.map((detail) => textOf(detail['reason'])).find((reason) => reason !== '') ?? '';
}

/** `RetryInfo` of Google's services. */
function toldIn(details: readonly JsonObject[], own: Said): { told?: number } {
  const delays = details.map((detail) => durationOf(textOf(detail['retryDelay'])));
  const told = delays.find((delay) => delay !== undefined) ?? own.told;
  return told === undefined ? {} : { told };
}

function toldInMessage(message: string): { told?: number } {
  const told = toldInWords(message);
  return told === undefined ? {} : { told };
}

/** `QuotaFailure` of Google's services names the limits that were hit. */
function dailyIn(details: readonly JsonObject[]): { daily?: true } {
  const violations = details.flatMap((detail) => objectsIn(detail['violations']));
  const isDaily = violations.some(({ quotaId, quotaMetric }) =>
    /per_?day/i.test(`${textOf(quotaId)} ${textOf(quotaMetric)}`),
  );
  return isDaily ? { daily: true } : {};
}

/** The error of the provider behind a gateway, which quotes it in `metadata.raw`: its words say more than the gateway’s. */
function withInner(outer: Said, error: JsonObject, depth: number): Said {
  const metadata = isObject(error['metadata']) ? error['metadata'] : {};
  const known = { ...outer, ...limitsIn(metadata['headers']) };
  const inner = complaintOf(metadata['raw'], depth);
  if (inner.message === '') return known;
  const message = `${outer.message}: ${inner.message}`;
  return { ...known, ...inner, type: inner.type || outer.type, code: inner.code || outer.code, message };
}

function limitsIn(headers: Json | undefined): { limits?: Headers } {
  if (!isObject(headers)) return {};
  const limits = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    return typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), `${value}`]] : [];
  });
  return { limits: Object.fromEntries(limits) };
}
