/** Repositories in a repository whose own settings count as well, since Git looks into them for its state. */
import { join } from 'node:path';
import { statusOf } from '../paths.ts';
import { armed, hookOf, ownFiles, running, type Repository } from './armed.ts';
import { stampOf, type ConfigurationReader, type Setting } from './configuration.ts';
import { gitlinksOf } from './gitlinks.ts';
import { findGitPlace } from './place.ts';

/** Other repositories that are looked into, in all, and how deep. */
const mostNested = 1000;
const deepestNested = 5;

/** A repository that would have something run. */
export interface ArmedRepository {
  /** Its path; undefined where they can't all be looked into. */
  topLevel: string | undefined;
  /** In words. */
  runs: string;
}

export class NestedRepositories {
  readonly #reader: ConfigurationReader;
  readonly #links = new Map<string, { stamp: string; paths: string[] | undefined }>();

  constructor(reader: ConfigurationReader) {
    this.#reader = reader;
  }

  /** What the first of them would run, in words. */
  armed(repository: Repository, settings: Setting[]): string | undefined {
    const [first] = this.all(repository, settings);
    if (first === undefined) return undefined;
    return first.topLevel === undefined
      ? first.runs
      : `${first.topLevel.slice(repository.topLevel.length + 1)}: ${first.runs}`;
  }

  /** Those that would have something run. */
  *all(
    { gitDir, topLevel }: Repository,
    settings: Setting[],
    depth = 0,
    budget = { left: mostNested },
  ): Generator<ArmedRepository> {
    const isLong = settings.some(({ name, value }) => name === 'extensions.objectformat' && value === 'sha256');
    const links = this.#linksOf(join(gitDir, 'index'), isLong ? 32 : 20);
    if (links === undefined) yield { topLevel: undefined, runs: 'its index can’t be read' };
    for (const link of links ?? []) {
      if (budget.left <= 0 || depth > deepestNested) {
        yield { topLevel: undefined, runs: 'it holds too many other repositories to look into' };
        return;
      }
      budget.left -= 1;
      yield* this.#inner(join(topLevel, link), depth, budget);
    }
  }

  *#inner(path: string, depth: number, budget: { left: number }): Generator<ArmedRepository> {
    const inner = findGitPlace(path);
    if (inner?.topLevel !== path || (inner.kind === 'folder' && !inner.belongs)) {
      // Git may still see a repository in what isn't understood here.
      const isThere = statusOf(join(path, '.git')) !== undefined;
      if (isThere) yield { topLevel: path, runs: 'its Git folder can’t be read' };
      return;
    }
    const files = ownFiles(inner).map((file) => this.#reader.read(file));
    const own = files.flatMap((each) => each ?? []);
    const found = [
      files.includes(undefined) ? 'a file of its configuration can’t be read' : undefined,
      armed(files, running),
      hookOf(inner, own),
    ].filter((each) => each !== undefined);
    if (found.length > 0) yield { topLevel: path, runs: found.join(', ') };
    yield* this.all(inner, own, depth + 1, budget);
  }

  #linksOf(index: string, hashBytes: 20 | 32): string[] | undefined {
    const stamp = stampOf(index);
    if (stamp === undefined) return [];
    const known = this.#links.get(index);
    if (known?.stamp === stamp) return known.paths;
    const paths = gitlinksOf(index, hashBytes);
    this.#links.set(index, { stamp, paths });
    return paths;
  }
}
