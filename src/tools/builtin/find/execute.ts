import type { CallOutcome } from '../../../core/index.ts';
import type { Searcher } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { unknownArgument } from '../file-access.ts';
import { whereShown } from '../searched-place.ts';

export interface FindArguments {
  glob: string;
  path?: string;
  limit?: number;
}

const usualLimit = 100;
const mostLimit = 1_000;

export async function find(searcher: Searcher, args: FindArguments, context: ToolContext): Promise<CallOutcome> {
  const { glob, path: asked = '.', limit = usualLimit } = args;
  const problem = problemOf(args);
  if (problem !== undefined) return failed(`${problem}. Nothing was searched.`);
  const path = await context.files.resolve(asked, 'read');
  if (isRefusal(path)) return failed(`${visible(asked)}: ${path.refused}.`);
  const found = await searcher.find({ glob, path, limit }, context.signal);
  if (isRefusal(found)) return failed(`Nothing was searched: ${visible(found.refused)}.`);
  const notes = found.incomplete === undefined ? [] : [`[Not all was searched: ${visible(found.incomplete)}.]`];
  const where = whereShown(context.files.display(path));
  if (found.total === 0) {
    return {
      outcome: 'ok',
      text: [`No file in ${where} matches ${visible(glob)}. Ignored files are left out.`, ...notes].join('\n'),
    };
  }
  const left = found.total - found.lines.length;
  const rest = left > 0 ? [`[${count(left, 'more file')} of ${found.total}; narrow the glob or raise limit.]`] : [];
  return { outcome: 'ok', text: [...found.lines.map(visible), ...rest, ...notes].join('\n') };
}

function problemOf(args: FindArguments): string | undefined {
  const { glob, limit = usualLimit } = args;
  if (glob === '') return 'glob is empty';
  if (limit < 1 || limit > mostLimit) return `limit: must be 1 to ${mostLimit}, got ${limit}`;
  return unknownArgument(args, ['glob', 'path', 'limit']);
}
