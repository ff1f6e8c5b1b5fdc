/** The examples of a rule, tried: a rule that doesn’t mean what its author says isn’t loaded. */
import type { CommandAnalysis } from '../core/index.ts';
import { compileRule, type CompiledRule } from './compile.ts';
import type { JudgedCall } from './needs.ts';
import { partsOf } from './part.ts';
import type { PolicyPlaces } from './places.ts';
import type { CallRule } from './rule.ts';
import { covers, touches } from './rules.ts';

export interface Trial extends PolicyPlaces {
  /** Takes a command line apart as it would be in the workspace. */
  analyse: (command: string) => Promise<CommandAnalysis | undefined>;
}

/** What is wrong, by the first example that fails. Examples are command lines. */
export async function exampleProblem(rule: CallRule, trial: Trial): Promise<string | undefined> {
  const { match = [], differ = [] } = rule.examples ?? {};
  if (match.length === 0 && differ.length === 0) return undefined;
  const compiled = compileRule(rule, '');
  for (const command of match) {
    if (!(await fits(compiled, command, trial)))
      return `The rule ${compiled.text} does not fit its own example ${JSON.stringify(command)}.`;
  }
  for (const command of differ) {
    if (await fits(compiled, command, trial)) {
      return `The rule ${compiled.text} fits ${JSON.stringify(command)}, which its examples say it must not.`;
    }
  }
  return undefined;
}

/** An allow fits a line if it covers each part of it, a deny or ask if it touches one. */
async function fits(rule: CompiledRule, command: string, trial: Trial): Promise<boolean> {
  const analysis = await trial.analyse(command);
  const call: JudgedCall = {
    tool: 'shell',
    arguments: { command },
    effects: { effects: ['execute'], resources: 'unknown', command, ...(analysis !== undefined && { analysis }) },
  };
  const parts = partsOf(call);
  if (rule.effect === 'allow') return parts.every((part) => covers(rule, part, trial));
  return parts.some((part) => touches(rule, part, trial) !== undefined);
}
