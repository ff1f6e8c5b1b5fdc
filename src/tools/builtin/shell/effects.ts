import type { CommandAnalysis, Effect } from '../../../core/index.ts';
import type { CommandAnalyser, Effects } from '../../needs.ts';
import type { ShellArguments } from './arguments.ts';

/** What the command would do, in the folder that it would start in. What isn't a plain read may touch anything, so it runs alone. */
export async function effectsOf(
  { command, background, terminal }: ShellArguments,
  folder: string,
  analyser: CommandAnalyser | undefined,
): Promise<Effects> {
  const unknown: Effects = { effects: ['execute'], resources: 'unknown', command, confined: true };
  if (analyser === undefined) return unknown;
  const analysis = await analyser.analyse(command, folder);
  const effects = unionOf(analysis);
  const told: Effects = { ...unknown, effects, analysis };
  const onlyReads = effects.every((effect) => effect === 'read');
  // A job goes on beside others, and what follows a change of the folder begins there.
  const isAlone = background !== undefined || terminal === true || mayChangeFolder(analysis);
  return onlyReads && !isAlone ? { ...told, resources: [{ access: 'read', path: folder }] } : told;
}

/** Reading is said only where there is nothing else. */
function unionOf({ parts, unclear }: CommandAnalysis): Effect[] {
  const effects = new Set(parts.flatMap((part) => part.effects));
  if (unclear !== undefined) effects.add('cannot-tell');
  effects.delete('read');
  return effects.size === 0 ? ['read'] : [...effects];
}

function mayChangeFolder({ parts }: CommandAnalysis): boolean {
  return parts.some(({ words: [program] }) => program === 'cd' || program === 'pushd' || program === 'popd');
}
