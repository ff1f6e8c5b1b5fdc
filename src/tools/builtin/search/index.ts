import type { Searcher } from '../../needs.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { description } from './description.ts';
import { search } from './execute.ts';
import { schema } from './schema.ts';

export function createSearchTool(searcher: Searcher): Tool {
  return defineTool({
    name: 'search',
    description,
    input: schema,
    idempotent: true,
    keywords: ['grep', 'ripgrep', 'rg', 'regex', 'code', 'text'],
    effects: ({ path = '.' }, context) => effectsOnFile(path, ['read'], context),
    execute: (args, context) => search(searcher, args, context),
    summary: ({ pattern, path = '.' }) => `search ${path} for ${pattern}`,
  });
}
