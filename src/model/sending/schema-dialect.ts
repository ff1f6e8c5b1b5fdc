/** The dialects of JSON Schema that providers take: a plain tree (see schema-inline.ts) is said in the words of one, or wider. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject } from '../reply.ts';
import { both, either, listOf, objectOf, shapeOf, typesOf, valuesOf } from './schema-join.ts';

/** What a provider takes of JSON Schema. */
export interface SchemaRule {
  /** The keywords that may stand in a schema; 'all' leaves in also those that nobody knows. */
  keywords: 'all' | ReadonlySet<string>;
  /** Whether `$ref` and definitions are understood; otherwise what they stand for is written out. */
  references: boolean;
  /** Whether the arguments as a whole may be a union; otherwise it becomes one object. */
  topUnions: boolean;
  /** Several types at once: as a list, as an `anyOf`, or as an `anyOf` and `nullable`. */
  typeLists: 'keep' | 'any-of' | 'nullable';
  /** The values that `enum` may list. */
  enums: 'any' | 'scalars' | 'strings';
  /** Whether every schema must name its type. */
  needsType: boolean;
  /** Whether every list must say what it lists. */
  needsItems: boolean;
  /** Whether beside `anyOf` nothing else may stand. */
  lonelyUnions: boolean;
  /** Levels of nesting; what is deeper is left open. */
  depth: number;
  /** Bytes of the schema as JSON; a tool with a larger one is left out. */
  bytes: number;
}

/** JSON Schema as a whole, but for unions at its top: what most providers take. */
export const wholeSchema: SchemaRule = {
  keywords: 'all',
  references: true,
  topUnions: false,
  typeLists: 'keep',
  enums: 'any',
  needsType: false,
  needsItems: false,
  lonelyUnions: false,
  depth: 100,
  bytes: 262_144,
};

export function takes(rule: SchemaRule, keyword: string): boolean {
  return rule.keywords === 'all' || rule.keywords.has(keyword);
}

const singles = new Set(['items', 'propertyNames', 'contains']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const members = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The keywords that say something of one type only. */
const keywordsOf: { [type: string]: readonly string[] } = {
  string: ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  number: numeric,
  integer: numeric,
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'required',
    'minProperties',
    'maxProperties',
    'dependentSchemas',
    'dependentRequired',
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
};
const typed = new Set(Object.values(keywordsOf).flat());
const conditional = ['if', 'then', 'else'];
/** The schema in the words of the rule. */
export function speak(schema: JsonObject, rule: SchemaRule): JsonObject {
  const prepared = [anyInstead, asItems, distributed, withoutNullKinds].reduce(
    (said, step) => step(said, rule),
    schema,
  );
  const inner = innerSchemas(prepared, rule);
  const steps = [knownRequired, listedConstant, keywordsOnly, fittingEnum, typesNamed, listedStrings, itemsNamed];
  return steps.reduce((said, step) => step(said, rule), inner);
}

function prepare(schema: JsonObject, rule: SchemaRule): JsonObject {
  const steps = [anyInstead, asItems, distributed, withoutNullKinds];
  return steps.reduce((said, step) => step(said, rule), schema);
}

/** "Exactly one" as "any", where there is only that; beside another union it is dropped. */
function anyInstead(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { oneOf, ...rest } = schema;
  return oneOf === undefined || takes(rule, 'oneOf') ? schema : { anyOf: oneOf, ...rest };
}

/** Where the places of a list can't be told apart, each may hold what any of them may. */
function asItems(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { prefixItems, items, ...rest } = schema;
  if (!Array.isArray(prefixItems) || takes(rule, 'prefixItems')) return schema;
  const isWhole = typeof rest['maxItems'] === 'number' && rest['maxItems'] <= prefixItems.length;
  const more = isWhole ? [] : [objectOf(items)];
  return { ...rest, items: either([...prefixItems.map(objectOf), ...more]) };
}

/** What stands beside a union goes into each of its kinds, where a kind must say it by itself. */
function distributed(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const kinds = anyOf.map(objectOf);
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return prepare(both(rest, only), rule);
  if (rule.lonelyUnions) return { anyOf: kinds.map((kind) => both(kind, rest)) };
  const { type } = rest;
  if (!rule.needsType || type === undefined) return schema;
  return { ...rest, anyOf: kinds.map((kind) => ({ type, ...kind })) };
}

/** Null as a kind of its own, where there is only "nullable". */
function withoutNullKinds(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || rule.typeLists !== 'nullable') return schema;
  const kinds = anyOf.map(objectOf);
  const others = kinds.filter((kind) => !isNull(kind)).map((kind): JsonObject => ({ ...kind, nullable: true }));
  const [first] = others;
  if (first === undefined || others.length === kinds.length) return schema;
  return others.length === 1 ? prepare(both(rest, first), rule) : { ...rest, anyOf: others };
}

