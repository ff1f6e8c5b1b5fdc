/**
 * Tools as a provider takes them: names in its characters, each once, and schemas in its dialect. One that can't be cast is left out
 * by name.
 */
import type { JsonObject, ToolSpec } from '../../core/index.ts';
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
const knownNames: Known<ToolNames> = new WeakMap();

export function castTools(tools: readonly ToolSpec[], rule: ToolRule): CastTools {
  return once(knownTools, tools, rule, () => castAll(tools, rule));
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

function castAll(tools: readonly ToolSpec[], rule: ToolRule): CastTools {
  const names = toolNames(tools, rule);
  const cast: CastTool[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const spec of tools) {
    const result = seen.has(spec.name)
      ? { why: 'Another tool has the same name.' }
      : castSchema(spec.input, rule.schema);
    seen.add(spec.name);
    if ('why' in result) leftOut.push({ tool: spec.name, why: result.why });
    else cast.push({ name: names.sent(spec.name), description: spec.description, input: result.schema, spec });
  }
  return { tools: cast, leftOut };
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
