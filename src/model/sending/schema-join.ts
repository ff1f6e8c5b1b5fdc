/**
 * Schemas joined into one. A join takes at least all that it stands for: where two parts can't be put together exactly, one of them
 * is dropped, never tightened.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject } from '../reply.ts';

/** The text that lists alternatives is for a model to read: at most this many characters. */
const longestHint = 600;

type KeywordJoin = (first: Json, second: Json) => Json | undefined;

/** Keywords that mean something only together: they are taken from one side. */
const groups: readonly (readonly string[])[] = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
];

const lowest: KeywordJoin = (first, second) => Math.min(Number(first), Number(second));
const highest: KeywordJoin = (first, second) => Math.max(Number(first), Number(second));

/** How a keyword that both sides have is joined; where nothing is said, that of the first stays. */
const bothWays: { [keyword: string]: KeywordJoin } = {
  type: (first, second) => commonTypes(typesOf(first), typesOf(second)),
  enum: (first, second) => commonValues(listOf(first), listOf(second)),
  required: (first, second) => [...new Set([...listOf(first), ...listOf(second)])],
  properties: (first, second) => commonMembers(first, second),
  patternProperties: (first, second) => commonMembers(first, second),
  dependentSchemas: (first, second) => commonMembers(first, second),
  additionalProperties: (first, second) => rest(first, second),
  propertyNames: (first, second) => both(objectOf(first), objectOf(second)),
  minimum: highest,
  exclusiveMinimum: highest,
  minLength: highest,
  minItems: highest,
  minProperties: highest,
  maximum: lowest,
  exclusiveMaximum: lowest,
  maxLength: lowest,
  maxItems: lowest,
  maxProperties: lowest,
  allOf: (first, second) => [...listOf(first), ...listOf(second)],
  nullable: (first, second) => first === true || second === true,
};

/** What is right by both; where they differ in a title, a description or a default, that of the first stays. */
export function both(first: JsonObject, second: JsonObject): JsonObject {
  const joined = new Map(Object.entries(first));
  for (const [keyword, value] of Object.entries(second)) {
    const own = joined.get(keyword);
    if (own !== undefined) {
      const join = Object.hasOwn(bothWays, keyword) ? bothWays[keyword] : undefined;
      joined.set(keyword, join?.(own, value) ?? own);
    } else if (!isTaken(keyword, first)) joined.set(keyword, value);
  }
  return itemsOfBoth(first, second, joined);
}

function isTaken(keyword: string, first: JsonObject): boolean {
  return groups.some((group) => group.includes(keyword) && group.some((other) => Object.hasOwn(first, other)));
}

/** `items` speaks of what comes after `prefixItems`, so that the two travel together. */
function itemsOfBoth(first: JsonObject, second: JsonObject, joined: Map<string, Json>): JsonObject {
  if (first['prefixItems'] === undefined && second['prefixItems'] === undefined) {
    if (isObject(first['items']) && isObject(second['items']))
      joined.set('items', both(first['items'], second['items']));
    return Object.fromEntries(joined);
  }
  const taken = first['prefixItems'] === undefined && first['items'] === undefined ? second : first;
  for (const keyword of ['prefixItems', 'items']) {
    const value = taken[keyword];
    if (value === undefined) joined.delete(keyword);
    else joined.set(keyword, value);
  }
  return Object.fromEntries(joined);
}

function commonMembers(first: Json, second: Json): JsonObject {
  const joined = new Map(Object.entries(objectOf(first)));
  for (const [name, schema] of Object.entries(objectOf(second))) {
    const own = joined.get(name);
    joined.set(name, own === undefined ? schema : both(objectOf(own), objectOf(schema)));
  }
  return Object.fromEntries(joined);
}

function rest(first: Json, second: Json): Json {
  if (first === false || second === false) return false;
  if (!isObject(first)) return second;
  return isObject(second) ? both(first, second) : first;
}

/** Types that contradict each other leave those of the first. */
function commonTypes(first: readonly string[], second: readonly string[]): Json {
  const common = first.flatMap((type) => {
    if (second.includes(type)) return [type];
    if (type === 'number' && second.includes('integer')) return ['integer'];
    return type === 'integer' && second.includes('number') ? ['integer'] : [];
  });
  const types = common.length === 0 ? first : [...new Set(common)];
  return types.length === 1 ? (types[0] ?? '') : [...types];
}

