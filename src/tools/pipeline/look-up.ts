/** Step 1: is there such a tool? */
import type { Refusal } from '../needs.ts';
import type { Registry } from '../registry.ts';
import { cutLine, nearestFirst, visible } from '../text/index.ts';
import type { Tool } from '../tool.ts';

export function lookUp(registry: Registry, name: string): Tool | Refusal {
  const tool = registry.get(name);
  if (tool !== undefined) return tool;
  const names = nearestFirst(registry.names(), name).join(', ');
  return {
    refused: `There is no tool "${cutLine(visible(name), 100)}"; nothing was run. The tools are, nearest first: ${names}.`,
  };
}
