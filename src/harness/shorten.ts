/** Arguments as audits and reports show them: whole but for long texts, which the log has. */
import type { Json, JsonObject } from '../core/index.ts';

/** Characters of one text. */
const longestText = 300;
/** Items of a list, and keys of an object. */
const mostItems = 50;
const deepest = 6;

/** Arguments that name what a call touches, the most telling first. */
const telling = ['command', 'path', 'file', 'pattern', 'query', 'url', 'question', 'glob', 'name', 'id'];

export function shortened(value: JsonObject): JsonObject {
  return shortenedValue(value, 0) as JsonObject;
}

function shortenedValue(value: Json, depth: number): Json {
  if (typeof value === 'string') return shortText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item) => shortenedValue(item, depth + 1));
    return value.length > mostItems ? [...items, `… ${value.length - mostItems} more`] : items;
  }
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(entries.map(([key, inner]) => [shortText(key), shortenedValue(inner, depth + 1)]));
}

function shortText(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText).toWellFormed()}… (${text.length} characters)`;
}

/** Command, path or whatever says most; empty where nothing does. */
export function whatOf(args: JsonObject): string {
  for (const name of telling) {
    const value = args[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}
