/** The tools of a session by name. */
import { ReinsError, type ToolSpec } from '../core/index.ts';
import { findToolsName, useToolName } from './deferral/index.ts';
import { definitionProblem } from './definition.ts';
import type { Tool } from './tool.ts';

export interface Registry {
  get(name: string): Tool | undefined;
  /** In the order of `specs`. */
  names(): string[];
  /** What the model is told, sorted by name, so that the same set gives the same bytes. */
  specs(): ToolSpec[];
}

export interface RegistryOptions {
  /** Names of tools that are defined twice on purpose: of these the later one counts, and the earlier is gone. */
  replace?: readonly string[];
}

/**
 * Throws `usage-arguments` for a bad definition, for two tools of one name unless that is to be replaced, and for a name to be replaced
 * that isn't there twice.
 */
export function createRegistry(tools: readonly Tool[], options: RegistryOptions = {}): Registry {
  const taken = tools.find(({ name }) => name === findToolsName || name === useToolName);
  if (taken !== undefined) {
    throw new ReinsError('usage-arguments', `"${taken.name}" is a tool of Reins itself. Give yours another name.`);
  }
  return registryOf(tools, options.replace ?? []);
}

/** Tools that have been looked at: a set of tools is made into more than one registry. */
const sound = new WeakSet<Tool>();

/** The same with the tools of deferral among them. */
export function registryOf(tools: readonly Tool[], replace: readonly string[] = []): Registry {
  const byName = new Map<string, Tool>();
  const replaced = new Set<string>();
  for (const tool of tools) {
    const problem = sound.has(tool) ? undefined : definitionProblem(tool);
    if (problem !== undefined) throw new ReinsError('usage-arguments', problem);
    sound.add(tool);
    const { name } = tool;
    if (byName.has(name) && (!replace.includes(name) || replaced.has(name))) throw clash(name, replace);
    if (byName.has(name)) replaced.add(name);
    byName.set(name, tool);
  }
  const missing = replace.find((name) => !replaced.has(name));
  if (missing !== undefined) {
    const why = byName.has(missing) ? 'only one tool has this name' : 'no tool has this name';
    throw new ReinsError('usage-arguments', `"${missing}" can’t be replaced: ${why}.`);
  }
  const names = [...byName.keys()].toSorted();
  return {
    get: (name) => byName.get(name),
    names: () => [...names],
    specs: () => names.flatMap((name) => byName.get(name) ?? []).map(specOf),
  };
}

/** What the model is told of a tool. That further arguments are refused it isn't: no model makes any up, and each tool would pay for the words. */
export function specOf({ name, description, input, text }: Tool): ToolSpec {
  const { additionalProperties, ...open } = input;
  return {
    name,
    description,
    input: additionalProperties === false ? open : input,
    ...(text !== undefined && { text }),
  };
}

function clash(name: string, replace: readonly string[]): ReinsError {
  if (replace.includes(name)) return new ReinsError('usage-arguments', `Three tools are called "${name}".`);
  const way = 'Give one another name, or list the name under replace if the later is to take the place of the earlier.';
  return new ReinsError('usage-arguments', `Two tools are called "${name}". ${way}`);
}
