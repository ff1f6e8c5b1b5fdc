/**
 * Tools as a provider takes them: names in its characters, each once, and schemas in its dialect. One that can't be cast is left out
 * by name.
 */
import type { Json, JsonObject, ToolSpec } from '../../core/index.ts';
import { isObject } from '../reply.ts';
import { castName, type NameRule } from './call-ids.ts';
import { castSchema } from './schema-cast.ts';
import type { SchemaRule } from './schema-dialect.ts';
import type { LeftOut } from '../wire.ts';

/** What a provider takes of tools. Rules are constants: what was cast by one is kept for the next request. */
export interface ToolRule {
  name: NameRule & {
    /** What the first character must be, if that is narrower. */
    first?: RegExp;
  };
  /** What a property may be called, at any depth of a schema, if not everything. */
  property?: RegExp;
  schema: SchemaRule;
}

export interface CastTool {
  /** The name as it is sent. */
  name: string;
  description: string;
  /** The schema as it is sent. */
  input: JsonObject;
  spec: ToolSpec;
}

export interface CastTools {
  tools: CastTool[];
  leftOut: LeftOut[];
}

export interface ToolNames {
  /** The name as it is sent; one that no tool has is cast by itself. */
  sent(name: string): string;
  /** The tool's own name; one that wasn't sent stays as it is. */
  own(sent: string): string;
}

type Known<T> = WeakMap<readonly ToolSpec[], WeakMap<ToolRule, T>>;

const knownTools: Known<CastTools> = new WeakMap();
const knownAll: Known<CastTools> = new WeakMap();
const knownNames: Known<ToolNames> = new WeakMap();

/** The tools that the model is told of. Deferred ones are among them only for a provider that keeps them out of sight by itself. */
export function castTools(tools: readonly ToolSpec[], rule: ToolRule, withDeferred = false): CastTools {
  if (withDeferred) return once(knownAll, tools, rule, () => castAll(tools, tools, rule));
  return once(knownTools, tools, rule, () => castAll(tools.filter(isTold), tools, rule));
}

function isTold({ deferred }: ToolSpec): boolean {
  return deferred !== true;
}

export function toolNames(tools: readonly ToolSpec[], rule: ToolRule): ToolNames {
  return once(knownNames, tools, rule, () => {
    const sent = sentNames(tools, rule);
    const bySent = new Map([...sent].map(([name, cast]) => [cast, name]));
    return {
      sent: (name) => sent.get(name) ?? legalName(name, rule),
      own: (name) => bySent.get(name) ?? name,
    };
  });
}

/** Names are cast among all tools, deferred or not: a call of a deferred one may go back to a provider that isn’t told of it. */
function castAll(tools: readonly ToolSpec[], all: readonly ToolSpec[], rule: ToolRule): CastTools {
  const names = toolNames(all, rule);
  const cast: CastTool[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const spec of tools) {
    const result = seen.has(spec.name) ? { why: 'Another tool has the same name.' } : castInput(spec, rule);
    seen.add(spec.name);
    if ('why' in result) leftOut.push({ tool: spec.name, why: result.why });
    else cast.push({ name: names.sent(spec.name), description: spec.description, input: result.schema, spec });
  }
  return { tools: cast, leftOut };
}

function castInput({ input }: ToolSpec, { schema, property }: ToolRule): ReturnType<typeof castSchema> {
  const cast = castSchema(input, schema);
  const illegal = property === undefined || 'why' in cast ? undefined : illegalProperty(cast.schema, property);
  if (illegal === undefined) return cast;
  return { why: `Its argument "${illegal}" has a name that this provider doesn’t take.` };
}

/** The first name of a property, at any depth, that isn’t of this form. */
function illegalProperty(schema: Json, form: RegExp): string | undefined {
  if (Array.isArray(schema))
    return schema.map((part) => illegalProperty(part, form)).find((name) => name !== undefined);
  if (!isObject(schema)) return undefined;
  const { properties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.find((name) => !form.test(name)) ?? illegalProperty(Object.values(schema), form);
}

/** A name that is right as it is stays with its tool; the others follow in their order. */
function sentNames(tools: readonly ToolSpec[], rule: ToolRule): Map<string, string> {
  const names = [...new Set(tools.map(({ name }) => name))];
  const used = new Set(names.filter((name) => legalName(name, rule) === name));
  return new Map(names.map((name) => [name, used.has(name) ? name : unusedName(name, rule, used)]));
}

function unusedName(name: string, rule: ToolRule, used: Set<string>): string {
  const legal = legalName(name, rule);
  let sent = legal;
  for (let copy = 2; used.has(sent); copy += 1) {
    const suffix = `_${copy}`;
    sent = `${legal.slice(0, rule.name.longest - suffix.length)}${suffix}`;
  }
  used.add(sent);
  return sent;
}

function legalName(name: string, { name: rule }: ToolRule): string {
  const legal = castName(name, rule);
  const isBegun = rule.first === undefined || rule.first.test(legal.slice(0, 1));
  return isBegun ? legal : `_${legal}`.slice(0, rule.longest);
}

function once<T>(known: Known<T>, tools: readonly ToolSpec[], rule: ToolRule, make: () => T): T {
  const byRule = known.get(tools) ?? new WeakMap<ToolRule, T>();
  known.set(tools, byRule);
  const value = byRule.get(rule) ?? make();
  byRule.set(rule, value);
  return value;
}