function commonValues(first: readonly Json[], second: readonly Json[]): Json[] {
  const known = new Set(second.map(shapeOf));
  const common = first.filter((value) => known.has(shapeOf(value)));
  return common.length === 0 ? [...first] : common;
}

/** What is right by any one of them, as one schema: plain lists of values become one list, the rest an `anyOf`. */
export function either(schemas: readonly JsonObject[]): JsonObject {
  const distinct = [...new Map(schemas.map((schema) => [shapeOf(schema), schema])).values()];
  const [first, ...others] = distinct;
  if (first === undefined) return {};
  if (others.length === 0) return first;
  return oneList(distinct) ?? { anyOf: distinct };
}

const listKeywords = new Set(['type', 'enum', 'const', 'title', 'description']);

function oneList(schemas: readonly JsonObject[]): JsonObject | undefined {
  const types = new Set(schemas.map(({ type }) => shapeOf(type ?? null)));
  const isList = (schema: JsonObject): boolean => {
    return Object.keys(schema).every((keyword) => listKeywords.has(keyword)) && valuesOf(schema) !== undefined;
  };
  if (types.size > 1 || !schemas.every(isList)) return undefined;
  const values = new Map(schemas.flatMap((schema) => valuesOf(schema) ?? []).map((value) => [shapeOf(value), value]));
  const { type, description } = schemas[0] ?? {};
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    enum: [...values.values()],
  };
}

/** The only values that a schema allows, where it lists them. */
export function valuesOf(schema: JsonObject): Json[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

/**
 * Objects of several kinds as one kind: all their properties, of which those that all require are required. A property that one kind
 * doesn't name may be anything in it, if that kind is open.
 */
export function eitherObject(schemas: readonly JsonObject[]): JsonObject {
  const [first, ...others] = schemas;
  if (first === undefined) return { type: 'object' };
  if (others.length === 0) return first;
  const members = schemas.map((schema) => new Map(Object.entries(objectOf(schema['properties']))));
  const names = new Set(members.flatMap((properties) => [...properties.keys()]));
  const properties = [...names].map((name): [string, Json] => {
    const kinds = schemas.flatMap((schema, index) => {
      const own = members[index]?.get(name);
      return own === undefined ? unnamed(schema) : [objectOf(own)];
    });
    return [name, either(kinds)];
  });
  const required = listOf(first['required']).filter((name) => others.every((other) => isRequired(other, name)));
  const isClosed = schemas.every((schema) => unnamed(schema).length === 0);
  return {
    type: 'object',
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

/** What a property may be that the schema doesn't name. */
function unnamed(schema: JsonObject): JsonObject[] {
  const more = schema['additionalProperties'];
  if (schema['patternProperties'] !== undefined) return [{}];
  if (more === false) return [];
  return isObject(more) ? [more] : [{}];
}

function isRequired(schema: JsonObject, name: Json): boolean {
  return listOf(schema['required']).includes(name);
}

/** Which properties go together, for a model that no longer sees the union. */
export function alternatives(kinds: readonly JsonObject[]): string | undefined {
  const sets = [...new Set(kinds.map(propertiesOf))].filter((set) => set !== '');
  if (sets.length < 2) return undefined;
  const hint = `Give one of these sets: ${sets.join('; ')}.`;
  return hint.length > longestHint ? undefined : hint;
}

function propertiesOf(kind: JsonObject): string {
  const properties = objectOf(kind['properties']);
  const names = listOf(kind['required']).filter((name) => typeof name === 'string');
  return names
    .map((name) => {
      const values = Object.hasOwn(properties, name) ? valuesOf(objectOf(properties[name])) : undefined;
      return values?.length === 1 ? `${name}=${JSON.stringify(values[0])}` : name;
    })
    .join(', ');
}

export function typesOf(type: Json | undefined): string[] {
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The same for values that are equal, whatever the order of their keys. */
export function shapeOf(value: Json): string {
  return JSON.stringify(value, (_, entry: unknown) => (isObject(entry) ? sorted(entry) : entry));
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([first], [second]) => (first < second ? -1 : 1)));
}
