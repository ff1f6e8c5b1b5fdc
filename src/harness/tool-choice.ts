/** The joint between the tools that there are and those that settings or a command line name. */
import type { LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import type { Tool } from '../tools/index.ts';

/** Exactly the tools that were asked for, all where none were. Throws `tool-unknown` for a name that no tool has. */
export function chosenTools(tools: readonly Tool[], { settings, origins }: LoadedSettings): Tool[] {
  const { tools: names } = settings;
  if (names === undefined) return [...tools];
  const known = [...new Set(tools.map(({ name }) => name))].toSorted();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const { file, line = 1 } = origins['tools'] ?? {};
    const place = file === undefined ? '' : `${file}:${line}: `;
    const which = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new ReinsError('tool-unknown', `${place}There is no tool ${which} here. There are ${known.join(', ')}.`);
  }
  // What was named is told of, also where it is only understood otherwise.
  return tools
    .filter(({ name }) => names.includes(name))
    .map((tool): Tool => (tool.deferral === 'untold' ? { ...tool, deferral: 'never' } : tool));
}

/** Whether a tool takes part at all, as far as settings say. */
export function takesPart({ settings: { tools } }: Pick<LoadedSettings, 'settings'>, name: string): boolean {
  return tools === undefined || tools.includes(name);
}
