/**
 * A schema as a plain tree: references are replaced by what they stand for, `allOf` by its join, and where a union at the top isn't
 * taken, by one object. What can't be written that way (a recursion, a reference to elsewhere) is left open.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject } from '../reply.ts';
import { takes, type SchemaRule } from './schema-dialect.ts';
import { alternatives, both, eitherObject, listOf, objectOf, shapeOf, typesOf } from './schema-join.ts';

/** References that are followed, and schemas that are written out for them; one that fans out further is left open there. */
const mostReferences = 1_000;
const mostNodes = 20_000;

interface Place {
  depth: number;
  /** The references that led here. */
  open: readonly string[];
  /** The arguments themselves, not something in them. */
  top: boolean;
}

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const texts = new Set(['title', 'description', 'format']);
const numbers = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const counts = /^(?:min|max)(?:Length|Items|Properties|Contains)$/;
const lists = new Set(['enum', 'examples']);
const members = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Handled by themselves, or of no use out of the schema's own context. */
const dropped = new Set([
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
  'dependencies',
  'allOf',
  'then',
  'else',
]);

export function inlineSchema(root: JsonObject, rule: SchemaRule): JsonObject {
  return new Inliner(root, rule).whole();
}

class Inliner {
  private readonly root: JsonObject;
  private readonly rule: SchemaRule;
  private references = 0;
  private nodes = 0;
  private hasDefinitions = false;

  constructor(root: JsonObject, rule: SchemaRule) {
    this.root = root;
    this.rule = rule;
  }

  whole(): JsonObject {
    const schema = this.node(this.root, { depth: 0, open: ['#'], top: true });
    if (!isObjectKind(schema)) return { type: 'object' };
    if (!this.hasDefinitions) return schema;
    const definitions = ['$defs', 'definitions'].flatMap((key): [string, Json][] => {
      const kept = this.members(this.root[key], { depth: 0, open: [], top: false });
      return Object.keys(kept).length === 0 ? [] : [[key, kept]];
    });
    return { ...schema, ...Object.fromEntries(definitions) };
  }

  private node(schema: Json | undefined, place: Place): JsonObject {
    if (!isObject(schema)) return place.top ? { type: 'object' } : {};
    if (place.depth > this.rule.depth) return opened(schema);
    this.nodes += 1;
    const own = this.keywords(schema, place);
    const referred = schema['$ref'] === undefined ? own : this.withReferred(own, schema['$ref'], place);
    const joined = this.withAll(referred, listOf(schema['allOf']).filter(isObject), place);
    return place.top && isObjectKind(joined) ? this.atTop(joined) : joined;
  }

  private withReferred(own: JsonObject, reference: Json, place: Place): JsonObject {
    if (typeof reference !== 'string') return own;
    if (place.top || !this.rule.references || !this.isDefinition(reference)) {
      return both(own, this.referred(reference, place));
    }
    this.hasDefinitions = true;
    return { $ref: reference, ...own };
  }

  private withAll(own: JsonObject, branches: readonly JsonObject[], place: Place): JsonObject {
    if (branches.length === 0) return own;
    if (place.top || !takes(this.rule, 'allOf')) {
      return branches.reduce((joined, branch) => both(joined, this.node(branch, place)), own);
    }
    return { ...own, allOf: branches.map((branch) => this.node(branch, deeper(place))) };
  }

  /** What a reference stands for; open where that is elsewhere, nowhere, or where it came from. */
  private referred(reference: string, place: Place): JsonObject {
    const target = this.find(reference);
    if (target === undefined) return {};
    this.references += 1;
    const isTooMuch = this.references > mostReferences || this.nodes > mostNodes;
    if (isTooMuch || place.open.includes(reference)) return opened(target);
    return this.node(target, { ...place, open: [...place.open, reference] });
  }