function isNull(schema: JsonObject): boolean {
  const values = valuesOf(schema);
  return schema['type'] === 'null' || (values?.length === 1 && values[0] === null);
}

/** All schemas within; one that must stay as it is goes where it can't, and so do the keywords that count on it. */
function innerSchemas(schema: JsonObject, rule: SchemaRule): JsonObject {
  const said = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (singles.has(keyword)) return [[keyword, speak(objectOf(value), rule)]];
    if (lists.has(keyword)) return [[keyword, listOf(value).map((entry) => speak(objectOf(entry), rule))]];
    if (members.has(keyword)) return [[keyword, spokenMembers(value, rule)]];
    if (keyword === 'additionalProperties') return [[keyword, isObject(value) ? speak(value, rule) : value]];
    return [[keyword, value]];
  });
  return withoutFragile(schema, Object.fromEntries(said), rule);
}

/** Keywords that rule out more when what they speak of gets wider are left only where nothing changed. */
function withoutFragile(before: JsonObject, after: JsonObject, rule: SchemaRule): JsonObject {
  const gone = new Set<string>();
  const isChanged = (keyword: string): boolean =>
    before[keyword] !== undefined && !isSame(keyword, before, after, rule);
  if (isChanged('not')) gone.add('not');
  if (conditional.some(isChanged)) for (const keyword of conditional) gone.add(keyword);
  if (isChanged('contains')) gone.add('maxContains');
  if (before['minContains'] !== undefined && !takes(rule, 'minContains')) gone.add('contains');
  if (before['patternProperties'] !== undefined && !takes(rule, 'patternProperties')) gone.add('additionalProperties');
  if (!isChanged('oneOf')) return without(after, gone);
  gone.add('oneOf');
  return { anyOf: after['oneOf'] ?? [], ...without(after, gone) };
}

function isSame(keyword: string, before: JsonObject, after: JsonObject, rule: SchemaRule): boolean {
  if (!takes(rule, keyword)) return false;
  const value = before[keyword] ?? null;
  // Conditions and negations come as they were.
  const isRaw = keyword === 'not' || conditional.includes(keyword);
  return shapeOf(value) === shapeOf(isRaw ? speak(objectOf(value), rule) : (after[keyword] ?? null));
}

function without(schema: JsonObject, gone: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !gone.has(keyword)));
}

function spokenMembers(value: Json, rule: SchemaRule): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([name, schema]) => [name, speak(objectOf(schema), rule)]),
  );
}

function listedConstant(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { const: constant, ...rest } = schema;
  if (constant === undefined || takes(rule, 'const')) return schema;
  return { ...rest, enum: [constant] };
}

/** A list of values that can't be named leaves at least their types; that null is one of them is said by a type. */
function fittingEnum(schema: JsonObject, rule: SchemaRule): JsonObject {
  if (!Array.isArray(schema['enum']) || rule.enums === 'any') return schema;
  const { enum: values, ...rest } = schema;
  const valueTypes = [...new Set(values.map(typeOf))];
  const types = rest['type'] === undefined ? valueTypes : typesOf(rest['type']);
  const unlisted: JsonObject = { ...rest, type: types.length === 1 ? (types[0] ?? '') : types };
  const named = values.filter((value) => value !== null);
  if (named.length === 0 || !named.every((value) => isListable(value, rule))) return unlisted;
  if (named.length === values.length || !types.includes('null')) return { ...unlisted, enum: named };
  if (rule.typeLists === 'nullable') return { ...unlisted, enum: named };
  return rest['anyOf'] === undefined ? splitByType({ ...rest, enum: values }, types, rule) : unlisted;
}

