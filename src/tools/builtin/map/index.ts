import type { Mapper } from '../../needs.ts';
import { defineTool, type Deferral, type Tool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { description } from './description.ts';
import { makeMap, mostTokens } from './execute.ts';
import { schema } from './schema.ts';

export function createMapTool(mapper: Mapper, deferral: Deferral): Tool {
  return defineTool({
    name: 'map',
    description,
    input: schema,
    idempotent: true,
    atOnce: 1,
    deferral,
    keywords: ['symbols', 'definitions', 'overview', 'structure', 'repository'],
    // A line of code has about four characters in a token; where it has more, the end is cut.
    resultLimit: mostTokens * 6,
    effects: (_, context) => effectsOnFile('.', ['read'], context),
    execute: (args, context) => makeMap(mapper, args, context),
    summary: ({ query = '', paths = [] }) => ['map', query, ...paths].filter((word) => word !== '').join(' '),
  });
}
