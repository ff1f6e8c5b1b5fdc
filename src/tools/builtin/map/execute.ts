import type { CallOutcome } from '../../../core/index.ts';
import type { Mapper } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { unknownArgument } from '../file-access.ts';

export interface MapArguments {
  query?: string;
  paths?: string[];
  tokens?: number;
}

const fewestTokens = 128;
export const mostTokens = 8_192;

export async function makeMap(mapper: Mapper, args: MapArguments, context: ToolContext): Promise<CallOutcome> {
  const { query, paths: asked = [], tokens } = args;
  const problem = problemOf(args);
  if (problem !== undefined) return failed(`${problem}. No map was made.`);
  const paths: string[] = [];
  for (const path of asked) {
    const real = await context.files.resolve(path, 'read');
    if (isRefusal(real)) return failed(`${visible(path)}: ${real.refused}.`);
    const name = context.files.display(real);
    // All of it is meant in any case.
    if (name !== '.') paths.push(name);
  }
  const request = { paths, ...(query !== undefined && { query }), ...(tokens !== undefined && { tokens }) };
  return { outcome: 'ok', text: await mapper.map(request, context.signal) };
}

function problemOf(args: MapArguments): string | undefined {
  const { tokens = fewestTokens } = args;
  if (tokens < fewestTokens || tokens > mostTokens)
    return `tokens: must be ${fewestTokens} to ${mostTokens}, got ${tokens}`;
  return unknownArgument(args, ['query', 'paths', 'tokens']);
}
