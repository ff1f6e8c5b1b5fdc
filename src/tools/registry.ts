/** The tools of a session by name. */
import { ReinsError, type ToolSpec } from '../core/index.ts';
import type { Tool } from './tool.ts';

export interface Registry {
  get(name: string): Tool | undefined;
  /** In the order of `specs`. */
  names(): string[];
  /** What the model is told, sorted by name, so that the same set gives the same bytes. */
  specs(): ToolSpec[];
}

const validName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws `usage-arguments` for a bad or repeated name, an empty description, or arguments that are no object. */
export function createRegistry(tools: readonly Tool[]): Registry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    check(tool);
    if (byName.has(tool.name)) {
      throw new ReinsError('usage-arguments', `Two tools are called "${tool.name}".`);
    }
    byName.set(tool.name, tool);
  }
  const names = [...byName.keys()].toSorted();
  return {
    get: (name) => byName.get(name),
    names: () => [...names],
    specs: () =>
      names.flatMap((name) => {
        const tool = byName.get(name);
        return tool === undefined ? [] : [{ name, description: tool.description, input: tool.input }];
      }),
  };
}

function check({ name, description, input }: Tool): void {
  if (!validName.test(name)) {
    throw new ReinsError('usage-arguments', `"${name}" can't be the name of a tool: 1 to 64 of a-z A-Z 0-9 _ -.`);
  }
  if (description.trim() === '') throw new ReinsError('usage-arguments', `The tool "${name}" has no description.`);
  if (input['type'] !== 'object') {
    throw new ReinsError('usage-arguments', `The arguments of the tool "${name}" must be a schema of type object.`);
  }
}
