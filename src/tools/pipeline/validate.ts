/** Step 2: do the arguments fit the schema? As they stand: nothing is coerced, nothing filled in. */
import type { ParseError } from 'jsonc-parser';
import type { TLocalizedValidationError } from 'typebox/error';
import type { JsonObject } from '../../core/index.ts';
import { headOf, tailOf, visible } from '../text/index.ts';
import type { Tool } from '../tool.ts';

const problemsShown = 8;
const valueShown = 80;
const excerptShown = 60;

/** A compiled schema. */
interface Check {
  Errors(value: unknown): [boolean, TLocalizedValidationError[]];
}

export interface Validator {
  /** Says what is wrong with arguments, or nothing. Compiles a tool's schema when it is first called. */
  validate(tool: Tool, args: JsonObject): Promise<string | undefined>;
  /** Compiles schemas before they are needed. */
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
    validate: async (tool, args) => {
      const check = compiled.get(tool) ?? (await checkOf(tool));
      const [valid, errors] = check.Errors(args);
      return valid ? undefined : explain(errors, tool, args);
    },
    warm: async (tools) => {
      for (const tool of tools) await checkOf(tool);
    },
  };
}

function explain(errors: TLocalizedValidationError[], tool: Tool, args: JsonObject): string {
  const problems = [...new Set(errors.flatMap((error) => describe(error, tool, args)))];
  const shown = problems.slice(0, problemsShown).map((problem) => `- ${problem}`);
  const more = problems.length > shown.length ? [`- and ${problems.length - shown.length} more`] : [];
  return [
    `The arguments of ${tool.name} don’t fit its schema; nothing was run:`,
    ...shown,
    ...more,
    'Send the call again with this corrected.',
  ].join('\n');
}

function describe(error: TLocalizedValidationError, tool: Tool, args: JsonObject): string[] {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const inside = path === '' ? '' : `${path}.`;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => {
        const expected = path === '' ? expectation(tool, name) : '';
        return `${inside}${name}: missing${expected}`;
      });
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const names =
        'additionalProperties' in error.params ? error.params.additionalProperties : error.params.unevaluatedProperties;
      const known = path === '' ? `; known are ${Object.keys(propertiesOf(tool)).join(', ')}` : '';
      return names.map((name) => `${inside}${visible(String(name))}: unknown${known}`);
    }
    // Said by the keyword that holds the `false`.
    case 'boolean':
      return [];
    default:
      return [`${path === '' ? 'arguments' : path}: ${error.message}, got ${valueAt(args, error.instancePath)}`];
  }
}

function propertiesOf(tool: Tool): JsonObject {
  const { properties } = tool.input;
  return isObject(properties) ? properties : {};
}

function expectation(tool: Tool, name: string): string {
  const schema = propertiesOf(tool)[name];
  if (!isObject(schema)) return '';
  const { type, description } = schema;
  const words = [typeof type === 'string' ? type : '', typeof description === 'string' ? `(${description})` : ''];
  const text = words.filter((word) => word !== '').join(' ');
  return text === '' ? '' : `, expected ${text}`;
}

/** What stands at a JSON pointer, shortened, with its type where it isn't plain to see. */
function valueAt(args: JsonObject, pointer: string): string {
  let value: unknown = args;
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isObject(value) || Array.isArray(value) ? Reflect.get(value, name) : undefined;
  }
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
  const at = await placeOfError(raw);
  if (at === undefined) return `The arguments of ${name} were valid JSON but no object. ${again}`;
  const before = visible(tailOf(raw.slice(0, at), excerptShown));
  const after = visible(headOf(raw.slice(at), excerptShown / 3));
  const problem =
    after === ''
      ? `they end in the middle, after ${raw.length} characters: “...${before}”.`
      : `at character ${at + 1}, where “...${before}” is followed by “${after}...”.`;
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
