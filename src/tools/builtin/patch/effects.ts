import { isProblem, parsePatch } from '../../edits/index.ts';
import type { Effects } from '../../needs.ts';
import { isRefusal } from '../../outcome.ts';
import { visible } from '../../text/index.ts';
import type { AnalysisContext } from '../../tool.ts';

/** Every file that the patch names. One that can't be read as a patch touches nothing: it only ends in an error. */
export async function effectsOfPatch({ patch }: { patch: string }, { files }: AnalysisContext): Promise<Effects> {
  const parsed = parsePatch(patch);
  if (isProblem(parsed)) return { effects: ['read'], resources: [] };
  const effects: Effects = { effects: ['read', 'write'], resources: [] };
  const resources: Exclude<Effects['resources'], 'unknown'> = [];
  for (const operation of parsed.operations) {
    const target = operation.kind === 'update' ? operation.target : undefined;
    for (const { path, line } of target === undefined ? [operation] : [operation, target]) {
      const real = await files.resolve(path, 'write');
      if (isRefusal(real)) {
        return { ...effects, refused: `line ${line} of the patch, ${visible(path)}: ${real.refused}` };
      }
      resources.push({ access: 'write', path: real });
    }
  }
  return { ...effects, resources };
}
