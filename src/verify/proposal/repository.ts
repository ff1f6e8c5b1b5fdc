/** A repository as far as a proposal looks at it: small files by name, and what is in its first folders. */
import { constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { memberFolders, scriptsOf } from '../programs/index.ts';

/** Bytes; a larger file isn't one that says how a project is built. */
const largest = 1024 * 1024;

export class Repository {
  /** Its real path. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  has(...paths: string[]): boolean {
    return paths.some((path) => existsSync(join(this.root, path)));
  }

  /** Empty where there is none. */
  read(path: string): string {
    try {
      const file = join(this.root, path);
      const status = statSync(file);
      if (!status.isFile() || status.size > largest) return '';
      return readFileSync(file, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
    } catch {
      return ''; // Not there, or not to be read: nothing to propose from it.
    }
  }

  /** Names in a folder, sorted; folders end with a slash. */
  list(folder = '.'): string[] {
    try {
      const entries = readdirSync(join(this.root, folder), { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
    } catch {
      return [];
    }
  }

  /** The scripts of the package in a folder, by name. */
  scripts(folder = '.'): { [name: string]: string } {
    const scripts = Object.entries(scriptsOf(join(this.root, folder, 'package.json')) ?? {});
    return Object.fromEntries(scripts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }

  /** The folders of the packages that belong together, sorted. */
  members(): string[] {
    const listed = [...memberFolders(this.root), ...this.#pnpmMembers()];
    return [...new Set(listed)].filter((folder) => this.has(join(folder, 'package.json'))).toSorted();
  }

  #pnpmMembers(): string[] {
    const lines =
      this.read('pnpm-workspace.yaml')
        .split(/^packages:/m)[1]
        ?.split('\n') ?? [];
    const patterns = lines.flatMap((line) => /^\s+-\s*['"]?([^'"#!\s]+)/.exec(line)?.[1] ?? []);
    return patterns.flatMap((pattern) => {
      const parent = /^([^*]+)\/\*{1,2}$/.exec(pattern)?.[1];
      if (parent === undefined) return pattern.includes('*') ? [] : [pattern];
      return this.list(parent).flatMap((name) => (name.endsWith('/') ? [join(parent, name.slice(0, -1))] : []));
    });
  }
}
