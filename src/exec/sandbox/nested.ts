/**
 * Repositories within the workspace that a command has armed: Git outside looks into each that the index names, at a mere `git status`,
 * and runs what their own configuration and hooks say. They can't be covered beforehand, since a command may make them anywhere.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readlinkSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationReader, findGitPlace, NestedRepositories, ownFiles } from '../git/index.ts';
import { isWithin } from '../paths.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** Repositories that are told one by one. */
const mostSaid = 5;

export class NestedWatch {
  readonly #workspace: string;
  readonly #reader: ConfigurationReader;
  readonly #nested: NestedRepositories;
  /** What was armed before any command: the user's own. */
  readonly #before: Set<string>;

  constructor(workspace: string, home: string) {
    this.#workspace = workspace;
    this.#reader = new ConfigurationReader(home);
    this.#nested = new NestedRepositories(this.#reader);
    this.#before = new Set(this.#look().map(({ topLevel, runs }) => `${topLevel}\0${runs}`));
  }

  /** Puts Git's data of each that was armed since then aside; says which, and why. */
  disarm(): string[] {
    const armed = this.#look().filter(({ topLevel, runs }) => !this.#before.has(`${topLevel}\0${runs}`));
    const said = armed.map(({ topLevel, runs }) => {
      if (topLevel === undefined) return `Look at the repositories in this one before you run Git: ${runs}.`;
      const name = `.git-${randomUUID()}`;
      if (!this.#putAside(topLevel, name)) return `Don’t run Git here before you looked at ${topLevel}: ${runs}.`;
      return `${topLevel} was left as a repository that would run something when Git is used outside the sandbox (${runs}); its .git is now ${name}.`;
    });
    return said.length <= mostSaid ? said : [...said.slice(0, mostSaid), `So were ${said.length - mostSaid} more.`];
  }

  #look() {
    const place = findGitPlace(this.#workspace);
    if (place === undefined) return [];
    const settings = ownFiles(place).flatMap((file) => this.#reader.read(file) ?? []);
    return [...this.#nested.all(place, settings)];
  }

  /** In the folder that is there, held open: what still runs may swap it for a link that leads elsewhere. */
  #putAside(topLevel: string, name: string): boolean {
    let folder: number | undefined;
    try {
      folder = openSync(topLevel, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      const isLinux = process.platform === 'linux';
      const held = isLinux ? `/proc/self/fd/${folder}` : topLevel;
      const real = isLinux ? readlinkSync(held) : realpathSync(held);
      if (real !== topLevel || !isWithin(real, this.#workspace)) return false;
      renameSync(join(held, '.git'), join(held, name));
      return true;
    } catch {
      return false; // it is said, and left to the user
    } finally {
      if (folder !== undefined) closeSync(folder);
    }
  }
}
