/** Searches in a process of its own, as its arguments say, and prints the answer: [workspace, options, request]. */
import { createSearcher } from '../../src/exec/index.ts';

const [workspace = '', options = '{}', request = '{}'] = process.argv.slice(2);
const searcher = createSearcher({ workspace, environment: {}, ...(JSON.parse(options) as object) });
const asked = { path: workspace, pattern: 'foo', limit: 100, ...(JSON.parse(request) as object) };
console.log(JSON.stringify(await searcher.search(asked, new AbortController().signal)));
