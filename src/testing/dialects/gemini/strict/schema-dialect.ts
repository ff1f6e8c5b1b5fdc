/** Checks the schema of a function’s parameters in both forms: the provider's own dialect of OpenAPI, and JSON Schema. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import { asList, asText, isObject } from '../shape.ts';
import { unknownFields, type Findings } from './findings.ts';

/** All there is in the dialect, from the typings of the official SDK 3.3; what else JSON Schema has is refused by its name. */
const dialectFields = [
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'default',
  'example',
  'enum',
  'anyOf',
  'properties',
  'propertyOrdering',
  'required',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
];
const dialectTypes = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];
const stringFormats = ['enum', 'date-time'];

/** The parameters as a whole: an object that has at least one property. */
export function* checkDialectParameters(schema: Json, where: string): Findings {
  if (isObject(schema) && asText(schema['type']).toUpperCase() !== 'OBJECT') {
    yield { rule: 'tools', message: `* GenerateContentRequest.${where}: schema should be of type OBJECT` };
  }
  yield* checkDialect(schema, where);
}

function* checkDialect(schema: Json, where: string): Findings {
  if (!isObject(schema)) {
    yield { rule: 'tools', message: `Invalid value at '${where}': an object is expected.` };
    return;
  }
  yield* unknownFields(schema, dialectFields, where, 'tools');
  const { type } = schema;
  if (Array.isArray(type)) {
    const message = `Invalid JSON payload received. Unknown name "type" at '${where}': Proto field is not repeating, cannot start list.`;
    yield { rule: 'tools', message };
  } else if (type !== undefined && !dialectTypes.includes(asText(type).toUpperCase())) {
    yield { rule: 'tools', message: `Invalid value at '${where}.type'` };
  }
  yield* checkValues(schema, where);
  yield* checkDialectProperties(schema, where);
  if (schema['items'] !== undefined) yield* checkDialect(schema['items'], `${where}.items`);
  else if (asText(type).toUpperCase() === 'ARRAY') {
    yield { rule: 'tools', message: `* GenerateContentRequest.${where}.items: missing field.` };
  }
  for (const [index, inner] of asList(schema['anyOf']).entries()) {
    yield* checkDialect(inner, `${where}.any_of[${index}]`);
  }
}

function* checkValues({ type, enum: values, format }: JsonObject, where: string): Findings {
  const isString = asText(type).toUpperCase() === 'STRING';
  if (values !== undefined) {
    const areTexts = Array.isArray(values) && values.every((value) => typeof value === 'string' && value !== '');
    if (!areTexts) yield { rule: 'tools', message: `Invalid value at '${where}.enum' (TYPE_STRING)` };
    else if (!isString) {
      yield { rule: 'tools', message: `* GenerateContentRequest.${where}.enum: only allowed for STRING type` };
    }
  }
  if (isString && format !== undefined && !stringFormats.includes(asText(format))) {
    const message = `* GenerateContentRequest.${where}.format: only 'enum' and 'date-time' are supported for STRING type`;
    yield { rule: 'tools', message };
  }
}

function* checkDialectProperties(schema: JsonObject, where: string): Findings {
  const { type, properties, required } = schema;
  const named = isObject(properties) ? properties : {};
  if (properties !== undefined && !isObject(properties)) {
    yield { rule: 'tools', message: `Invalid value at '${where}.properties'` };
  }
  if (asText(type).toUpperCase() === 'OBJECT' && Object.keys(named).length === 0) {
    const message = `* GenerateContentRequest.${where}.properties: should be non-empty for OBJECT type`;
    yield { rule: 'tools', message };
  }
  for (const [index, name] of asList(required).entries()) {
    if (typeof name === 'string' && Object.hasOwn(named, name)) continue;
    yield { rule: 'tools', message: `* GenerateContentRequest.${where}.required[${index}]: property is not defined` };
  }
  for (const [name, inner] of Object.entries(named)) yield* checkDialect(inner, `${where}.properties[${name}]`);
}

/** JSON Schema of an object, as far as mistakes are likely: properties, required and items at any depth. */
export function* checkJsonSchemaParameters(schema: Json, where: string): Findings {
  if (!isObject(schema) || schema['type'] !== 'object') {
    yield { rule: 'tools', message: `* GenerateContentRequest.${where}: schema must describe an object` };
    return;
  }
  yield* checkJsonSchema(schema, where);
}

function* checkJsonSchema(schema: Json, where: string): Findings {
  const invalid = { rule: 'tools', message: `* GenerateContentRequest.${where}: JSON schema is invalid.` } as const;
  if (typeof schema === 'boolean') return;
  if (!isObject(schema)) {
    yield invalid;
    return;
  }
  const { properties, required, items } = schema;
  if (properties !== undefined && !isObject(properties)) yield invalid;
  const named = Array.isArray(required) && required.every((name) => typeof name === 'string');
  if (required !== undefined && !named) yield invalid;
  for (const [name, inner] of Object.entries(isObject(properties) ? properties : {})) {
    yield* checkJsonSchema(inner, `${where}.properties[${name}]`);
  }
  if (items !== undefined) yield* checkJsonSchema(items, `${where}.items`);
}
