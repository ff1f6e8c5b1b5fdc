/** What defines a check by convention: the tests that it runs, and the settings of the programs that it starts. */
import { basename, normalize } from 'node:path';
import type { Check } from '../../core/index.ts';
import { wordsOf } from '../command-words.ts';
import { commandsOf, programs, settingOptions, testFiles, type CheckProgram } from '../programs/index.ts';
import { onlyLooks, searchFrom } from './definers.ts';

export type Watches = NonNullable<Check['watches']>;

/** Programs that start others, or say and do nothing that matters. */
const harmless = new Set('cd echo printf true : set export npm pnpm yarn bun npx env time timeout'.split(' '));

/** Of a program that nobody knows it may be thought that it runs tests. */
export function watchesOf(command: string, workspace: string): Watches {
  const { commands } = searchFrom(command, workspace);
  const known = commands.flatMap(programsIn);
  const isTesting = known.some(({ kind }) => kind === 'tests') || commands.some(hasUnknown);
  const settings = isTesting && known.length === 0 ? programs.filter(({ kind }) => kind === 'tests') : known;
  return {
    tests: isTesting ? [...testFiles] : [],
    configuration: [
      ...new Set([...settings.flatMap(({ configuration }) => configuration), ...commands.flatMap(settingFiles)]),
    ],
  };
}

/** Files that a check names as settings, or as what runs before it. */
function settingFiles(command: string): string[] {
  const line = commandsOf(command);
  if ('doubt' in line) return [];
  const checks = line.commands.filter((words) => programsIn(words.join(' ')).length > 0);
  const named = checks.flatMap((words) =>
    words.flatMap((word, index) => {
      if (!settingOptions.test(word)) return [];
      return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? []);
    }),
  );
  return named.map((path) => normalize(path)).filter((path) => /^[^-.*?][^*?]*\.\w+$|^\.\w+$/.test(path));
}

function programsIn(command: string): CheckProgram[] {
  return wordsOf(command).flatMap((word) => {
    const after = command.slice(command.indexOf(word) + word.length).trim();
    const entry = programs.find((each) => each.names.includes(basename(word)) && (each.arguments?.test(after) ?? true));
    return entry === undefined ? [] : [entry];
  });
}

function hasUnknown(command: string): boolean {
  if (onlyLooks(command, wordsOf(command))) return false;
  const line = commandsOf(command);
  if ('doubt' in line) return programsIn(command).length === 0;
  return line.commands.some((words) => {
    const name = basename(words[0] ?? '');
    return !harmless.has(name) && !onlyLooks(words.join(' '), words) && programsIn(words.join(' ')).length === 0;
  });
}
