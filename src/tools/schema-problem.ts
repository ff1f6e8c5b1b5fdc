/** What is wrong with a JSON Schema (2020-12), as far as it would make the check of arguments fail or mean nothing. */
import type { Json, JsonObject } from '../core/index.ts';

const types: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const deepest = 64;

/** What a keyword holds; others say nothing about arguments. */
const keywords: { [keyword: string]: 'schema' | 'items' | 'list' | 'named' | 'figure' | 'amount' | 'own' } = {
  ...held(
    'schema',
    'additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else',
  ),
  items: 'items',
  ...held('list', 'allOf anyOf oneOf prefixItems'),
  ...held('named', 'properties patternProperties $defs definitions dependentSchemas'),
  ...held('figure', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...held('amount', 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
  ...held('own', 'type pattern required enum $ref'),
};

function held<Kind extends string>(kind: Kind, words: string): { [keyword: string]: Kind } {
  return Object.fromEntries(words.split(' ').map((word) => [word, kind]));
}

/** A reference, and the place where it stands. */
type Reference = { place: string; to: string };

interface Walk {
  references: Reference[];
  /** What can be referred to besides places: ids and anchors. */
  ids: Set<string>;
}

/** The first thing that is wrong, with the place where it stands; undefined for a sound schema. */
export function schemaProblem(schema: JsonObject): string | undefined {
  const walk: Walk = { references: [], ids: new Set() };
  const problem = problemIn(schema, '', 0, walk);
  if (problem !== undefined) return problem;
  // One that leads nowhere refuses all arguments; nothing is loaded from elsewhere.
  const lost = walk.references.find(({ to }) => !leadsSomewhere(to, schema, walk.ids));
  return lost && said(lost.place, `the reference ${JSON.stringify(lost.to)} leads to nothing in this schema`);
}

function said(place: string, what: string): string {
  return `at ${place === '' ? 'its top' : place}, ${what}`;
}

function problemIn(schema: Json, place: string, depth: number, walk: Walk): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return said(place, 'a schema is an object, true or false');
  if (depth > deepest) return said(place, `it is nested more than ${deepest} deep`);
  for (const key of Object.keys(schema)) {
    const value = schema[key] as Json;
    if ((key === '$id' || key === '$anchor') && typeof value === 'string') walk.ids.add(value);
    if (key === '$ref' && typeof value === 'string') walk.references.push({ place, to: value });
    if (!Object.hasOwn(keywords, key)) continue;
    const own = valueProblem(key, value);
    if (own !== undefined) return said(place, own);
    for (const [path, part] of partsOf(key, value)) {
      const problem = problemIn(part, `${place}/${path}`, depth + 1, walk);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** The schemas that a keyword holds, each with its path. */
function partsOf(key: string, value: Json): [path: string, part: Json][] {
  const kind = keywords[key];
  if (kind === 'schema' || (kind === 'items' && !Array.isArray(value))) return [[key, value]];
  // A list of items is how drafts before 2020 said prefixItems.
  if ((kind === 'list' || kind === 'items') && Array.isArray(value)) {
    return value.map((part, index) => [`${key}/${index}`, part]);
  }
  if (kind !== 'named' || !isObject(value)) return [];
  return Object.entries(value).map(([name, part]) => [`${key}/${name}`, part]);
}

function valueProblem(key: string, value: Json): string | undefined {
  switch (keywords[key]) {
    case 'list':
      return Array.isArray(value) && value.length > 0 ? undefined : `${key} is a list with something in it`;
    case 'named':
      if (!isObject(value)) return `${key} is an object of schemas`;
      return key === 'patternProperties' ? Object.keys(value).map(patternProblem).find(isSaid) : undefined;
    case 'figure':
      if (typeof value !== 'number') return `${key} is a number`;
      return key === 'multipleOf' && value <= 0 ? `${key} is above 0` : undefined;
    case 'amount':
      return Number.isInteger(value) && (value as number) >= 0 ? undefined : `${key} is a whole number, 0 or more`;
    case 'own':
      return ownProblem(key, value);
    default:
      return undefined;
  }
}

function ownProblem(key: string, value: Json): string | undefined {
  switch (key) {
    case 'type': {
      const strange = [value].flat().find((word) => !types.includes(word));
      return strange === undefined ? undefined : `the type ${JSON.stringify(strange)} is unknown`;
    }
    case 'pattern':
      return patternProblem(value);
    case 'required':
      return Array.isArray(value) && value.every((name) => typeof name === 'string')
        ? undefined
        : 'required is a list of names';
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? undefined : 'enum is a list with something in it';
    default:
      return typeof value === 'string' ? undefined : `the reference ${JSON.stringify(value)} leads to nothing`;
  }
}

function isSaid(problem: string | undefined): problem is string {
  return problem !== undefined;
}

function patternProblem(pattern: Json): string | undefined {
  if (typeof pattern !== 'string') return 'a pattern is a text';
  try {
    RegExp(pattern, 'u');
    return undefined;
  } catch {
    return `the pattern ${JSON.stringify(pattern)} is no regular expression`;
  }
}

function leadsSomewhere(reference: string, root: JsonObject, ids: ReadonlySet<string>): boolean {
  const hash = reference.indexOf('#');
  const [document, fragment] = hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
  if (document !== '') return ids.has(document);
  if (fragment === '') return true;
  return fragment.startsWith('/') ? pointsTo(root, fragment) : ids.has(fragment);
}

function pointsTo(root: JsonObject, pointer: string): boolean {
  let value: Json | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    if (!holds) return false;
    value = Reflect.get(value as object, key) as Json;
  }
  return typeof value === 'boolean' || isObject(value);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A per cent sign that stands for itself.
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
