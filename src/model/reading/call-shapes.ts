/** The shapes in which models print calls and their arguments. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, parseJson, textOf } from '../reply.ts';

/** What may be calls in a JSON value: a list of them, `{tool_calls: [...]}`, or one. */
export function entriesOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  const { tool_calls: calls, ...rest } = value;
  return Array.isArray(calls) && Object.keys(rest).length === 0 ? calls : [value];
}

/** The keys that a call has besides its name and its arguments; with any other it is data that only looks like one. */
const bySide = new Set(['id', 'type', 'index']);

/** `{name, arguments}`, `{function: {name, arguments}}` or `{function: name, arguments}`. */
export function entryOf(value: Json): { name: string; given: JsonObject | string } | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value['function'])) {
    const { function: inner, ...rest } = value;
    return Object.keys(rest).every((key) => bySide.has(key)) ? entryOf(inner) : undefined;
  }
  const { name, function: called, arguments: first, parameters: second, ...rest } = value;
  const given = first ?? second;
  const isPlain = Object.keys(rest).every((key) => bySide.has(key)) && (first === undefined || second === undefined);
  const word = textOf(name) || textOf(called);
  if (!isPlain || word === '' || (name !== undefined && called !== undefined)) return undefined;
  return isObject(given) || typeof given === 'string' ? { name: word, given } : undefined;
}

/** The types that a schema of arguments names for one of them. */
export function typesOf(schema: JsonObject, name: string): string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const type = isObject(property) ? property['type'] : undefined;
  const types = Array.isArray(type) ? type : [type];
  return types.filter((each) => typeof each === 'string');
}

const pythonWords: { [word: string]: Json } = { True: true, False: false, None: null };

/** An argument that is written as text between tags: as it is where the schema takes text, else as JSON where it is some. */
export function valueOf(raw: string, types: readonly string[], repairs: Set<string>): Json {
  const text = raw.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  if (types.length === 0 || types.includes('string')) return text;
  const word = text.trim();
  if (Object.hasOwn(pythonWords, word)) {
    repairs.add(`"${word}" for ${JSON.stringify(pythonWords[word])}`);
    return pythonWords[word] ?? null;
  }
  return parseJson(word) ?? text;
}
