/** Step 2: do the arguments fit the schema? As they stand: nothing is coerced, nothing filled in. */
import type { ParseError } from 'jsonc-parser';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FailureKind, Json, JsonObject } from '../../core/index.ts';
import { messageOf } from '../outcome.ts';
import { headOf, nearestFirst, tailOf, visible } from '../text/index.ts';
import type { Tool } from '../tool.ts';

const problemsShown = 8;
const valueShown = 80;
const namesShown = 20;
const excerptShown = 60;

/** A compiled schema. */
interface Check {
  Errors(value: unknown): [boolean, TLocalizedValidationError[]];
}

export interface Misfit {
  refused: string;
  failed: FailureKind;
}

export interface Validator {
  /** Says what is wrong with arguments, `found` before included, or nothing. Compiles a tool's schema when it is first called. */
  validate(tool: Tool, args: JsonObject, found?: readonly string[]): Promise<Misfit | undefined>;
  /** Compiles schemas before they are needed. Rejects for one that can't be. */
  warm(tools: readonly Tool[]): Promise<void>;
}

export function createValidator(): Validator {
  const compiled = new WeakMap<Tool, Check>();
  const checkOf = async (tool: Tool): Promise<Check> => {
    // Loaded with the first call: a run without calls doesn't pay for it.
    const { Compile } = await import('typebox/schema');
    const check = compiled.get(tool) ?? Compile(tool.input);
    compiled.set(tool, check);
    return check;
  };
  return {
    validate: async (tool, args, found = []) => {
      try {
        const check = compiled.get(tool) ?? (await checkOf(tool));
        const [valid, errors] = check.Errors(args);
        return misfit(tool, valid ? found : [...found, ...problemsOf(errors, tool, args)]);
      } catch (error) {
        const refused = `The schema of ${tool.name} can’t be used, so nothing was run: ${messageOf(error)}`;
        return { refused, failed: 'internal' };
      }
    },
    warm: async (tools) => {
      for (const tool of tools) await checkOf(tool);
    },
  };
}

/** The error for arguments with these problems; nothing where there are none. */
export function misfit(tool: Tool, problems: readonly string[]): Misfit | undefined {
  if (problems.length === 0) return undefined;
  const shown = problems.slice(0, problemsShown).map((problem) => `- ${problem}`);
  const more = problems.length > shown.length ? [`- and ${problems.length - shown.length} more`] : [];
  const lines = [
    `The arguments of ${tool.name} don’t fit its schema; nothing was run:`,
    ...shown,
    ...more,
    'Send the call again with this corrected.',
  ];
  return { refused: lines.join('\n'), failed: 'schema' };
}

function problemsOf(errors: TLocalizedValidationError[], tool: Tool, args: JsonObject): string[] {
  const said = errors.filter(({ keyword }) => keyword !== 'boolean');
  // A `false` is said by the keyword that holds it, where one does.
  const telling = said.length > 0 ? said : errors;
  return [...new Set(telling.flatMap((error) => describe(error, tool, args)))];
}

function describe(error: TLocalizedValidationError, tool: Tool, args: JsonObject): string[] {
  const path = pathOf(error.instancePath);
  const inside = path === '' ? '' : `${path}.`;
  const properties = propertiesAt(tool, error.schemaPath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => `${inside}${name}: missing${expectation(properties[name])}`);
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const names =
        'additionalProperties' in error.params ? error.params.additionalProperties : error.params.unevaluatedProperties;
      return names.map((name) => `${inside}${visible(String(name))}: unknown${known(properties, String(name))}`);
    }
    case 'boolean':
      return [`${path === '' ? 'arguments' : path}: not allowed here`];
    case 'enum':
      return [
        `${path === '' ? 'arguments' : path}: must be one of ${choices(error.params.allowedValues)}, got ${valueAt(args, error.instancePath)}`,
      ];
    default:
      return [`${path === '' ? 'arguments' : path}: ${error.message}, got ${valueAt(args, error.instancePath)}`];
  }
}

/** The keys of a JSON pointer. */
function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON pointer as people write a path. */
function pathOf(pointer: string): string {
  return visible(keysOf(pointer).join('.'));
}

/** What stands at a JSON pointer. */
function at(root: Json, pointer: string): Json | undefined {
  return keysOf(pointer).reduce<Json | undefined>((value, key) => {
    const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return holds ? (Reflect.get(value, key) as Json) : undefined;
  }, root);
}

/** The properties that the schema at a place declares. */
function propertiesAt({ input }: Tool, schemaPath: string): JsonObject {
  const schema = at(input, schemaPath);
  return isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
}

function expectation(schema: Json | undefined): string {
  if (!isObject(schema)) return '';
  const { type, description } = schema;
  const words = [typeof type === 'string' ? type : '', typeof description === 'string' ? `(${description})` : ''];
  const text = words.filter((word) => word !== '').join(' ');
  return text === '' ? '' : `, expected ${text}`;
}

function choices(values: readonly unknown[]): string {
  const more = values.length > namesShown ? `, and ${values.length - namesShown} more` : '';
  return `${values
    .slice(0, namesShown)
    .map((value) => JSON.stringify(value))
    .join(', ')}${more}`;
}

/** The names that would have been right, the nearest first. */
function known(properties: JsonObject, wanted: string): string {
  const names = nearestFirst(Object.keys(properties), wanted);
  if (names.length === 0) return '';
  const more = names.length > namesShown ? `, and ${names.length - namesShown} more` : '';
  return `; known are, nearest first, ${names.slice(0, namesShown).join(', ')}${more}`;
}

/** What stands at a JSON pointer, shortened, with its type where it isn't plain to see. */
function valueAt(args: JsonObject, pointer: string): string {
  const value = at(args, pointer);
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > valueShown ? `${visible(headOf(json, valueShown))}... (${typeof value})` : visible(json);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error for arguments that are no JSON object: where they break, and the way out. */
export async function malformedText(name: string, raw: string): Promise<string> {
  const again = 'Nothing was run. Send the call again with whole, valid JSON; if it was cut, in smaller parts.';
  if (raw.trim() === '') return `The arguments of ${name} were empty, not a JSON object. ${again}`;
  const place = await placeOfError(raw);
  if (place === undefined) return `The arguments of ${name} were valid JSON but no object. ${again}`;
  const before = visible(tailOf(raw.slice(0, place), excerptShown));
  const after = visible(headOf(raw.slice(place), excerptShown / 3));
  const problem =
    after === ''
      ? `they end in the middle, after ${raw.length} characters: “...${before}”.`
      : `at character ${place + 1}, where “...${before}” is followed by “${after}...”.`;
  return `The arguments of ${name} weren’t valid JSON: ${problem} ${again}`;
}

/** The place at which a text stops being JSON; undefined if it is JSON. */
async function placeOfError(raw: string): Promise<number | undefined> {
  try {
    JSON.parse(raw);
    return undefined;
  } catch {
    // Its message doesn't always say where, so the place comes from a parser that goes on after errors.
    const { parse } = await import('jsonc-parser');
    const errors: ParseError[] = [];
    parse(raw, errors, { disallowComments: true, allowTrailingComma: false });
    return errors[0]?.offset ?? raw.length;
  }
}
