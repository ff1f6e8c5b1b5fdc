/** Two arguments that every call may carry, though no tool declares them: how the call is to be run. */
import type { Json, JsonObject } from '../../core/index.ts';
import { headOf, visible } from '../text/index.ts';
import type { Tool } from '../tool.ts';

export interface Controls {
  /** `wait_for_previous`: all calls before it in the reply are to be over first. */
  waits: boolean;
  /** `time_limit`, in milliseconds: less than the tool's own. */
  limit?: number;
  /** What is wrong with them, as the path and what was expected. */
  problems: string[];
}

const waitName = 'wait_for_previous';
const limitName = 'time_limit';

/** Takes them off the arguments, where they aren't the tool's own. */
export function takeControls({ input }: Tool, args: JsonObject): { arguments: JsonObject; controls: Controls } {
  const controls: Controls = { waits: false, problems: [] };
  const given = [waitName, limitName].filter((name) => Object.hasOwn(args, name) && !declares(input, name));
  if (given.length === 0) return { arguments: args, controls };
  const rest = Object.entries(args).filter(([name]) => !given.includes(name));
  if (given.includes(waitName)) takeWait(controls, args[waitName]);
  if (given.includes(limitName)) takeLimit(controls, args[limitName]);
  return { arguments: Object.fromEntries(rest), controls };
}

function takeWait(controls: Controls, value: Json | undefined): void {
  if (typeof value === 'boolean') controls.waits = value;
  else controls.problems.push(`${waitName}: must be boolean, got ${shown(value)}`);
}

function takeLimit(controls: Controls, value: Json | undefined): void {
  if (typeof value === 'number' && value > 0) controls.limit = value * 1000;
  else controls.problems.push(`${limitName}: must be a number of seconds above 0, got ${shown(value)}`);
}

function shown(value: Json | undefined): string {
  return visible(headOf(JSON.stringify(value) ?? 'nothing', 80));
}

/** What holds for a call that is made through another one: both may say something. */
export function joined(outer: Controls, inner: Controls): Controls {
  const limits = [outer.limit, inner.limit].filter((limit) => limit !== undefined);
  return {
    waits: outer.waits || inner.waits,
    problems: [...outer.problems, ...inner.problems],
    ...(limits.length > 0 && { limit: Math.min(...limits) }),
  };
}

/** A call can only shorten its limit. A tool that can't tell its limit is dealt with where it is executed. */
export function limitProblem(tool: Tool, args: JsonObject, { limit }: Controls): string[] {
  if (limit === undefined) return [];
  const own = ownLimit(tool, args);
  if (own === undefined || limit <= own) return [];
  return [`${limitName}: must be <= ${own / 1000}, the seconds that this call has, got ${limit / 1000}`];
}

function ownLimit(tool: Tool, args: JsonObject): number | undefined {
  try {
    return tool.timeout(args);
  } catch {
    return undefined;
  }
}

/** Where a schema is put together from others, these may declare it too. */
function declares(schema: Json | undefined, name: string): boolean {
  if (!isObject(schema)) return false;
  if (schema['$ref'] !== undefined) return true; // Not followed; what the model sent stays as it is.
  const { properties, allOf, anyOf, oneOf, then, else: otherwise } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  return [allOf, anyOf, oneOf, then, otherwise].flat().some((part) => declares(part, name));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
