/** A cassette: one exchange with a provider, as it is kept on disk. Format: docs/replay.md. */
import type { Abilities, Json, JsonObject, Rates, Target } from '../../core/index.ts';
import type { BrokenProblem, HttpEnd } from '../network/index.ts';
import { isObject, parseObject } from '../reply.ts';
import type { Headers } from '../failures/index.ts';
import type { Surroundings } from './normalise.ts';

export const cassetteFormat = 1;

/** A piece of the answer's body: when it came, in milliseconds since the request, and its bytes. */
export interface Piece {
  at: number;
  bytes: Buffer;
}

export interface Cassette {
  format: typeof cassetteFormat;
  /** From 1, in the order in which the requests were sent. */
  number: number;
  /** When it was sent, in milliseconds since the epoch. */
  sentAt: number;
  target: Target;
  surroundings: Surroundings;
  /** Path and query of the address; and the body, keys replaced. */
  request: { path: string; body: string };
  /** Absent where nothing was answered. */
  response?: { at: number; status: number; headers: Headers; pieces: Piece[] };
  /** How the exchange ended, and when. */
  end: HttpEnd & { at: number };
}

/** The file of a cassette. A piece that isn't text by itself (a character is torn) is written as base64. */
export function cassetteText(cassette: Cassette): string {
  const { response } = cassette;
  if (response === undefined) return `${JSON.stringify(cassette, undefined, 1)}\n`;
  const pieces = response.pieces.map(({ at, bytes }) => {
    const text = bytes.toString('utf8');
    return Buffer.from(text, 'utf8').equals(bytes) ? { at, text } : { at, base64: bytes.toString('base64') };
  });
  return `${JSON.stringify({ ...cassette, response: { ...response, pieces } }, undefined, 1)}\n`;
}

/** What is wrong with a file, in words. */
export interface Unreadable {
  wrong: string;
}

/** Reads what `cassetteText` writes; anything may be in a file. */
export function parseCassette(text: string): Cassette | Unreadable {
  const value = parseObject(text);
  if (value === undefined) return { wrong: 'it isn’t JSON' };
  const { format, number, sentAt } = value;
  if (format !== cassetteFormat)
    return { wrong: `its format is ${JSON.stringify(format ?? null)}, not ${cassetteFormat}` };
  if (!isNumber(number) || !isNumber(sentAt)) return { wrong: 'number or sentAt is no number' };
  const target = targetOf(value['target']);
  const surroundings = surroundingsOf(value['surroundings']);
  const request = objectOf(value['request']);
  const { path, body } = request;
  const response = value['response'] === undefined ? undefined : responseOf(value['response']);
  const end = endOf(value['end']);
  if (target === undefined) return { wrong: 'its target is no target' };
  if (typeof path !== 'string' || typeof body !== 'string') return { wrong: 'its request has no path or no body' };
  if (value['response'] !== undefined && response === undefined) return { wrong: 'its response is none' };
  if (end === undefined) return { wrong: 'its end is none' };
  const taken = { format: cassetteFormat, number, sentAt, target, surroundings, request: { path, body }, end } as const;
  return response === undefined ? taken : { ...taken, response };
}

export function isUnreadable(cassette: Cassette | Unreadable): cassette is Unreadable {
  return 'wrong' in cassette;
}

function isNumber(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function targetOf(value: Json | undefined): Target | undefined {
  const { provider, wire, model, profile, settings, abilities, window, maxOutput, rates } = objectOf(value);
  if (typeof provider !== 'string' || typeof wire !== 'string' || typeof model !== 'string') return undefined;
  if (!isNumber(window) || !isNumber(maxOutput) || !isObject(settings)) return undefined;
  const able = abilitiesOf(abilities);
  if (able === undefined || !(rates === undefined || areRates(rates))) return undefined;
  return {
    provider,
    wire,
    model,
    ...(typeof profile === 'string' && { profile }),
    settings: settings,
    abilities: able,
    window,
    maxOutput,
    ...(rates !== undefined && { rates }),
  };
}

function abilitiesOf(value: Json | undefined): Abilities | undefined {
  const { images, efforts, thinking, sampling, systemMessages, edits } = objectOf(value);
  const flags = [images, sampling, systemMessages].every((flag) => typeof flag === 'boolean');
  const named = Array.isArray(efforts) && efforts.every((effort) => typeof effort === 'string');
  const thinks = ['none', 'budget', 'adaptive', 'either'].some((word) => word === thinking);
  const does = ['replace', 'patch', 'tagged', 'whole'].some((word) => word === edits);
  return flags && named && thinks && does ? (value as unknown as Abilities) : undefined;
}

function areRates(value: Json): value is Json & Rates {
  const { input, output, cacheRead, cacheWrite, cacheWriteHour = 0, dated, source } = objectOf(value);
  const numbers = [input, output, cacheRead, cacheWrite, cacheWriteHour].every(isNumber);
  return numbers && typeof dated === 'string' && typeof source === 'string';
}

function surroundingsOf(value: Json | undefined): Surroundings {
  const { workspace, home, temporary, session } = objectOf(value);
  const folders = Array.isArray(temporary) ? temporary.filter((folder) => typeof folder === 'string') : [];
  return {
    ...(typeof workspace === 'string' && { workspace }),
    ...(typeof home === 'string' && { home }),
    temporary: folders,
    ...(typeof session === 'string' && { session }),
  };
}

function responseOf(value: Json): Cassette['response'] {
  const { at, status, headers, pieces } = objectOf(value);
  if (!isNumber(at) || !isNumber(status) || !isObject(headers) || !Array.isArray(pieces)) return undefined;
  const texts = Object.entries(headers).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []));
  const taken = pieces.map(pieceOf).filter((piece) => piece !== undefined);
  if (taken.length < pieces.length) return undefined;
  return { at, status, headers: Object.fromEntries(texts) as Headers, pieces: taken };
}

function pieceOf(value: Json): Piece | undefined {
  const { at, text, base64 } = objectOf(value);
  if (!isNumber(at)) return undefined;
  if (typeof text === 'string') return { at, bytes: Buffer.from(text, 'utf8') };
  return typeof base64 === 'string' ? { at, bytes: Buffer.from(base64, 'base64') } : undefined;
}

const problems: { [P in BrokenProblem]: true } = {
  refused: true,
  timeout: true,
  certificate: true,
  proxy: true,
  'proxy-login': true,
  lost: true,
  aborted: true,
  'first-byte-timeout': true,
  'silence-timeout': true,
  'not-http': true,
  'bad-request': true,
};

function endOf(value: Json | undefined): Cassette['end'] | undefined {
  const { at, kind, problem, message, sent } = objectOf(value);
  if (!isNumber(at)) return undefined;
  if (kind === 'ended' || kind === 'enough') return { at, kind };
  if (typeof sent !== 'boolean') return undefined;
  if (kind === 'aborted') return { at, kind, sent };
  const isProblem = typeof problem === 'string' && Object.hasOwn(problems, problem);
  if (kind !== 'broken' || !isProblem || typeof message !== 'string') return undefined;
  return { at, kind, problem: problem as BrokenProblem, message, sent };
}
