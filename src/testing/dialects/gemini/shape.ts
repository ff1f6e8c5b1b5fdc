/** A request body of generateContent, taken apart without trusting its shape. */
import type { Json, JsonObject } from '../../../core/index.ts';

export interface RawContent {
  /** Place in the request's list. */
  index: number;
  role: Json | undefined;
  parts: Json[];
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const objectsIn = (value: Json | undefined): JsonObject[] => asList(value).filter(isObject);

/** The request itself: counting may wrap it, so that tools and instructions are counted too. */
export function requestOf(body: JsonObject): JsonObject {
  const wrapped = body['generateContentRequest'];
  return isObject(wrapped) ? wrapped : body;
}

export const partsOf = (content: Json | undefined): Json[] => (isObject(content) ? asList(content['parts']) : []);

export function rawContents(request: JsonObject): RawContent[] {
  return asList(request['contents']).map((content, index) => ({
    index,
    // A single message needs no role: it is the user's.
    role: isObject(content) ? (content['role'] ?? 'user') : undefined,
    parts: partsOf(content),
  }));
}

/** The objects that the parts of a content hold under a key, the parts' order kept. */
export const heldIn = (parts: Json[], key: 'functionCall' | 'functionResponse' | 'inlineData'): JsonObject[] =>
  objectsIn(parts)
    .map((part) => part[key])
    .filter(isObject);

export const callParts = (parts: Json[]): JsonObject[] =>
  objectsIn(parts).filter((part) => isObject(part['functionCall']));

/** What is said in parts, each text apart: thoughts and all that isn't text are left out. */
export const textsIn = (parts: Json[]): string[] =>
  objectsIn(parts).flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? [text] : []));

/** All declared functions, whichever tool they stand in. */
export const declarationsIn = (request: JsonObject): JsonObject[] =>
  objectsIn(request['tools']).flatMap((tool) => objectsIn(tool['functionDeclarations']));
