import type { CallOutcome } from '../../../core/index.ts';
import type { Searcher } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';

export interface FindArguments {
  glob: string;
  path?: string;
  limit?: number;
}

const usualLimit = 100;
const mostLimit = 1_000;

export async function find(searcher: Searcher, args: FindArguments, context: ToolContext): Promise<CallOutcome> {
  const { glob, path: asked = '.', limit = usualLimit } = args;
  if (glob === '') return failed('glob is empty. Nothing was searched.');
  if (limit < 1 || limit > mostLimit)
    return failed(`limit: must be 1 to ${mostLimit}, got ${limit}. Nothing was searched.`);
  const path = await context.files.resolve(asked, 'read');
  if (isRefusal(path)) return failed(`${visible(asked)}: ${path.refused}.`);
  const found = await searcher.find({ glob, path, limit }, context.signal);
  if (isRefusal(found)) return failed(found.refused);
  const notes = found.incomplete === undefined ? [] : [`[Not all was searched: ${visible(found.incomplete)}.]`];
  const where = visible(context.files.display(path));
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
