/** The programs of installed packages: a package runner looks among them before it looks among those of the system. */
import { lstatSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { wordsOf } from '../command-words.ts';
import { memberFolders } from '../programs/index.ts';

const installed = join('node_modules', '.bin');

/** What package managers write when an installation is done; anybody can, so it counts only where the task had one. */
const marks = ['.package-lock.json', '.yarn-integrity', '.yarn-state.yml', '.modules.yaml'];

export interface ProgramPlaces {
  /** The real path of the workspace. */
  workspace: string;
  /** The PATH that commands start with. */
  searchPath: string;
}

/** The folders of installed programs that there may be: of the workspace, and of the packages that belong to it. */
export function installedFolders(workspace: string): string[] {
  return ['', ...memberFolders(workspace)].map((folder) => join(folder, installed));
}

/** Installed programs that the commands would start in place of programs of the system. */
export function shadowsOf(commands: readonly string[], places: ProgramPlaces): string[] {
  return programsOf(commands, places.workspace).filter((path) => isOfSystem(basename(path), places));
}

/** What a task did until now: since when (milliseconds since the epoch), and with which commands. */
export interface TaskSoFar {
  since: number;
  ran: readonly string[];
}

const installation =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:\S+\s+)*?(?:ci|i|install|add|up|update|upgrade)\b|\byarn\s*(?:$|[;&|])/;

/**
 * Installed programs of the commands that were made or changed since the task began by something else than an installation of its own; in
 * place of a program of the system it would be too much of a chance for that as well.
 */
export function changedSince(commands: readonly string[], { since, ran }: TaskSoFar, places: ProgramPlaces): string[] {
  const { workspace } = places;
  const hasInstalled = ran.some((command) => installation.test(command));
  return programsOf(commands, workspace).filter((path) => {
    const changedAt = lastChange(join(workspace, path));
    if (changedAt <= since) return false;
    return isOfSystem(basename(path), places) || !hasInstalled || changedAt > lastInstallation(path, workspace);
  });
}

/** Scripts are started by a shell, which is looked for in the same way. */
function programsOf(commands: readonly string[], workspace: string): string[] {
  const names = [...new Set(['sh', ...commands.flatMap(wordsOf).map((word) => basename(word))])];
  const paths = installedFolders(workspace).flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.filter((path) => isFile(join(workspace, path)));
}

function isOfSystem(name: string, { searchPath }: ProgramPlaces): boolean {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder) && !folder.endsWith(installed));
  return folders.some((folder) => isFile(join(folder, name)));
}

function lastInstallation(path: string, workspace: string): number {
  const folders = [dirname(dirname(path)), 'node_modules'];
  return Math.max(...folders.flatMap((folder) => marks.map((mark) => lastChange(join(workspace, folder, mark)))));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // Not there, or no name that could be: a word of a command may be anything.
  }
}

/** By the system's own time, which nobody can set; of a link its own and that of its file. 0: there is none. */
function lastChange(path: string): number {
  try {
    return Math.max(lstatSync(path).ctimeMs, statSync(path).ctimeMs);
  } catch {
    return 0; // Not there, or not to be reached.
  }
}
