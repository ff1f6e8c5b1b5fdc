/** What a command line proves when it exits with 0: judged by the table of programs and by the scripts of packages. */
import { basename, join, normalize } from 'node:path';
import { coversPath, type ProofKind } from '../../core/index.ts';
import { isBystander } from './bystanders.ts';
import { commandsOf } from './command-line.ts';
import { beforeDashes, isSubcommand, optionDoubt } from './option-doubt.ts';
import { misleading, settingOptions } from './options.ts';
import { scriptsOf } from './package-scripts.ts';
import { programs, twoWordWrappers, wrappers, type CheckProgram } from './table.ts';

export interface Proof {
  kind: ProofKind;
  /** Globs of the files that it is about. */
  files: readonly string[];
  /** The paths that it was kept to, relative to the workspace; absent: all. */
  only?: string[];
  program: CheckProgram;
}

export type Judgement = { proofs: Proof[] } | { doubt: string };

export interface Place {
  /** The real path of the workspace. */
  workspace: string;
  /** The folder that the command starts in, relative to it. */
  folder: string;
  exists: (path: string) => boolean;
}

/** A program of the system, or where package managers put theirs; any other file may only be called so. */
const isInstalled = (program: string): boolean =>
  !program.includes('/') ||
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]+$|^\.\/(?:gradlew|mvnw)$/.test(program);
/** Package runners, and what of them runs a script. */
const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const deepest = 8;

/** Where a judgement stands: how many scripts deep, and which words the model added to what a script says; undefined: all are its own. */
interface Depth {
  scripts: number;
  added?: ReadonlySet<string>;
}

/** Something of the line must be a check, and nothing in it may hide how that ended, or change what it checks. */
export function proofOf(command: string, place: Place, depth: Depth = { scripts: 0 }): Judgement {
  const line = commandsOf(command);
  if ('doubt' in line) return line;
  const proofs: Proof[] = [];
  let at = place;
  let company =
    depth.added === undefined ? line.aside.map(companyDoubt).find((doubt) => doubt !== undefined) : undefined;
  for (const words of line.commands) {
    if (words[0] === 'cd') {
      const folder = normalize(join(at.folder, words[1] ?? '..'));
      if (words.length !== 2 || folder.startsWith('..') || words[1]?.startsWith('/'))
        return { doubt: 'it goes to another folder' };
      at = { ...at, folder };
      continue;
    }
    const said = proofOfWords(words, at, depth);
    if ('doubt' in said) return said;
    // What comes after a check can't change what that has seen; what a script of the package says is watched.
    if (said.proofs.length > 0 && company !== undefined) return { doubt: company };
    if (said.proofs.length === 0 && depth.added === undefined) company ??= companyDoubt(words);
    proofs.push(...said.proofs);
  }
  return proofs.length === 0 ? { doubt: 'it is no test, type check, linter or build that is known' } : { proofs };
}

/** Why a command in front of a check takes the worth from it; undefined where it doesn't. */
function companyDoubt(words: readonly string[]): string | undefined {
  if (words.some((word) => misleading.test(word))) return 'it sets what decides which program runs';
  const own = withoutWrappers(words);
  // A script of the package is the repository's own, and watched.
  const isScript = scriptCalled(nameOf(own[0] ?? ''), own.slice(1)) !== undefined;
  if (isScript || isBystander(words) || entryOf(own) !== undefined) return undefined;
  return `\`${words[0]}\` before it may change what is checked`;
}

function proofOfWords(all: readonly string[], place: Place, depth: Depth): Judgement {
  const words = withoutWrappers(all);
  const [program = '', ...rest] = words;
  if (words.length < all.length && all.some((word) => misleading.test(word)))
    return { doubt: 'it sets what decides which program runs' };
  const name = nameOf(program);
  const script = scriptCalled(name, rest);
  const doubt = optionDoubt(name, script === undefined ? rest : beforeDashes(rest), place, depth);
  if (script !== undefined) return doubt === undefined ? proofOfScript(script, place, depth) : { doubt };
  const entry = entryOf(words);
  if (entry === undefined || entry.kind === 'format') return { proofs: [] };
  if (doubt !== undefined) return { doubt };
  const only = pathsIn(name, rest, place);
  return { proofs: [{ kind: entry.kind, files: entry.files, program: entry, ...(only.length > 0 && { only }) }] };
}

const nameOf = (program: string): string => (isInstalled(program) ? basename(program) : '');

