import type { ToolSearch } from '../search.ts';
import { findToolsName } from '../names.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { descriptionFor } from './description.ts';
import { findTools } from './execute.ts';
import { schema } from './schema.ts';

/** Finds the tools that the model isn't told of at once. `told`: the names of those that it is. */
export function createFindTools(search: ToolSearch, told: readonly string[]): Tool {
  return defineTool({
    name: findToolsName,
    description: descriptionFor(search),
    input: schema,
    idempotent: true,
    deferral: 'never',
    effects: { effects: ['read'], resources: [] },
    execute: ({ query }) => findTools(query, search, told),
    summary: ({ query }) => `find tools for ${query}`,
  });
}
