/** What a command line proves when it exits with 0: judged by the table of programs and by the scripts of packages. */
import { basename, join, normalize } from 'node:path';
import { coversPath, type ProofKind } from '../../core/index.ts';
import { commandsOf } from './command-line.ts';
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

/** Options with which nothing is checked, or nothing need be there. */
const empty =
  /^(?:--version|--help|-h|-V|--passWithNoTests|--pass-with-no-tests|--collect-only|--co|--list|--listTests|--list-tests|--dry-run|--no-run|--showConfig|--init|--if-present|--noEmitOnError|--exit-zero|--exit-zero-even-if-changed|--no-error-on-unmatched-pattern|--force-exit-0|--forceExit=0)(?:=|$)/;
/** Options that keep tests to some by name. */
const named =
  /^(?:-t|-k|-g|-m|--grep|--fgrep|--filter|--testNamePattern|--test-name-pattern|--test-only|--only|-run|--lf|--last-failed|--onlyFailures|--onlyChanged|--deselect|--ignore|--exclude|--skip|--shard)(?:=|$)/;
/** Variables with which a program of the same name does something else. */
const misleading =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTEST_ADDOPTS|BASH_ENV|ENV|LD_PRELOAD|GOFLAGS|RUSTFLAGS|SHELLOPTS)=/;
/** A program of the system, or where package managers put theirs; any other file may only be called so. */
const isInstalled = (program: string): boolean =>
  !program.includes('/') ||
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]+$|^\.\/(?:gradlew|mvnw)$/.test(program);
/** Package runners, and what of them runs a script. */
const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const deepest = 8;

/** Something of the line must be a check, and nothing in it may hide how that ended. */
export function proofOf(command: string, place: Place, depth = 0): Judgement {
  const line = commandsOf(command);
  if ('doubt' in line) return line;
  const proofs: Proof[] = [];
  let at = place;
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
    proofs.push(...said.proofs);
  }
  return proofs.length === 0 ? { doubt: 'it is no test, type check, linter or build that is known' } : { proofs };
}

function proofOfWords(all: readonly string[], place: Place, depth: number): Judgement {
  const words = withoutWrappers(all);
  const [program = '', ...rest] = words;
  if (words.length < all.length && all.some((word) => misleading.test(word)))
    return { doubt: 'it sets what decides which program runs' };
  const name = isInstalled(program) ? basename(program) : '';
  const script = scriptCalled(name, rest);
  if (script !== undefined) return proofOfScript(script, place, depth);
  const written = rest.join(' ');
  const entry = programs.find((each) => each.names.includes(name) && (each.arguments?.test(written) ?? true));
  if (entry === undefined) return { proofs: [] };
  const nothing = rest.find((word) => empty.test(word));
  if (nothing !== undefined) return { doubt: `${nothing} checks nothing, or passes without anything to check` };
  if (entry.kind === 'format') return { proofs: [] };
  const byName = entry.kind === 'tests' ? rest.find((word) => named.test(word)) : undefined;
  if (byName !== undefined) return { doubt: `${byName} keeps it to some of the tests` };
  const only = pathsIn(rest, place);
  return { proofs: [{ kind: entry.kind, files: entry.files, program: entry, ...(only.length > 0 && { only }) }] };
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

function proofOfScript({ name, given, isShort }: CalledScript, place: Place, depth: number): Judgement {
  const file = packageFile(place);
  const text = file === undefined ? undefined : scriptsOf(file)?.[name];
  // Without such a script, all but npm run the program of that name.
  if (text === undefined && isShort) return proofOfWords([name, ...given], place, depth + 1);
  if (typeof text !== 'string') return { doubt: `there is no script ${name}` };
  if (depth >= deepest) return { doubt: `the script ${name} leads too far` };
  const added = given.filter((word) => word !== '--' && !/^(?:-s|--silent|--quiet|--workspaces|-ws)$/.test(word));
  const said = proofOf([text, ...added.map(quoted)].join(' '), place, depth + 1);
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

function pathsIn(words: readonly string[], { folder, exists }: Place): string[] {
  const plain = words.filter((word) => !word.startsWith('-') && word !== '.' && word !== './...');
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