function entryOf([program = '', ...rest]: readonly string[]): CheckProgram | undefined {
  const name = nameOf(program);
  const written = rest.join(' ');
  return programs.find((each) => each.names.includes(name) && (each.arguments?.test(written) ?? true));
}

/** Without assignments before it and the programs that only start another. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let left = words;
  for (;;) {
    const [first = '', second = ''] = left;
    if (/^\w+=/.test(first)) left = left.slice(1);
    else if (twoWordWrappers.has(`${basename(first)} ${second}`)) left = left.slice(2);
    else if (Object.hasOwn(wrappers, basename(first))) left = afterWrapper(left, wrappers[basename(first)] ?? 0);
    else return left;
  }
}

function afterWrapper(words: readonly string[], own: number): readonly string[] {
  const start = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  return start < 0 ? [] : words.slice(start + own);
}

interface CalledScript {
  name: string;
  given: string[];
  /** Called without the word `run`. */
  isShort?: true;
}

function scriptCalled(name: string, [first = '', ...rest]: readonly string[]): CalledScript | undefined {
  if (name === 'node') return first === '--run' ? scriptNamed(rest) : undefined;
  if (!runners.has(name)) return undefined;
  if (first === 'run' || first === 'run-script') return scriptNamed(rest);
  if (first === 'test' || first === 't') return name === 'bun' ? undefined : { name: 'test', given: rest };
  // Other words of npm are its own commands.
  if (name === 'npm' || first === '' || first.startsWith('-')) return undefined;
  return { name: first, given: rest, isShort: true };
}

function scriptNamed(words: readonly string[]): CalledScript | undefined {
  const index = words.findIndex((word) => !word.startsWith('-'));
  return index < 0 ? undefined : { name: words[index] ?? '', given: words.filter((_, at) => at !== index) };
}

function proofOfScript({ name, given, isShort }: CalledScript, place: Place, { scripts }: Depth): Judgement {
  const file = packageFile(place);
  const text = file === undefined ? undefined : scriptsOf(file)?.[name];
  // Without such a script, all but npm run the program of that name.
  if (text === undefined && isShort) return proofOfWords([name, ...given], place, { scripts: scripts + 1 });
  if (typeof text !== 'string') return { doubt: `there is no script ${name}` };
  if (scripts >= deepest) return { doubt: `the script ${name} leads too far` };
  const added = given.filter((word) => word !== '--' && !/^(?:-s|--silent|--quiet|--workspaces|-ws)$/.test(word));
  const depth = { scripts: scripts + 1, added: new Set(added) };
  const said = proofOf([text, ...added.map(quoted)].join(' '), place, depth);
  return 'doubt' in said ? { doubt: `its script ${name} does not count: ${said.doubt}` } : said;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The package file of the folder or of the nearest one above it. */
function packageFile({ workspace, folder, exists }: Place): string | undefined {
  for (let at = folder; ; at = normalize(join(at, '..'))) {
    if (exists(join(at, 'package.json'))) return join(workspace, at, 'package.json');
    if (at === '.' || at.startsWith('..')) return undefined;
  }
}

function pathsIn(name: string, words: readonly string[], { folder, exists }: Place): string[] {
  const plain = words.filter(
    (word, index) =>
      !word.startsWith('-') &&
      word !== '.' &&
      word !== './...' &&
      !isSubcommand(name, words, index) &&
      !settingOptions.test(words[index - 1] ?? ''),
  );
  return plain.flatMap((word) => {
    const path = normalize(join(folder, word.replace(/\/\.\.\.$/, '').split('::')[0] ?? ''));
    if (path === '.' || path.startsWith('..')) return [];
    return exists(path) || /[*?]/.test(path) ? [path] : [];
  });
}

/** Whether a proof is about a path: of its files, and of those that it was kept to. */
export function isAbout({ files, only }: Proof, path: string): boolean {
  if (!coversPath(files, path)) return false;
  return only === undefined || only.some((each) => isPartOf(path, each) || stemOf(each) === stemOf(path));
}

const isPartOf = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}/`) || (/[*?]/.test(whole) && coversPath([whole], path));

/** `src/sum.ts` and `test/sum.test.ts` are about the same. */
function stemOf(path: string): string {
  return basename(path)
    .replace(/^test_/, '')
    .replace(/\.\w+$/, '')
    .replace(/(?:[._-](?:tests?|spec)|Tests?)$/, '');
}
