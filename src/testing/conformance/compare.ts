/** Holds what a decoder made of a recording against what is expected of it. */
import { isDeepStrictEqual } from 'node:util';
import type { CallPart, Json } from '../../core/index.ts';
import type { Decoded, DecodedReply } from '../../model/index.ts';
import { isObject, type NoReading, type ReadCall, type Reading, type ReadUsage } from './reading.ts';

/** One thing that isn't as expected. */
export interface Difference {
  what: 'outcome' | 'text' | 'reasoning' | 'calls' | 'stop' | 'usage' | 'parts';
  /** Where in it. */
  at: string;
  expected: string;
  actual: string;
}

export type Verdict =
  | { verdict: 'exact' }
  | { verdict: 'differing'; differences: Difference[] }
  | { verdict: 'failed'; reason: string };

const verdictOf = (differences: Difference[]): Verdict =>
  differences.length === 0 ? { verdict: 'exact' } : { verdict: 'differing', differences };

const excerpt = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

/** Against an expectation file: a whole outcome, or the fields of a reply; what it doesn't name isn't compared. */
export function compareExpected(decoded: Decoded, expected: Json): Verdict {
  if (!isObject(expected)) return { verdict: 'failed', reason: 'the expectation is no JSON object' };
  const failure = decoded.kind === 'failure' ? decoded.failure : undefined;
  const actual = new Map<string, unknown>(Object.entries(decoded.kind === 'reply' ? decoded.reply : decoded.failure));
  const hasKind = expected['kind'] === 'reply' || expected['kind'] === 'failure';
  const kind = hasKind ? expected['kind'] : 'reply';
  if (kind !== decoded.kind) {
    if (failure) return { verdict: 'failed', reason: `${failure.code}: ${failure.message}` };
    const difference = { what: 'outcome', at: 'kind', expected: 'a failure', actual: 'a reply' } as const;
    return { verdict: 'differing', differences: [difference] };
  }
  const fields = hasKind ? expected[kind as string] : expected;
  const differences = Object.entries(isObject(fields) ? fields : {}).flatMap(([key, value]) => {
    const found = actual.get(key);
    return isDeepStrictEqual(found, value) ? [] : [fieldDifference(key, value, found)];
  });
  return verdictOf(differences);
}

function fieldDifference(key: string, expected: Json, actual: unknown): Difference {
  const what = key === 'parts' || key === 'usage' ? key : key.startsWith('stop') ? 'stop' : 'outcome';
  if (!Array.isArray(expected) || !Array.isArray(actual)) {
    return { what, at: key, expected: excerpt(expected), actual: excerpt(actual) };
  }
  const place = Math.max(
    0,
    [...expected, undefined].findIndex((part, index) => !isDeepStrictEqual(part, actual[index])),
  );
  return { what, at: `${key}[${place}]`, expected: excerpt(expected[place]), actual: excerpt(actual[place]) };
}

/** Against the reference reading. */
export function compareReading(decoded: Decoded, reading: Reading | NoReading): Verdict {
  if (decoded.kind === 'failure') {
    const { code, message } = decoded.failure;
    if ('failure' in reading) return { verdict: 'exact' };
    const isEmpty = reading.text.trim() === '' && reading.calls.length === 0 && reading.others === 0;
    if (isEmpty && code === 'empty-reply') return { verdict: 'exact' };
    return { verdict: 'failed', reason: `${code}: ${message}` };
  }
  if ('failure' in reading) {
    const difference = { what: 'outcome', at: 'end', expected: reading.failure, actual: 'a reply' } as const;
    return { verdict: 'differing', differences: [difference] };
  }
  const { reply } = decoded;
  const said = (type: 'text' | 'thinking') =>
    reply.parts.flatMap((part) => (part.type === type ? part.text : [])).join('');
  const isReasoning = isJoined(reading.reasoning, said('thinking'));
  return verdictOf([
    ...(isSameText(reading.text, said('text')) ? [] : [textDifference('text', reading.text, said('text'))]),
    ...(isReasoning ? [] : [textDifference('reasoning', reading.reasoning.join(''), said('thinking'))]),
    ...callDifferences(reading.calls, reply),
    ...stopDifference(reading, reply),
    ...usageDifferences(reading.usage, reply.usage ?? {}),
  ]);
}

