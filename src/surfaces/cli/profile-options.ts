/** The options of a run that choose its settings: a profile, its tools, a settings file. */
import type { RunSettings } from '../../harness/index.ts';
import { UsageError, valueIn, type Arguments, type OptionSpec } from './arguments.ts';

export const profileOptions: readonly OptionSpec[] = [
  { name: 'profile', value: 'NAME', about: 'The profile; `reins profiles` lists them.' },
  { name: 'tools', value: 'A,B,C', about: 'Exactly these tools.' },
  { name: 'settings-from', value: 'FILE', about: 'A settings file for this run, over your own and the project’s.' },
];

export function profileFrom(parsed: Arguments): Pick<RunSettings, 'profile' | 'tools' | 'settingsFrom'> {
  const profile = valueIn(parsed, 'profile');
  const tools = valueIn(parsed, 'tools');
  const settingsFrom = valueIn(parsed, 'settings-from');
  if (profile?.trim() === '')
    throw new UsageError('--profile needs the name of a profile; `reins profiles` lists them.');
  if (settingsFrom?.trim() === '') throw new UsageError('--settings-from needs a settings file.');
  return {
    ...(profile !== undefined && { profile }),
    ...(tools !== undefined && { tools: toolsFrom(tools) }),
    ...(settingsFrom !== undefined && { settingsFrom }),
  };
}

function toolsFrom(value: string): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new UsageError('--tools needs names with commas between them, as in --tools read,shell.');
  return [...new Set(names)];
}
