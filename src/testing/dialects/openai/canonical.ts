/** Requests as a cache compares them: part by part, without the marks themselves. */
import type { Json, JsonObject } from '../../../core/index.ts';
import { estimateTokens } from '../../script/index.ts';
import type { CanonicalPart } from '../dialect.ts';
import { isObject } from './shape.ts';

export function part(of: CanonicalPart['of'], role: string, value: Json): CanonicalPart {
  const mark = isObject(value) ? value['cache_control'] : undefined;
  const text = role + JSON.stringify(isObject(value) ? withoutMarks(value) : value);
  const tokens = countTokens(value, text);
  if (!isObject(mark)) return { of, text, tokens };
  return { of, text, tokens, mark: mark['ttl'] === '1h' ? '1h' : '5m' };
}

function withoutMarks({ cache_control: _, prompt_cache_breakpoint: __, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Providers of these wires cache by themselves up to the end of a request; where it has marks of its own, those decide. */
export function cachedByItself(parts: CanonicalPart[]): CanonicalPart[] {
  if (parts.some((each) => each.mark !== undefined)) return parts;
  return parts.map((each, index) => (index === parts.length - 1 ? { ...each, mark: '5m' } : each));
}

/** What an image of ordinary size costs; its bytes say nothing about it. */
const imageTokens = 1000;

function countTokens(value: Json, text: string): number {
  const images = dataUrls(value);
  const size = images.reduce((total, url) => total + url.length, 0);
  return estimateTokens(text.length - size) + images.length * imageTokens;
}

/** Everything in a part that is given as a data URL. */
function dataUrls(value: Json): string[] {
  if (typeof value === 'string') return /^data:[^,]{0,100};base64,/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(dataUrls);
  return isObject(value) ? Object.values(value).flatMap(dataUrls) : [];
}
