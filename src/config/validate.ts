/** Compares a settings file with the schema and says, for each place that doesn't fit, what was expected. Loaded only when a file exists. */
import type { Node } from 'jsonc-parser';
import { Check } from 'typebox/schema';
import { nearest } from './nearest.ts';
import { propertiesOf, valueOf, type Parsed } from './parse.ts';
import type { Problem } from './problem.ts';
import { quoted } from './quote.ts';
import { settingsSchema, userOnlyKeys } from './schema.ts';

/** The part of JSON Schema that the settings use. */
interface Schema {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly errorMessage?: string;
}

/** Whose file it is: one that the command line names is the user's as well. */
type FileOrigin = 'user' | 'project' | 'command-line';

interface Place {
  path: string;
  position: Parsed['position'];
  problems: Problem[];
}

/** `isProfile`: the file is a profile, which is settings but for the choice of a profile. */
export function problemsOf(
  root: Node,
  position: Parsed['position'],
  { from, isProfile }: { from: FileOrigin; isProfile: boolean },
): Problem[] {
  const problems: Problem[] = [];
  check(root, settingsSchema as Schema, { path: '', position, problems });
  if (isProfile) refuseNested(root, position, problems);
  if (from === 'project') refuseUserOnly(root, position, problems);
  if (problems.length === 0 && !Check(settingsSchema, valueOf(root))) {
    problems.push({ ...position(root.offset), key: '', text: 'The settings don’t fit their schema.' });
  }
  return problems;
}

/** One profile stands above another nowhere, so that each can be read by itself. */
function refuseNested(root: Node, position: Parsed['position'], problems: Problem[]): void {
  for (const { name, key } of propertiesOf(root)) {
    if (name !== 'profile') continue;
    problems.push({ ...position(key.offset), key: name, text: 'A profile can’t choose another profile.' });
  }
}

function refuseUserOnly(root: Node, position: Parsed['position'], problems: Problem[]): void {
  const refuse = (node: Node, key: string, text: string) =>
    problems.push({ ...position(node.offset), key, text, untrusted: true });
  const usersOwn = 'Only the user’s own settings may have this key.';
  for (const { name, key, value } of propertiesOf(root)) {
    if (name === 'mode' && value?.value === 'unsafe') refuse(key, name, 'A project can’t choose the mode unsafe.');
    if (userOnlyKeys.includes(name)) refuse(key, name, usersOwn);
    for (const phase of name === 'phases' && value !== undefined ? propertiesOf(value) : []) {
      const model = phase.value && propertiesOf(phase.value).find((property) => property.name === 'model');
      if (model !== undefined) refuse(model.key, join(join(name, phase.name), 'model'), usersOwn);
    }
  }
}

function check(node: Node, schema: Schema, place: Place): void {
  const branch = schema.anyOf?.find((each) => each.type === node.type) ?? schema;
  if (node.type === 'object' && branch.type === 'object') return checkObject(node, branch, place);
  if (node.type === 'array' && branch.type === 'array') return checkArray(node, branch, place);
  if (Check(schema, valueOf(node))) return;
  // Headers, addresses and commands may hold secrets, which must not end up in a message.
  const isSecret = /^(endpoint|proxy|providers)\b/.test(place.path);
  report(node, isSecret ? String(schema.errorMessage) : `${schema.errorMessage} Found ${found(node)}.`, place);
}

function found(node: Node): string {
  if (node.type === 'object') return 'an object';
  if (node.type === 'array') return 'a list';
  return quoted(node.value);
}

function report(node: Node, text: string, { path, position, problems }: Place): void {
  problems.push({ ...position(node.offset), key: path, text });
}

function checkArray(node: Node, schema: Schema, place: Place): void {
  const items = node.children ?? [];
  const { items: item, ...itself } = schema;
  const wrong = items.length === 0 ? 'It is empty.' : 'It is too long.';
  if (!Check(itself, valueOf(node))) report(node, `${schema.errorMessage} ${wrong}`, place);
  if (item === undefined) return;
  items.forEach((child, index) => check(child, item, { ...place, path: `${place.path}[${index}]` }));
}

function checkObject(node: Node, schema: Schema, place: Place): void {
  const seen = new Set<string>();
  for (const { name, key, value } of propertiesOf(node)) {
    const inner = { ...place, path: join(place.path, name) };
    if (seen.has(name)) report(key, 'This key is there twice.', inner);
    seen.add(name);
    const expected = schemaFor(name, schema);
    if (typeof expected === 'string') report(key, expected, inner);
    else if (value !== undefined) check(value, expected, inner);
  }
  const missing = (schema.required ?? []).filter((name) => !seen.has(name));
  if (missing.length > 0) report(node, `Expected also: ${missing.join(', ')}.`, place);
}

/** Keys that hold anything but plain names are quoted, so that a message stays one line. */
function join(path: string, name: string): string {
  const shown = /^[\w$-]+$/.test(name) ? name : quoted(name);
  return path === '' ? shown : `${path}.${shown}`;
}

/** The schema of a property, or what is wrong with its name. */
function schemaFor(name: string, schema: Schema): Schema | string {
  const properties = schema.properties ?? {};
  if (Object.hasOwn(properties, name)) return properties[name] ?? {};
  if (typeof schema.additionalProperties === 'object') {
    const { propertyNames } = schema;
    if (propertyNames !== undefined && !Check(propertyNames, name)) return String(propertyNames.errorMessage);
    return schema.additionalProperties;
  }
  const near = nearest(name, Object.keys(properties));
  const hint =
    near === undefined
      ? `Known are: ${Object.keys(properties)
          .filter((each) => each !== '$schema')
          .join(', ')}.`
      : `Did you mean ${near}?`;
  return `This key is unknown. ${hint}`;
}
