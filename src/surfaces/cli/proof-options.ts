/** The options of a run that say what proves the work. */
import type { RunSettings } from '../../harness/index.ts';
import { UsageError, type Arguments, type OptionSpec } from './arguments.ts';

const checkOption: OptionSpec = {
  name: 'check',
  value: 'COMMAND',
  many: true,
  about: 'A command that proves the work; several are all run. none: do without proof.',
};

export const proofOptions: readonly OptionSpec[] = [
  checkOption,
  {
    name: 'allow-test-changes',
    about: 'What defines a check may be changed in this run: tests, scripts, configuration.',
  },
];

export function proofFrom(parsed: Arguments): Pick<RunSettings, 'checks' | 'allowTestChanges'> {
  const checks = checksFrom(parsed);
  return {
    ...(checks !== undefined && { checks }),
    ...(parsed.options.has('allow-test-changes') && { allowTestChanges: true }),
  };
}

export function checksFrom(parsed: Arguments): RunSettings['checks'] {
  const commands = parsed.options.get('check');
  if (commands === undefined) return undefined;
  if (commands.some((each) => each.trim() === '')) throw new UsageError('--check needs a command, or none.');
  if (!commands.includes('none')) return [...new Set(commands)];
  if (commands.length > 1) throw new UsageError('--check none stands alone: either the work is checked or it isn’t.');
  return 'waived';
}
