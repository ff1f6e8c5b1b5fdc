/**
 * Which folders of a hidden place commands still need to see: the programs that PATH leads to there, and what those programs
 * need beside themselves. Version managers, language installations and virtual environments live in home folders, next to keys
 * and private files, so as little as possible is shown, and only for reading.
 */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import type { Environment } from '../needs.ts';
import { isWithin, realPath, statusOf } from '../paths.ts';

/** Folders of version managers, relative to home, that are shown whole when PATH leads into them. */
const managers = (
  '.asdf .bun .deno .dotnet .fnm .fvm .ghcup .goenv .jabba .jenv .juliaup .nodenv .nodebrew .nvm .phpenv .pixi .plenv .pyenv .rbenv ' +
  '.rustup .rvm .rye .sdkman .swiftly .tfenv .volta .local/share/fnm .local/share/mise .local/share/nvm .local/share/pipx ' +
  '.local/share/pnpm .local/share/rtx .local/share/rustup .local/share/uv .local/share/virtualenvs .local/pipx'
).split(' ');

/** Where these lie, more of their folder is needed than the programs, but not all of it: it also holds credentials. */
const partial: { [folder: string]: string[] } = {
  '.cargo': ['.cargo/bin', '.cargo/registry', '.cargo/git', '.rustup'],
  go: ['go/bin', 'go/pkg'],
};

/** Folders that hold keys and accounts: nothing around a program in them is shown, only the program's own folder. */
const privateFolders = '.aws .azure .config .docker .gem .gnupg .kube .local .mozilla .password-store .ssh'.split(' ');

/** Variables that name the root of an installation. */
const rootVariables = ['CONDA_PREFIX', 'GOROOT', 'JAVA_HOME', 'PYENV_ROOT', 'RUSTUP_HOME', 'VIRTUAL_ENV'];

/** Maintained by the system's package manager, which doesn't link into homes; they are too large to look through at each start. */
const systemFolders = new Set(['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/games']);

const mostLinks = 2000;

export interface Surroundings {
  environment: Environment;
  /** Real path of the home folder; undefined where there is none that can be hidden. */
  home: string | undefined;
  /** Real paths of all folders that are hidden. */
  hidden: string[];
  workspace: string;
}

/** Paths to show read-only, outer ones first, none within another. */
export function findToolchains(around: Surroundings): string[] {
  const isHidden = (path: string) =>
    around.hidden.some((place) => isWithin(path, place)) && !isWithin(path, around.workspace);
  const found = new Set<string>();
  const show = (path: string, onlyManaged = false) => {
    if (!isHidden(path)) return;
    const roots = rootsFor(path, around.home, onlyManaged);
    // Where the installation around a program is a home or holds the workspace, the program's own folder has to do.
    const shown = roots.some((root) => isTooWide(root, around)) ? [path] : roots;
    for (const root of shown) if (!isTooWide(root, around) && existsSync(root)) found.add(root);
  };
  for (const entry of pathEntries(around.environment)) {
    // The workspace may be hostile: what lies in it leads to known managers only.
    const onlyManaged = passesThrough(entry, around.workspace);
    show(entry, onlyManaged);
    show(realPath(entry) ?? entry, onlyManaged);
    for (const hop of linkHops(entry, isHidden)) show(dirname(hop), onlyManaged);
  }
  for (const name of rootVariables) {
    const root = around.environment[name];
    if (root?.startsWith('/')) show(join(normalize(root), 'bin'));
  }
  // An environment inside the workspace leads to its interpreter.
  for (const name of ['.venv', 'venv'])
    for (const hop of hopsOf(join(around.workspace, name, 'bin/python'))) show(dirname(hop), true);
  return outermost([...found]);
}

/** Whether a path, or a link on it, enters a folder. */
function passesThrough(path: string, folder: string): boolean {
  if (isWithin(path, folder) || isWithin(realPath(path) ?? path, folder)) return true;
  return dirname(path) !== path && passesThrough(dirname(path), folder);
}

function isTooWide(path: string, { hidden, home, workspace }: Surroundings): boolean {
  const inner = [...hidden, workspace, ...(home === undefined ? [] : [home])];
  return dirname(path) === '/home' || inner.some((place) => isWithin(place, path));
}

function pathEntries(environment: Environment): string[] {
  const entries = (environment['PATH'] ?? '').split(':').filter((entry) => entry.startsWith('/'));
  return [...new Set(entries.map((entry) => normalize(entry).replace(/(.)\/$/, '$1')))];
}

/** What a folder of programs needs to be of use. */
function rootsFor(folder: string, home: string | undefined, onlyManaged: boolean): string[] {
  if (home !== undefined && isWithin(folder, home)) {
    const inHome = folder.slice(home.length + 1);
    const manager = managers.find((name) => isWithin(inHome, name));
    if (manager !== undefined) return [join(home, manager)];
    if (onlyManaged) return [];
    const parts = partial[inHome.split('/')[0] ?? ''];
    if (parts?.some((part) => isWithin(inHome, part))) return parts.map((part) => join(home, part));
    if (isPrivate(folder, home)) return [folder];
  }
  return onlyManaged ? [] : [installationOf(folder)];
}

function isPrivate(path: string, home: string | undefined): boolean {
  if (home === undefined || !isWithin(path, home)) return false;
  const [first = ''] = path.slice(home.length + 1).split('/');
  return first === '' || privateFolders.includes(first);
}

/** The installation around a `bin` folder if it looks like one, else only the folder itself. */
function installationOf(folder: string): string {
  const parent = dirname(folder);
  if (basename(folder) === '.bin' && basename(parent) === 'node_modules') return parent;
  const isProgramFolder = ['bin', 'sbin', 'shims', 'condabin'].includes(basename(folder));
  const looksInstalled = ['lib', 'lib64', 'libexec', 'pkg', 'jmods'].some((name) => existsSync(join(parent, name)));
  return isProgramFolder && looksInstalled ? parent : folder;
}

/** Every place that the links in a folder of programs pass through, if they lead to a hidden one. */
function linkHops(folder: string, isHidden: (path: string) => boolean): string[] {
  if (systemFolders.has(folder)) return [];
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    const paths = links.slice(0, mostLinks).map((entry) => join(folder, entry.name));
    return paths.filter((path) => isHidden(realPath(path) ?? path)).flatMap(hopsOf);
  } catch {
    return []; // a PATH entry that isn't there or isn't readable leads nowhere
  }
}

function hopsOf(path: string): string[] {
  const hops: string[] = [];
  let at = path;
  while (hops.length < 10 && statusOf(at)?.isSymbolicLink()) {
    at = resolve(dirname(at), readlinkSync(at));
    hops.push(at);
  }
  const real = realPath(path);
  return real === undefined ? [] : [...hops, real];
}

function outermost(paths: string[]): string[] {
  const sorted = paths.toSorted((a, b) => a.length - b.length);
  return sorted.filter((path, index) => !sorted.slice(0, index).some((outer) => isWithin(path, outer)));
}
