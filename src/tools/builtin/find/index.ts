import type { Searcher } from '../../needs.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { description } from './description.ts';
import { find } from './execute.ts';
import { schema } from './schema.ts';

export function createFindTool(searcher: Searcher): Tool {
  return defineTool({
    name: 'find',
    description,
    input: schema,
    idempotent: true,
    keywords: ['glob', 'files', 'list', 'name', 'path'],
    effects: ({ path = '.' }, context) => effectsOnFile(path, ['read'], context),
    execute: (args, context) => find(searcher, args, context),
    summary: ({ glob, path = '.' }) => `find ${glob} in ${path}`,
  });
}
