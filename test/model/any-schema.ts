/** Schemas of every kind over few names and values, and arguments that have a chance to be right by them. */
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/index.ts';

const names = fc.constantFrom('a', 'b', 'c');
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(null, 0, 1, 2.5, 'a', 'bb', '', true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}));

export const someArguments: fc.Arbitrary<JsonObject> = fc.dictionary(names, value, { maxKeys: 3 });

const leaves: Json[] = [
  {},
  true,
  false,
  { type: 'string' },
  { type: 'number' },
  { type: 'null' },
  { type: 'array' },
  { type: 'object' },
  { type: ['string', 'null'] },
  { const: 'a' },
  { const: 1 },
  { enum: ['a', 'bb'] },
  { enum: [null, 'a'] },
  { enum: ['a', 1, ''] },
  { $ref: '#' },
  { $ref: '#/$defs/x' },
  { $ref: '#/$defs/y' },
  { $ref: '#/properties/a' },
];

/** Some of the keywords. */
function some(keywords: { [keyword: string]: fc.Arbitrary<Json> }): fc.Arbitrary<Json> {
  return fc.record(keywords, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

const { schema } = fc.letrec<{ schema: Json }>((tie) => {
  const inner = tie('schema');
  const members = fc.dictionary(names, inner, { maxKeys: 3 });
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const rest = fc.oneof(fc.boolean(), inner);
  const type = fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }));
  const objectType = fc.constantFrom<Json>('object', ['object', 'null']);
  const patternProperties = fc.dictionary(fc.constantFrom('^a', 'b|c'), inner, { maxKeys: 2 });
  const one = fc.constant<Json>(1);
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom(...leaves),
      some({ type }),
      some({ type: objectType, properties: members, required: fc.uniqueArray(names), additionalProperties: rest }),
      some({ type: objectType, patternProperties, properties: members, additionalProperties: rest }),
      some({ type: fc.constant('array'), items: inner, prefixItems: list, maxItems: one, minItems: one }),
      some({ anyOf: list, type, properties: members, description: fc.constant('words') }),
      some({ oneOf: list, anyOf: list, properties: members, additionalProperties: fc.boolean() }),
      some({ allOf: list, type, enum: fc.constantFrom<Json>(['a', 1], [null]), items: inner }),
      some({ not: inner, type }),
      some(Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, inner]))),
      some({ contains: inner, minContains: fc.constantFrom<Json>(0, 1), maxContains: one }),
      some({ minimum: one, maximum: one, minLength: one, maxProperties: one }),
      some({ propertyNames: inner, dependentSchemas: members, unevaluatedProperties: fc.constant(false) }),
      some({ $ref: fc.constantFrom('#', '#/$defs/x', '#/$defs/y'), type, properties: members }),
    ),
  };
});

/** A schema of arguments with two definitions, which it and they may refer to. */
export const anySchema: fc.Arbitrary<JsonObject> = fc.tuple(schema, schema, schema).map(([root, x, y]) => {
  return { ...(isObject(root) ? root : {}), $defs: { x, y } };
});

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
