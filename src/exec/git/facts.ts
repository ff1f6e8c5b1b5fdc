/** What Git commands at a folder would run besides themselves, by what is configured there. */
import { dirname, join } from 'node:path';
import { armed, hookOf, ownFiles, running, type Repository } from './armed.ts';
import { ConfigurationReader, type Setting } from './configuration.ts';
import { NestedRepositories } from './nested.ts';
import { findGitPlace, isGitFolder } from './place.ts';

export interface GitFacts {
  aliases: { readonly [name: string]: string };
  /** What reading commands would run, in words; undefined for nothing. */
  runs?: string;
  /** Objects may be missing, and are fetched when they are read. */
  fetches?: true;
}

/** Settings of a clone that has not all objects. */
const partial = /^(?:extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/s;
/** Of the user’s own settings only those that run something at every look; the rest are programs that the user has chosen for files of a kind. */
const runningOfUser = /^(?:core\.fsmonitor|diff\.external|log\.showsignature)$/;
/** Variables that make Git look elsewhere than its files say. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|CONFIG.*|EXTERNAL_DIFF|INDEX_FILE|EXEC_PATH|TRACE.*|SSH.*|ASKPASS|ATTR.*|PAGER)$/;

interface Options {
  home: string;
  /** What commands are started with. */
  environment: { readonly [name: string]: string | undefined };
}

/** Facts of Git at folders (real paths), without running Git. They are read anew when a file of the configuration has changed. */
export function createGitFacts({ home, environment }: Options): (folder: string) => GitFacts {
  const reader = new ConfigurationReader(home);
  const ofUser = [
    '/etc/gitconfig',
    join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git/config'),
    join(home, '.gitconfig'),
  ];
  const nested = new NestedRepositories(reader);
  const strange = Object.keys(environment).find((name) => misleading.test(name) && environment[name] !== undefined);
  return (folder) => {
    const user = ofUser.map((path) => reader.read(path));
    const repository = repositoryAt(folder);
    const own = repository === undefined ? [] : ownFiles(repository).map((path) => reader.read(path));
    const all = [...user, ...own];
    const settings = all.flatMap((each) => each ?? []);
    const runs =
      (strange === undefined ? undefined : `${strange} is set`) ??
      (all.includes(undefined) ? 'a file of its configuration can’t be read' : undefined) ??
      armed(own, running) ??
      armed(user, runningOfUser) ??
      (repository === undefined ? undefined : (hookOf(repository, settings) ?? nested.armed(repository, settings)));
    const fetches = settings.some(({ name, value }) => partial.test(name) && value !== 'false');
    return { aliases: aliasesOf(settings), ...(runs !== undefined && { runs }), ...(fetches && { fetches }) };
  };
}

/** Also where a folder is a Git folder itself: Git takes it for a repository without working tree. */
function repositoryAt(folder: string): Repository | undefined {
  const place = findGitPlace(folder);
  for (let at = folder; at !== place?.topLevel; at = dirname(at)) {
    if (isGitFolder(at)) return { gitDir: at, commonDir: at, topLevel: at };
    if (at === dirname(at)) break;
  }
  return place;
}

function aliasesOf(settings: Setting[]): { [name: string]: string } {
  const aliases: { [name: string]: string } = Object.create(null) as { [name: string]: string };
  for (const { name, value } of settings) {
    const [, alias] = /^alias\.([^.]+)$/.exec(name) ?? [];
    if (alias !== undefined && value !== undefined) aliases[alias] = value;
  }
  return aliases;
}
