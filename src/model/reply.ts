/** What holds for the replies of every wire. */
import type { Json, JsonObject, ReplyPart, ReplyStop, Usage } from '../core/index.ts';

/** The arguments of a call out of their raw text; nothing at all means none. What is no JSON object is kept as it came. */
export function parseArguments(raw: string): { arguments: JsonObject; malformed?: string } {
  if (raw.trim() === '') return { arguments: {} };
  const value = parseObject(raw);
  return value === undefined ? { arguments: {}, malformed: raw } : { arguments: value };
}

/** Levels of nesting; what is deeper can't be written to the record, and no tool takes it. */
const deepest = 500;

/** Whether a JSON text nests deeper than can be handled; looked at only where it could. */
function isTooDeep(text: string): boolean {
  if (text.length < deepest) return false;
  let depth = 0;
  for (const [brackets] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (brackets === '{' || brackets === '[') depth += 1;
    if (brackets === '}' || brackets === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** A JSON value; undefined for what is none, or nests too deep. */
export function parseJson(text: string): Json | undefined {
  try {
    // A quick look first: nearly no text has that many brackets.
    if (text.length > deepest && text.split(/[[{]/, deepest + 2).length > deepest && isTooDeep(text)) return undefined;
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // not JSON is an answer here, and the caller's to judge
  }
}

/** A JSON object, or undefined for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A count of tokens, if it is one. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Input without what a cache had of it: most count that in, but where it is more than all, it comes beside it. */
export function uncached(input: number | undefined, cached = 0): number | undefined {
  return input === undefined || cached > input ? input : input - cached;
}

/** Whether there are calls is told by the calls, not by the provider's word for the end. */
export function settledStop(stop: ReplyStop, parts: readonly ReplyPart[]): ReplyStop {
  const hasCalls = parts.some((part) => part.type === 'call');
  if (hasCalls && (stop === 'end' || stop === 'other')) return 'calls';
  return !hasCalls && stop === 'calls' ? 'end' : stop;
}

/** An ordinary end without a word or a call is no reply; a refusal, a pause or a cut may well be empty. */
export function isEmptyReply(stop: ReplyStop, parts: readonly ReplyPart[]): boolean {
  if (stop !== 'end' && stop !== 'calls' && stop !== 'other') return false;
  return !parts.some((part) => part.type === 'call' || (part.type === 'text' && part.text.trim() !== ''));
}

/** Whether a block says more than the named fields; an empty list, nothing, and that the model itself called say nothing. */
export function hasMore(block: JsonObject, fields: readonly string[]): boolean {
  return Object.keys(block).some((key) => !fields.includes(key) && saysMore(key, block[key]));
}

function saysMore(key: string, value: Json | undefined): boolean {
  if (value === null) return false;
  if (key === 'caller' && isObject(value) && value['type'] === 'direct') return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** Takes in what more is told, in place: a thing that is told piece by piece grows with what comes, not with what it has. Null says nothing. */
export function add(told: JsonObject, more: JsonObject): void {
  for (const [key, value] of Object.entries(more)) if (value !== null && key !== '__proto__') told[key] = value;
}

/** Usage out of what was told of it; undefined where nothing was. */
export function reportedUsage(figures: { [kind in keyof Usage]: number | undefined }): Usage | undefined {
  const told = Object.entries(figures).filter(([, value]) => value !== undefined);
  return told.length === 0 ? undefined : (Object.fromEntries(told) as Usage);
}
