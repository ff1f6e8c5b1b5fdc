import type { Fetcher } from '../../needs.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { description } from './description.ts';
import { fetchPage } from './execute.ts';
import { schema } from './schema.ts';

/** Beyond the fetcher's own limits of time: it says better than a time-out what went wrong. */
const timeout = 50_000;

export function createFetchTool(fetcher: Fetcher): Tool {
  return defineTool({
    name: 'fetch',
    description,
    input: schema,
    timeout,
    idempotent: true,
    // Each page may take a good piece of memory for a moment.
    atOnce: 3,
    deferral: 'auto',
    keywords: ['web', 'http', 'url', 'download', 'documentation', 'internet'],
    effects: ({ url }) => ({ effects: ['network'], resources: [], url }),
    execute: ({ url }, context) => fetchPage(fetcher, url, context),
    summary: ({ url }) => `fetch ${url}`,
  });
}