  private isDefinition(reference: string): boolean {
    return /^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference) && this.find(reference) !== undefined;
  }

  /** By a JSON pointer into the same schema. */
  private find(reference: string): JsonObject | undefined {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    let found: Json | undefined = this.root;
    for (const step of reference.split('/').slice(1)) {
      const name = stepName(step);
      if (Array.isArray(found)) found = found[Number(name)];
      else found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return isObject(found) ? found : undefined;
  }

  private keywords(schema: JsonObject, place: Place): JsonObject {
    const kept = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      if (dropped.has(keyword)) return [];
      if (keyword === 'anyOf' || keyword === 'oneOf') return this.union(keyword, value, schema, place);
      if (keyword === 'if') return this.condition(schema);
      const cast = this.keyword(keyword, value, schema, place);
      return cast === undefined ? [] : [[keyword, cast]];
    });
    return this.withItems(schema, Object.fromEntries(kept), place);
  }

  /** Older drafts write a list of schemas as `items`; and "no further items" is a count. */
  private withItems(schema: JsonObject, cast: JsonObject, place: Place): JsonObject {
    const { items, prefixItems } = schema;
    if (Array.isArray(items) && prefixItems === undefined) {
      return { ...cast, prefixItems: items.map((entry) => this.node(entry, deeper(place))) };
    }
    if (items !== false) return cast;
    const most = listOf(prefixItems).length;
    const given = cast['maxItems'];
    return { ...cast, maxItems: typeof given === 'number' ? Math.min(given, most) : most };
  }

  /** The value of a keyword, or nothing where it isn't one that the keyword can have. */
  private keyword(keyword: string, value: Json, schema: JsonObject, place: Place): Json | undefined {
    if (texts.has(keyword)) return typeof value === 'string' ? value : undefined;
    if (numbers.has(keyword)) return typeof value === 'number' ? value : undefined;
    if (counts.test(keyword)) return typeof value === 'number' && value >= 0 ? value : undefined;
    if (lists.has(keyword)) return Array.isArray(value) && value.length > 0 ? value : undefined;
    if (members.has(keyword)) return isObject(value) ? this.members(value, place) : undefined;
    switch (keyword) {
      case 'type':
        return knownTypes(value);
      case 'required':
        return Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : undefined;
      case 'additionalProperties':
        return typeof value === 'boolean' || !isObject(value) ? booleanOf(value) : this.node(value, deeper(place));
      case 'items':
        return isObject(value) ? this.node(value, deeper(place)) : undefined;
      case 'prefixItems':
        return Array.isArray(value) ? value.map((entry) => this.node(entry, deeper(place))) : undefined;
      case 'propertyNames':
        return isObject(value) ? this.node(value, deeper(place)) : undefined;
      case 'contains':
        return this.exact(value) ?? (schema['maxContains'] === undefined ? this.node(value, deeper(place)) : undefined);
      case 'not':
        return this.exact(value);
      case 'pattern':
        return isPattern(value) ? value : undefined;
      default:
        return value;
    }
  }

  /** A property that is never right needs no word: without it there is one rule less. */
  private members(value: Json | undefined, place: Place): JsonObject {
    const known = Object.entries(objectOf(value)).filter(([, schema]) => schema !== false);
    return Object.fromEntries(known.map(([name, schema]) => [name, this.node(schema, deeper(place))]));
  }

  /** "Exactly one" is told from "any" only where its kinds stay what they are; beside another union it is dropped otherwise. */
  private union(keyword: 'anyOf' | 'oneOf', value: Json, schema: JsonObject, place: Place): [string, Json][] {
    const branches = listOf(value).filter((branch) => branch !== false);
    if (branches.length === 0) return [];
    const becomesObject = place.top && !this.rule.topUnions;
    const inner = becomesObject ? place : deeper(place);
    const cast = branches.map((branch) => this.node(branch, inner));
    if (keyword === 'anyOf') return [['anyOf', cast]];
    const isExact = !becomesObject && this.exact(branches) !== undefined && shapeOf(cast) === shapeOf(branches);
    if (isExact) return [['oneOf', cast]];
    return listOf(schema['anyOf']).length > 0 ? [] : [['anyOf', cast]];
  }

  private condition(schema: JsonObject): [string, Json][] {
    const parts = ['if', 'then', 'else'].filter((keyword) => schema[keyword] !== undefined);
    const values = parts.map((keyword) => this.exact(schema[keyword]));
    if (!values.every((value) => value !== undefined)) return [];
    return parts.map((keyword, index) => [keyword, values[index] ?? {}]);
  }

  /** A schema that has to stay as it is, because a wider one in its place would make the whole narrower. */
  private exact(value: Json | undefined): Json | undefined {
    if (value === undefined || typeof value === 'boolean') return undefined;
    return hasReference(value) ? undefined : value;
  }

  /** The arguments are an object, whatever else the schema says; where there is no union at the top, it becomes one object. */
  private atTop(schema: JsonObject): JsonObject {
    if (this.rule.topUnions) return { ...schema, type: 'object' };
    const { anyOf, not: _not, enum: _enum, const: _const, if: _if, then: _then, else: _else, ...plain } = schema;
    const base: JsonObject = { ...plain, type: 'object' };
    const kinds = listOf(anyOf).map(objectOf).filter(isObjectKind);
    if (kinds.length === 0) return base;
    const joined = both(base, eitherObject(kinds));
    const hint = alternatives(kinds);
    if (hint === undefined) return joined;
    const { description } = joined;
    return { ...joined, description: typeof description === 'string' ? `${description} ${hint}` : hint };
  }
}

/** Whether it can be an object at all. */
function isObjectKind({ type }: JsonObject): boolean {
  return type === undefined || typesOf(type).includes('object');
}

function deeper(place: Place): Place {
  return { depth: place.depth + 1, open: place.open, top: false };
}

function stepName(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step; // a stray percent sign stands for itself
  }
}

/** What is known of a schema without looking into it. */
function opened(schema: JsonObject): JsonObject {
  const type = knownTypes(schema['type'] ?? null);
  const { description } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function knownTypes(value: Json): Json | undefined {
  const known = typesOf(value).filter((type) => types.has(type));
  if (known.length === 0 || known.length !== (Array.isArray(value) ? value.length : 1)) return undefined;
  return known.length === 1 ? known[0] : known;
}

function booleanOf(value: Json): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function isPattern(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false; // the engine's word for "no pattern"
  }
}

function hasReference(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasReference);
  return isObject(value) && Object.entries(value).some(([key, entry]) => key.startsWith('$') || hasReference(entry));
}
