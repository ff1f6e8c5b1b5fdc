/** From what the table says of a simple command to a part of the analysis. */
import type { CommandPart, TouchedPath } from '../../core/index.ts';
import { describe, type Findings, type Invocation, type Word } from '../programs/index.ts';
import { originsOfFile, union } from './origins.ts';
import type { Scope } from './scope.ts';
import { TooMuch, type AnalyserOptions, type Context, type Work } from './work.ts';

const partsAtMost = 1_000;

/** An invocation with what is known around it. */
export interface Call {
  text: string;
  invocation: Invocation;
  scope: Scope;
  context: Context;
}

/** What the shell itself does, without a program: the search path is nothing to it. */
const ofTheShell = new Set(
  ': . [ alias bg break builtin cd command continue declare dirs echo eval exec exit export false fg getopts hash help jobs kill let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);

/** Asks the table and adds the part. */
export async function addPart(work: Work, call: Call): Promise<Findings> {
  const found = ask(work, call);
  await addFindings(work, call, found);
  return found;
}

/** What the table says, without a part. */
export function ask({ options }: Work, { invocation, scope }: Call): Findings {
  return describe(invocation, { ...options.place, folder: scope.realFolder ?? options.place.workspace });
}

/** Adds a part that is known without the table. */
export async function addFindings(
  work: Work,
  { text, invocation, scope, context }: Call,
  findings: Findings,
): Promise<void> {
  if (work.parts.length >= partsAtMost) throw new TooMuch(`it has more than ${partsAtMost} parts`);
  const doubts = doubtsOf(work, invocation, scope);
  const { paths, doubt } = await placed(work, findings.paths, invocation.folder);
  const guesses = await placed(work, findings.guesses, invocation.folder);
  if (doubt !== undefined) doubts.push(doubt);
  const effects = [...new Set([...findings.effects, ...(doubts.length > 0 ? (['cannot-tell'] as const) : [])])];
  const acting = effects.filter((effect) => effect !== 'read');
  const reason = findings.reason ?? doubts[0];
  const codeFrom = await codeOrigins(work, findings, invocation, scope);
  const part: CommandPart = {
    text,
    words: invocation.words.map((word) => (word.isSeveral === true ? null : word.text)),
    effects: acting.length > 0 ? acting : ['read'],
    paths,
    ...(guesses.paths.length > 0 && { guesses: guesses.paths }),
    hosts: [...findings.hosts],
    inside: context.inside,
    ...(context.pipedFrom !== undefined && { pipedFrom: context.pipedFrom }),
    ...(codeFrom.length > 0 && { codeFrom: [...codeFrom] }),
    ...(reason !== undefined && acting.length > 0 && { reason }),
  };
  scope.origins.addPart(part, invocation, findings);
  work.parts.push(part);
}

/** The programs whose output it runs. */
async function codeOrigins(
  { options }: Work,
  { code, programs, runsInput }: Findings,
  invocation: Invocation,
  { origins }: Scope,
): Promise<readonly string[]> {
  const texts = code.map(({ leads = [] }) => leads);
  const files: (readonly string[])[] = [];
  for (const word of programs) files.push(await originsOfFile(word, invocation, origins, options));
  return union(...texts, ...files, runsInput === true ? (invocation.input.of ?? []) : []);
}

function doubtsOf({ options }: Work, { words: [program] }: Invocation, { doubt }: Scope): string[] {
  if (program === undefined) return [];
  const isOwn = program.text !== null && ofTheShell.has(program.text);
  const path = options.pathDoubt;
  const isAbsolute = program.text?.startsWith('/') === true;
  return [...(doubt === undefined ? [] : [doubt]), ...(path === undefined || isOwn || isAbsolute ? [] : [path])];
}

/** Its paths as absolute ones, and why one can't be. */
async function placed<Path extends TouchedPath>(
  { options }: Work,
  paths: readonly Path[],
  folder: string | null,
): Promise<{ paths: Path[]; doubt?: string }> {
  const known: Path[] = [];
  let doubt: string | undefined;
  for (const touched of paths) {
    const absolute = touched.path.startsWith('/')
      ? touched.path
      : folder === null
        ? undefined
        : `${folder}/${touched.path}`;
    if (absolute === undefined) {
      if (touched.access !== 'read') doubt ??= 'the folder that it runs in can’t be told';
      continue;
    }
    const [, fixed = absolute, pattern = ''] = /^((?:\/[^/*?[{]*(?=\/|$))*)([\s\S]*)$/.exec(absolute) ?? [];
    const real = await realPlace(options, fixed === '' ? '/' : fixed, touched, pattern === '');
    known.push({ ...touched, path: pattern === '' ? real : withPattern(real, pattern) });
  }
  return { paths: known, ...(doubt !== undefined && { doubt }) };
}

/** What is removed with all below it is a link itself, not what that leads to, unless a slash says so. */
async function realPlace(
  options: AnalyserOptions,
  path: string,
  { access, recursive }: TouchedPath,
  isWhole: boolean,
): Promise<string> {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  const isItself = isWhole && access === 'destroy' && recursive === true && !['', '.', '..'].includes(name);
  if (!isItself) return options.realPath(path);
  const folder = await options.realPath(at <= 0 ? '/' : path.slice(0, at));
  return `${folder === '/' ? '' : folder}/${name}`;
}

/** `..` behind a pattern leads at most as far up as it says. */
function withPattern(real: string, pattern: string): string {
  const parts = real === '/' ? [] : real.slice(1).split('/');
  for (const part of pattern.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function findings(more: Partial<Findings> = {}): Findings {
  return {
    effects: ['read'],
    paths: [],
    guesses: [],
    hosts: [],
    runs: [],
    scripts: [],
    code: [],
    programs: [],
    written: [],
    ...more,
  };
}

export function cannotTell(reason: string): Findings {
  return findings({ effects: ['cannot-tell'], reason });
}

export function sourceOf(words: readonly Word[]): string {
  return words.map(({ source }) => source).join(' ');
}