/** Blanks alone say nothing. */
const isSameText = (expected: string, actual: string): boolean =>
  expected === actual || (expected.trim() === '' && actual.trim() === '');

/** Whether a text is these parts one after the other; blanks between them are nobody's words. */
function isJoined(parts: string[], text: string): boolean {
  let place = 0;
  for (const part of parts) {
    if (!text.startsWith(part, place)) place += text.slice(place).search(/\S|$/);
    if (!text.startsWith(part, place)) return false;
    place += part.length;
  }
  return place === text.length;
}

function textDifference(what: 'text' | 'reasoning', expected: string, actual: string): Difference {
  let place = 0;
  while (place < expected.length && expected[place] === actual[place]) place += 1;
  const around = (text: string) => excerpt(text.slice(Math.max(0, place - 20), place + 40));
  return { what, at: `character ${place}`, expected: around(expected), actual: around(actual) };
}

function callDifferences(expected: ReadCall[], reply: DecodedReply): Difference[] {
  const actual = reply.parts.filter((part) => part.type === 'call');
  if (expected.length !== actual.length) {
    const names = (calls: { name: string }[]) => excerpt(calls.map(({ name }) => name));
    return [{ what: 'calls', at: 'number', expected: names(expected), actual: names(actual) }];
  }
  const mended = new Set(reply.repairs?.map(({ call }) => call));
  return expected.flatMap((call, index) => {
    const found = actual[index];
    return found ? callDifference(call, found, `call ${index + 1}`, mended.has(index)) : [];
  });
}

function callDifference(expected: ReadCall, actual: CallPart, where: string, isMended: boolean): Difference[] {
  const differ = (field: string, wanted: unknown, found: unknown): Difference => ({
    what: 'calls',
    at: `${where}, ${field}`,
    expected: excerpt(wanted),
    actual: excerpt(found),
  });
  const differences: Difference[] = [];
  if (expected.name !== actual.name) differences.push(differ('name', expected.name, actual.name));
  // Where the provider gives no id, the decoder makes one up.
  if (expected.id !== undefined && expected.id !== actual.id) differences.push(differ('id', expected.id, actual.id));
  if (!isMended && !isSameInput(expected, actual)) {
    differences.push(differ('arguments', expected.json ?? expected.text, actual.malformed ?? actual.arguments));
  }
  return differences;
}

/** Arguments are the same as an object or, where they are none, in every character; a text is the only argument there is. */
function isSameInput({ json, text }: ReadCall, { arguments: given, malformed }: CallPart): boolean {
  if (json === undefined) return isDeepStrictEqual(Object.values(given), [text]) || malformed === text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return malformed === json; // cut, or never whole
  }
  return isObject(value) ? malformed === undefined && isDeepStrictEqual(given, value) : malformed === json;
}

function stopDifference({ stop, word }: Reading, reply: DecodedReply): Difference[] {
  const raw = reply.stopRaw ?? '';
  if (stop === reply.stop && (raw === '' || word === '' || raw === word)) return [];
  const said = (own: string, told: string) => (told === '' ? own : `${own} (${told})`);
  return [{ what: 'stop', at: 'stop', expected: said(stop, word), actual: said(reply.stop, raw) }];
}

/** Parts of a figure that weren't reported are the same as none; input and output must have been. */
function usageDifferences(expected: ReadUsage, actual: ReadUsage): Difference[] {
  const differ = (field: keyof ReadUsage, absent: number | undefined): Difference[] => {
    const wanted = expected[field] ?? absent;
    const found = actual[field] ?? absent;
    if (wanted === found) return [];
    return [{ what: 'usage', at: field, expected: excerpt(wanted), actual: excerpt(found) }];
  };
  return [
    ...differ('input', undefined),
    ...differ('cacheRead', 0),
    ...differ('cacheWrite', 0),
    ...differ('output', undefined),
    ...differ('reasoning', 0),
  ];
}
