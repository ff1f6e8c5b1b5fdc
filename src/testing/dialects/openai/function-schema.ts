/** Checks the parameters of a function: JSON Schema as far as mistakes are likely, and what the structured mode asks for. */
import type { Json, JsonObject } from '../../../core/index.ts';
import { asList, isObject } from './shape.ts';
import type { Findings } from './findings.ts';

/** `strict` asks for the structured mode: every property required, no others allowed, at any depth. */
export function* checkParameters(name: string, parameters: Json | undefined, strict: boolean): Findings {
  const fault = (place: string[], what: string) => {
    const context = `In context=(${place.map((key) => `'${key}'`).join(', ')})`;
    return { rule: 'tools', message: `Invalid schema for function '${name}': ${context}, ${what}` } as const;
  };
  if (!isObject(parameters) || parameters['type'] !== 'object') {
    yield fault([], 'schema must be a JSON Schema of \'type: "object"\'.');
    return;
  }
  const unusable = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((key) => parameters[key] !== undefined);
  if (unusable !== undefined) yield fault([], `'${unusable}' is not permitted at the top level.`);
  yield* checkSchema(parameters, [], strict, fault);
}

type Fault = (place: string[], what: string) => { rule: 'tools'; message: string };

function* checkSchema(schema: JsonObject, place: string[], strict: boolean, fault: Fault): Findings {
  const { properties, required, items, type, anyOf } = schema;
  if (properties !== undefined && !isObject(properties)) yield fault(place, "'properties' must be an object.");
  const names = Array.isArray(required) && required.every((key) => typeof key === 'string');
  if (required !== undefined && !names) yield fault(place, "'required' must be an array of strings.");
  if (strict && type === 'object') yield* checkStructured(schema, place, fault);
  if (type === 'array' && items === undefined) yield fault(place, 'array schema missing items.');
  if (items !== undefined && typeof items !== 'boolean' && !isObject(items)) {
    yield fault(place, "'items' must be a schema.");
  }
  for (const [key, inner] of Object.entries(isObject(properties) ? properties : {})) {
    if (isObject(inner)) yield* checkSchema(inner, [...place, 'properties', key], strict, fault);
    else if (typeof inner !== 'boolean') yield fault([...place, 'properties', key], 'it must be a schema.');
  }
  if (isObject(items)) yield* checkSchema(items, [...place, 'items'], strict, fault);
  for (const [index, inner] of asList(anyOf).entries()) {
    if (isObject(inner)) yield* checkSchema(inner, [...place, 'anyOf', String(index)], strict, fault);
  }
}

function* checkStructured(schema: JsonObject, place: string[], fault: Fault): Findings {
  if (schema['additionalProperties'] !== false) {
    yield fault(place, "'additionalProperties' is required to be supplied and to be false.");
  }
  const { properties } = schema;
  const optional = Object.keys(isObject(properties) ? properties : {}).find(
    (key) => !asList(schema['required']).includes(key),
  );
  if (optional === undefined) return;
  yield fault(
    place,
    `'required' is required to be supplied and to be an array including every key in properties. Missing '${optional}'.`,
  );
}
