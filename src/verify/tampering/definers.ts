/** What defines a check: the files whose change in a run makes its evidence worthless. */
import { realpathSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, normalize, relative } from 'node:path';
import type { Check, Definer } from '../../core/index.ts';
import { wordsOf } from '../command-words.ts';
import { FileHashes } from '../file-hash.ts';
import { memberFolders, scriptsHash, scriptsOf } from '../programs/index.ts';
import { installedFolders } from './installed.ts';

/** The part of a file that defines a check is named after the file: `package.json#scripts`. */
export const part = '#scripts';

/** What else says how a package runner runs scripts: with which shell, and with what before them. */
const runnerFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml'];

/** Files that a program takes its tasks from. All are watched: one that is new would be taken instead of another. */
const taskFiles = new Map<string, readonly string[]>([
  ...['npm', 'pnpm', 'yarn', 'bun', 'node'].map(
    (program) => [program, [`package.json${part}`, ...runnerFiles]] as const,
  ),
  ...['make', 'gmake'].map((program) => [program, ['GNUmakefile', 'makefile', 'Makefile']] as const),
  ['just', ['justfile', '.justfile', 'Justfile']],
  ['task', ['Taskfile.yml', 'Taskfile.yaml']],
  ['rake', ['Rakefile']],
  ['tox', ['tox.ini']],
  ['nox', ['noxfile.py']],
  ['composer', [`composer.json${part}`]],
]);

export interface Search {
  /** The real path of the workspace. */
  workspace: string;
  found: Set<string>;
  /** Scripts already followed. */
  followed: Set<string>;
  /** The command and the scripts that it leads to. */
  commands: string[];
}

/**
 * The files that define the command of a check in a workspace (its real path), sorted, with their present hashes: those that the
 * command names, those that its programs take tasks from, and in turn what the package scripts name that it calls. For a check
 * from the project's settings also these. A file that only might appear is there with null.
 */
export function definersOf(command: string, workspace: string, from: Check['from']): Definer[] {
  const search = searchFrom(command, workspace);
  if (from === 'project') search.found.add(join('.reins', 'settings.json'));
  return [...search.found].toSorted().map((path) => ({ path, hash: hashOf(path, workspace) }));
}

/** What a command leads to in a workspace. */
export function searchFrom(command: string, workspace: string): Search {
  const search: Search = { workspace, found: new Set(), followed: new Set(), commands: [] };
  collect(command, search);
  return search;
}

/** The paths of the definers that aren't what they were. */
export function changedDefiners(definers: Definer[], workspace: string): string[] {
  return definers.filter(({ path, hash }) => hashOf(path, workspace) !== hash).map(({ path }) => path);
}

function collect(command: string, search: Search): void {
  const { workspace, found, commands } = search;
  commands.push(command);
  const words = wordsOf(command);
  const inside = words.flatMap((word) => insidePath(word, workspace) ?? []);
  // A script's program is looked for among the installed ones first, which Git mostly ignores.
  const folders = installedFolders(workspace);
  const ofPackages = words.flatMap((word) => folders.map((folder) => join(folder, basename(word))));
  const named = onlyLooks(command, words) ? [] : inside;
  for (const path of [...named, ...ofPackages]) if (kindOf(path, workspace) === 'file') found.add(path);
  const tasks = words.flatMap((word) => tasksOf(basename(word), words));
  if (tasks.length === 0) return;
  const packages = new Set(inside.filter((path) => kindOf(path, workspace) === 'folder'));
  if (tasks.some((file) => file.endsWith(part))) for (const folder of memberFolders(workspace)) packages.add(folder);
  for (const file of tasks) {
    // In the workspace itself also a file that might appear counts, in other folders only what is there.
    const others = [...packages].map((folder) => join(folder, file));
    const paths = [file, ...others.filter((path) => kindOf(withoutPart(path), workspace) === 'file')];
    for (const path of paths) found.add(path);
    for (const path of paths) if (path.endsWith(part)) followScripts(path, words, search);
  }
}

/** Programs that look at files and run none of them. */
const lookers = new Set('[ awk cat cmp diff egrep fgrep file grep head jq ls sed stat tail test wc xmllint'.split(' '));
/** Programs that run a file, and the options with which they only check how it is written. */
const interpreters = new Set('bash dash deno node perl php python python3 ruby sh'.split(' '));
const syntaxOptions = new Set(['--check', '--lint', '--syntax-check', '-c', '-l', '-n', 'py_compile']);

/** Whether a plain command looks at the files that it names: those are the work, and define nothing. */
export function onlyLooks(command: string, words: readonly string[]): boolean {
  const program = basename(words[0] ?? '');
  if (/[;&|`$(<>\n]/.test(command)) return false;
  return lookers.has(program) || (interpreters.has(program) && syntaxOptions.has(words.find(isOptionOrModule) ?? ''));
}

function isOptionOrModule(word: string): boolean {
  return word === 'py_compile' || (word.startsWith('-') && word !== '-m');
}

function tasksOf(program: string, words: string[]): readonly string[] {
  // Only with --run does node look at package scripts.
  if (program === 'node' && !words.includes('--run')) return [];
  return taskFiles.get(program) ?? [];
}

/** What a called script says is as much the check as the command that calls it; so is what runs before and after it. */
function followScripts(path: string, words: string[], search: Search): void {
  const isCalled = (name: string) =>
    words.includes(name) || (name === 'test' && (words.includes('t') || words.includes('tst')));
  for (const [name, script] of Object.entries(scriptsOf(join(search.workspace, withoutPart(path))) ?? {})) {
    const key = `${path}:${name}`;
    if (typeof script !== 'string' || search.followed.has(key)) continue;
    if (!isCalled(name) && !isCalled(name.replace(/^(pre|post)/, ''))) continue;
    search.followed.add(key);
    collect(script, search);
  }
}

/** A word as a path relative to the workspace, if it is one that leads into it. */
function insidePath(word: string, workspace: string): string | undefined {
  const path = normalize(isAbsolute(word) ? relative(workspace, word) : word).replace(/\/$/, '');
  const leadsOut = path === '..' || path.startsWith('../') || isAbsolute(path);
  return path === '.' || path === '' || leadsOut || path.includes('\0') ? undefined : path;
}

function kindOf(path: string, workspace: string): 'file' | 'folder' | undefined {
  try {
    const status = statSync(join(workspace, path));
    if (status.isDirectory()) return 'folder';
    return status.isFile() ? 'file' : undefined;
  } catch {
    return undefined; // Not there, or not to be reached: nothing that the command could use.
  }
}

export const withoutPart = (path: string): string => (path.endsWith(part) ? path.slice(0, -part.length) : path);

function hashOf(path: string, workspace: string): string | null {
  if (path.endsWith(part)) return scriptsHash(join(workspace, withoutPart(path)));
  try {
    // What a link leads to is what the command runs.
    return new FileHashes().hash(Buffer.from(realpathSync(join(workspace, path))));
  } catch {
    return null; // Not there, or not to be reached: as good as not there.
  }
}
