import type { CallOutcome } from '../../../core/index.ts';
import { isProblem, parsePatch } from '../../edits/index.ts';
import { failed } from '../../outcome.ts';
import type { ToolContext } from '../../tool.ts';
import { commit } from './commit.ts';
import { planPatch } from './plan.ts';
import { applied, stopped } from './report.ts';

export async function applyPatch({ patch }: { patch: string }, context: ToolContext): Promise<CallOutcome> {
  const parsed = parsePatch(patch);
  if (isProblem(parsed)) return failed(`${parsed.problem}\nNothing was changed.`);
  const plans = await planPatch(parsed.operations, context);
  if (isProblem(plans)) return failed(`${plans.problem}\nNo file was changed.`);
  if (context.signal.aborted) return failed('No file was changed.');
  const result = await commit(plans, context.files, context.signal);
  return 'hashes' in result ? applied(plans, result.hashes) : stopped(result);
}
