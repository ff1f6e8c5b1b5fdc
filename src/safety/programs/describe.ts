/** From the table to what one simple command would do. */
import { normalize } from 'node:path/posix';
import type { Findings, Invocation, Place, Word } from './invocation.ts';
import { checkAssignments } from './assignments.ts';
import { findProgram } from './data/index.ts';
import { logic } from './logic/index.ts';
import { applyOptions, applyWords, meaning } from './apply.ts';
import { acts, names, parseOptions } from './options.ts';
import { checkRedirections } from './redirections.ts';
import { Report } from './report.ts';
import type { Program } from './table.ts';

/** Folders in which a program of a known name is the system's. */
const systemFolders = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$|^\/opt\/homebrew\/bin\/([^/]+)$/;

/** What one simple command would do, by the table. Never throws. */
export function describe(invocation: Invocation, place: Place): Findings {
  const report = new Report(invocation, place);
  checkRedirections(report);
  checkAssignments(report);
  const [program, ...words] = invocation.words;
  if (program !== undefined) describeProgram(report, program, words);
  const { findings } = report;
  if (findings.effects.length > 1) findings.effects = findings.effects.filter((effect) => effect !== 'read');
  return findings;
}

function describeProgram(report: Report, program: Word, words: Word[]): void {
  if (program.text === null || program.isPattern === true) {
    report.doubt(`which program ${program.source} is can’t be told`);
    return;
  }
  const system = systemFolders.exec(program.text.startsWith('/') ? normalize(program.text) : program.text);
  const name = system?.[1] ?? system?.[2] ?? program.text;
  if (name.includes('/')) {
    report.word('program', program, 'the shell');
    return;
  }
  const known = findProgram(name);
  if (known === undefined) report.doubt(`${name} is no known program`);
  else apply(report, known, name, words, false);
}

/** What a program with these words would do. `name`: for reasons, with its sub-command (`git log`). */
function apply(report: Report, program: Program, name: string, words: Word[], isCommand: boolean): void {
  if (isHelp(program, words, isCommand)) return;
  const look = lookOf(program, name, words);
  if (look !== undefined) return apply(report, { helps: '', ...look }, name, words, isCommand);
  for (const effect of program.effects ?? []) report.effect(effect, `${name} ${program.why ?? meaning[effect]}`);
  if (program.effects?.includes('network') === true) program.hosts?.forEach((host) => report.host(host));
  const run = program.logic === undefined ? undefined : logic[program.logic];
  if (run !== undefined) {
    const next = (other: Program, otherName: string, otherWords: Word[]) =>
      apply(report, other, otherName, otherWords, true);
    run({ report, program, name, words, apply: next });
  } else if (program.commands === undefined) applyWords(report, program, name, parseOptions(program, name, words));
  else applyCommand(report, program, name, words);
}

/** The form of it that only looks, if it is given in that: `git clean -n`. */
function lookOf(program: Program, name: string, words: readonly Word[]): Program | undefined {
  return Object.entries(program.looks ?? {}).find(([list, look]) => {
    const { options, doubts } = parseOptions(look, name, words);
    const isGiven = options.some((option) => names(list).includes(option.name));
    return isGiven && doubts.length === 0 && !options.some(acts);
  })?.[1];
}

function isHelp(program: Program, words: readonly Word[], isCommand: boolean): boolean {
  const helps = names(program.helps ?? (isCommand ? '--help' : '--help --version'));
  return (
    words.length > 0 &&
    words.every(({ text, isPattern }) => text !== null && isPattern !== true && helps.includes(text))
  );
}

/** Options before the sub-command are the program's; behind it they are the sub-command's and the program's. */
function applyCommand(report: Report, program: Program, name: string, words: Word[]): void {
  const parsed = parseOptions({ ...program, stops: true }, name, words);
  const [command, ...rest] = parsed.words;
  applyOptions(report, program, name, parsed);
  if (command === undefined) {
    if (program.alone !== undefined) apply(report, program.alone, name, [], true);
    return;
  }
  const known =
    command.text === null || command.isPattern === true || !Object.hasOwn(program.commands ?? {}, command.text)
      ? undefined
      : program.commands?.[command.text];
  if (known !== undefined) {
    const helps = known.helps ?? program.commandHelps;
    apply(report, helps === undefined ? known : { ...known, helps }, `${name} ${command.text}`, rest, true);
  } else if (program.other !== undefined) apply(report, program.other, name, parsed.words, true);
  else report.doubt(`${command.source} is no known sub-command of ${name}`);
}