function isListable(value: Json, rule: SchemaRule): boolean {
  if (typeof value === 'string') return rule.enums === 'scalars' || value !== '';
  return rule.enums === 'scalars' && typeof value === 'number';
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** What is required but not described is described as anything; what can't be there at all isn't required. */
function knownRequired(schema: JsonObject, rule: SchemaRule): JsonObject {
  if (!Array.isArray(schema['required'])) return schema;
  const { required: _, ...rest } = schema;
  const properties = new Map(Object.entries(objectOf(schema['properties'])));
  const names = schema['required'].filter((name) => typeof name === 'string');
  const isClosed = schema['additionalProperties'] === false;
  for (const name of names) if (!isClosed && !properties.has(name)) properties.set(name, speak({}, rule));
  const required = names.filter((name) => properties.has(name));
  return {
    ...rest,
    ...(properties.size === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Where only texts can be listed, what is no text has no list: values that contradict their type say nothing. */
function listedStrings(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { enum: values, ...rest } = schema;
  return values === undefined || rule.enums !== 'strings' || rest['type'] === 'string' ? schema : rest;
}

const anyType = ['string', 'number', 'boolean', 'object', 'array', 'null'];

function typesNamed(schema: JsonObject, rule: SchemaRule): JsonObject {
  const given = typesOf(schema['type']);
  const isUnion = schema['anyOf'] !== undefined || schema['oneOf'] !== undefined || schema['$ref'] !== undefined;
  const types = given.length === 0 && rule.needsType && !isUnion ? anyType : given;
  const { type: _, ...rest } = schema;
  if (types.length === 0) return schema;
  if (rule.typeLists !== 'nullable') return types.length === 1 ? schema : severalTypes(rest, types, rule);
  const [first = 'string', ...others] = types.filter((type) => type !== 'null');
  const said = others.length === 0 ? { ...rest, type: first } : severalTypes(rest, [first, ...others], rule);
  return types.includes('null') ? nullable(said, rule) : said;
}

function nullable(schema: JsonObject, rule: SchemaRule): JsonObject {
  const { anyOf } = schema;
  if (!rule.lonelyUnions || !Array.isArray(anyOf)) return { ...schema, nullable: true };
  return { ...schema, anyOf: anyOf.map((kind) => ({ ...objectOf(kind), nullable: true })) };
}

function severalTypes(schema: JsonObject, types: readonly string[], rule: SchemaRule): JsonObject {
  if (rule.typeLists === 'keep') return { ...schema, type: [...types] };
  // Two unions can't stand in one schema; the one that says more stays.
  return schema['anyOf'] === undefined ? splitByType(schema, types, rule) : schema;
}

function splitByType(schema: JsonObject, types: readonly string[], rule: SchemaRule): JsonObject {
  const general = Object.entries(schema).filter(([keyword]) => !typed.has(keyword) && keyword !== 'enum');
  const outside = Object.fromEntries(general.filter(([keyword]) => keyword !== 'type'));
  const kinds = types.flatMap((type) => oneType(schema, type, rule));
  const [only, ...others] = kinds;
  // Values and types that contradict each other: nothing is right, so that nothing need be said exactly.
  if (only === undefined) return { ...outside, type: types[0] ?? 'string' };
  if (others.length === 0) return both(outside, only);
  return rule.lonelyUnions ? { anyOf: kinds.map((kind) => both(kind, outside)) } : { ...outside, anyOf: kinds };
}

/** What a schema says of one type; nothing where none of its values has it. */
function oneType(schema: JsonObject, type: string, rule: SchemaRule): JsonObject[] {
  const own = keywordsOf[type] ?? [];
  const said: JsonObject = { type, ...Object.fromEntries(Object.entries(schema).filter(([key]) => own.includes(key))) };
  if (!Array.isArray(schema['enum'])) return [itemsNamed(said, rule)];
  const values = schema['enum'].filter((value) => hasType(value, type));
  if (values.length === 0) return [];
  return [type === 'null' ? said : itemsNamed({ ...said, enum: values }, rule)];
}

function hasType(value: Json, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function itemsNamed(schema: JsonObject, rule: SchemaRule): JsonObject {
  const isList = typesOf(schema['type']).includes('array');
  return isList && rule.needsItems && schema['items'] === undefined ? { ...schema, items: {} } : schema;
}

function keywordsOnly(schema: JsonObject, rule: SchemaRule): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => takes(rule, keyword)));
}
