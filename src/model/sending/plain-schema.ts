/** Schemas that every provider takes as they are: nearly all tools have one, and nothing of them needs to be looked at twice. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject } from '../reply.ts';
import { takes, type SchemaRule } from './schema-dialect.ts';

const ofArguments = ['type', 'properties', 'required', 'additionalProperties', 'description'];
const ofValues = ['type', 'description', 'minLength', 'maxLength', 'minimum', 'maximum'];
const simpleTypes: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** Whether a schema is an object of named, simple values, said in words that the rule takes. */
export function isPlain(schema: JsonObject, rule: SchemaRule): boolean {
  const { type, properties, required = [], additionalProperties = true } = schema;
  if (type !== 'object' || !isObject(properties) || typeof additionalProperties !== 'boolean') return false;
  if (!hasOnly(schema, ofArguments, rule) || Object.keys(properties).length === 0) return false;
  const isNamed = (name: Json): boolean => typeof name === 'string' && Object.hasOwn(properties, name);
  if (!Array.isArray(required) || !required.every(isNamed)) return false;
  return Object.values(properties).every((value) => {
    return isObject(value) && simpleTypes.includes(value['type']) && hasOnly(value, ofValues, rule);
  });
}

function hasOnly(schema: JsonObject, words: readonly string[], rule: SchemaRule): boolean {
  return Object.keys(schema).every((word) => words.includes(word) && takes(rule, word));
}
