/** Step 4: what would the call do, and to what? */
import type { JsonObject } from '../../core/index.ts';
import type { Effects } from '../needs.ts';
import { messageOf } from '../outcome.ts';
import type { AnalysisContext, Tool } from '../tool.ts';

/** A tool that can't say what it would do isn't run. */
export async function analyse(
  tool: Tool,
  args: JsonObject,
  context: AnalysisContext,
): Promise<Effects | { failed: string }> {
  try {
    return await tool.effects(args, context);
  } catch (error) {
    return { failed: `${tool.name} failed to say what it would do, so it wasn’t run: ${messageOf(error)}` };
  }
}

/** Whether a call with these effects leaves every file as it is. */
export function onlyReads({ effects, resources }: Effects): boolean {
  const declared = resources !== 'unknown' && resources.every(({ access }) => access === 'read');
  return declared && effects.every((effect) => effect === 'read' || effect === 'network');
}
