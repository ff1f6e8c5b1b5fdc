/** The options of a run that say what proves the work. */
import type { RunSettings } from '../../harness/index.ts';
import { contractFrom } from './contract-file.ts';
import { UsageError, valueIn, type Arguments, type OptionSpec } from './arguments.ts';

const checkOption: OptionSpec = {
  name: 'check',
  value: 'COMMAND',
  many: true,
  about: 'A command that proves the work; several are all run. none: do without proof.',
};

export const proofOptions: readonly OptionSpec[] = [
  checkOption,
  { name: 'contract', value: 'FILE', about: 'A scope contract: what the run may change, and what accepts its work.' },
  { name: 'goal', value: 'TEXT', about: 'What a judge, a model that sees evidence and no claims, must find met.' },
  {
    name: 'allow-test-changes',
    about: 'What defines a check may be changed in this run: tests, scripts, configuration.',
  },
];

export function proofFrom(parsed: Arguments): Pick<RunSettings, 'checks' | 'allowTestChanges' | 'goal' | 'contract'> {
  const contract = valueIn(parsed, 'contract');
  const checks = checksFrom(parsed);
  const goal = valueIn(parsed, 'goal');
  if (goal?.trim() === '') throw new UsageError('--goal needs words that say what is to be reached.');
  return {
    ...(checks !== undefined && { checks }),
    ...(goal !== undefined && { goal }),
    ...(contract !== undefined && { contract: contractFrom(contract) }),
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
