/** Checks a value against the schema of scenarios and says what is wrong in words that name the key. */
import { Check } from 'typebox/schema';
import type { Fault } from './contradictions.ts';
import { scenarioSchema } from './schema.ts';

/** The part of JSON Schema that scenarios use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: { readonly [key: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The first fault of a value, or undefined when it is a scenario. */
export function findFault(value: unknown): Fault | undefined {
  return Check(scenarioSchema, value) ? undefined : locate(scenarioSchema, value, []);
}

/** Walks down to the first part that doesn't fit. Of a union, the branch that was meant is found first: the others say nothing. */
function locate(schema: Schema, value: unknown, path: Fault['path']): Fault {
  const meant = schema.anyOf ? branchMeant(schema.anyOf, value) : schema;
  if (!meant) return { path, message: `must be ${alternatives(schema.anyOf ?? [])}` };
  const inner = Array.isArray(value) ? badItem(meant, value, path) : badProperty(meant, value, path);
  return inner ?? { path, message: `must be ${expectation(meant)}` };
}

function badItem(schema: Schema, value: unknown[], path: Fault['path']): Fault | undefined {
  const { items } = schema;
  if (!items) return undefined;
  const index = value.findIndex((item) => !Check(items, item));
  return index < 0 ? undefined : locate(items, value[index], [...path, index]);
}

function badProperty(schema: Schema, value: unknown, path: Fault['path']): Fault | undefined {
  if (!isObject(value) || schema.type !== 'object') return undefined;
  for (const [key, item] of Object.entries(value)) {
    const inner = propertySchema(schema, key);
    if (inner === undefined) {
      const known = Object.keys(schema.properties ?? {}).join(', ');
      return { path: [...path, key], message: `is an unknown key; known here: ${known}` };
    }
    if (!Check(inner, item)) return locate(inner, item, [...path, key]);
  }
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key));
  return missing === undefined ? undefined : { path, message: `lacks the key ${missing}` };
}

function propertySchema({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The branch of a union whose kind, or whose telling key, the value has. */
function branchMeant(branches: readonly Schema[], value: unknown): Schema | undefined {
  const ofKind = branches.filter((branch) => branch.type === kindOf(value));
  if (!isObject(value) || ofKind.length < 2) return ofKind[0];
  return ofKind.find((branch) => branch.required?.some((key) => Object.hasOwn(value, key)));
}

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return value === null ? 'null' : typeof value;
}

const kinds: { [type: string]: string } = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function expectation(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  const kind = kinds[schema.type ?? ''] ?? 'something else';
  if ((schema.minLength ?? schema.minItems ?? 0) > 0) return `${kind} that isn’t empty`;
  const most = schema.maximum === undefined ? '' : ` and at most ${schema.maximum}`;
  return schema.minimum === undefined ? kind : `${kind} of at least ${schema.minimum}${most}`;
}

function alternatives(branches: readonly Schema[]): string {
  const keys = branches.flatMap((branch) => branch.required?.slice(0, 1) ?? []);
  if (keys.length > 0) return `an object with one of ${keys.join(', ')}`;
  return branches.map(expectation).join(' or ');
}
