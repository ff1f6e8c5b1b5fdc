/** JSON of a request, taken apart without trusting its shape. */
import type { Json, JsonObject } from '../../../core/index.ts';

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const objectsIn = (value: Json | undefined): JsonObject[] => asList(value).filter(isObject);

export const isBlank = (value: Json | undefined): boolean => asText(value).trim() === '';

/** A text as the JSON object that it holds; undefined when it holds none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // whoever asked judges it
  }
}
