import type { CallOutcome } from '../../../core/index.ts';
import type { Found, Searcher, SearchRequest } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { unknownArgument } from '../file-access.ts';
import { whereShown } from '../searched-place.ts';

export interface SearchArguments {
  pattern: string;
  path?: string;
  glob?: string;
  type?: string;
  ignore_case?: boolean;
  context?: number;
  multiline?: boolean;
  output?: 'lines' | 'files' | 'counts';
  limit?: number;
}

const usualLimit = 100;
const mostLimit = 1_000;
const mostContext = 20;

export async function search(searcher: Searcher, args: SearchArguments, context: ToolContext): Promise<CallOutcome> {
  const problem = problemOf(args);
  if (problem !== undefined) return failed(`${problem}. Nothing was searched.`);
  const asked = args.path ?? '.';
  const path = await context.files.resolve(asked, 'read');
  if (isRefusal(path)) return failed(`${visible(asked)}: ${path.refused}.`);
  const found = await searcher.search(requestOf(args, path), context.signal);
  if (isRefusal(found)) return failed(`Nothing was searched: ${visible(found.refused)}.`);
  return { outcome: 'ok', text: textOf(found, args, whereShown(context.files.display(path))) };
}

const known = 'pattern path glob type ignore_case context multiline output limit'.split(' ');

function problemOf(args: SearchArguments): string | undefined {
  const { pattern, limit = usualLimit, context = 0 } = args;
  if (pattern === '') return 'pattern is empty';
  if (limit < 1 || limit > mostLimit) return `limit: must be 1 to ${mostLimit}, got ${limit}`;
  if (context < 0 || context > mostContext) return `context: must be 0 to ${mostContext} lines, got ${context}`;
  return unknownArgument(args, known);
}

function requestOf(args: SearchArguments, path: string): SearchRequest {
  const { pattern, glob, type, ignore_case: ignoreCase, context, multiline, output, limit = usualLimit } = args;
  return {
    pattern,
    path,
    limit,
    ...(glob !== undefined && { glob }),
    ...(type !== undefined && { type }),
    ...(ignoreCase !== undefined && { ignoreCase }),
    ...(context !== undefined && { context }),
    ...(multiline !== undefined && { multiline }),
    ...(output !== undefined && { output }),
  };
}

function textOf(found: Found, args: SearchArguments, where: string): string {
  const notes = found.incomplete === undefined ? [] : [`[Not all was searched: ${visible(found.incomplete)}.]`];
  if (found.total === 0) return [emptyText(args, where), ...notes].join('\n');
  const lines = found.lines.map(visible);
  const { output = 'lines', limit = usualLimit } = args;
  const what = output === 'lines' ? 'matching line' : output === 'files' ? 'file' : 'count';
  const left = found.total - Math.min(found.total, limit);
  if (left === 0) return [...lines, ...notes].join('\n');
  const rest = `[${count(left, what)} of ${found.total} in ${count(found.files, 'file')} left out; narrow it by path, glob or type, or raise limit.]`;
  return [...lines, rest, ...notes].join('\n');
}

/** What may be the cause, for whoever expected something. */
function emptyText({ glob, type, ignore_case: ignoreCase }: SearchArguments, where: string): string {
  const narrowed = [
    glob === undefined ? '' : ` matching ${visible(glob)}`,
    type === undefined ? '' : ` of type ${visible(type)}`,
  ];
  const causes = ['Ignored files are left out'];
  if (ignoreCase !== true) causes.push('case counts unless ignore_case is set');
  return `No match in ${where}${narrowed.join('')}. ${causes.join('; ')}.`;
}
