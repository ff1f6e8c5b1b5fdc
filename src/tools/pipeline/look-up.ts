/** Step 1: is there such a tool? */
import type { Refusal } from '../needs.ts';
import type { Registry } from '../registry.ts';
import { cutLine, nearestFirst, visible } from '../text/index.ts';
import type { Tool } from '../tool.ts';

const namesShown = 30;

export function lookUp(registry: Registry, name: string): Tool | Refusal {
  const tool = registry.get(name);
  if (tool !== undefined) return tool;
  const names = nearestFirst(registry.names(), name);
  const more = names.length > namesShown ? `, and ${names.length - namesShown} more` : '';
  return {
    refused: `There is no tool "${cutLine(visible(name), 100)}"; nothing was run. The tools are, nearest first: ${names.slice(0, namesShown).join(', ')}${more}.`,
  };
}
