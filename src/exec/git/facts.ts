/** What Git commands at a folder would run besides themselves, by what is configured there. */
import { dirname, join } from 'node:path';
import { statusOf } from '../paths.ts';
import { ConfigurationReader, stampOf, type Setting } from './configuration.ts';
import { gitlinksOf } from './gitlinks.ts';
import { findGitPlace, isGitFolder } from './place.ts';

export interface GitFacts {
  aliases: { readonly [name: string]: string };
  /** What reading commands would run, in words; undefined for nothing. */
  runs?: string;
  /** Objects may be missing, and are fetched when they are read. */
  fetches?: true;
}

/** Settings of a repository by which a command that reads runs a program, or writes somewhere. */
const running =
  /^(?:core\.(?:fsmonitor|pager|sshcommand|gitproxy|askpass|alternaterefscommand|attributesfile)|diff\.external|diff\..*\.(?:textconv|command)|filter\..*\.(?:clean|smudge|process)|pager\..*|gpg\.(?:.*\.)?program|log\.showsignature|credential\.(?:.*\.)?helper|remote\..*\.(?:uploadpack|vcs|promisor|partialclonefilter)|extensions\.partialclone|tar\..*\.command|trace2\..*)$/s;
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

interface Repository {
  gitDir: string;
  commonDir: string;
  topLevel: string;
}

/** Repositories in it whose own settings count as well, since Git looks into them for their state. */
class NestedRepositories {
  readonly #reader: ConfigurationReader;
  readonly #links = new Map<string, { stamp: string; paths: string[] | undefined }>();

  constructor(reader: ConfigurationReader) {
    this.#reader = reader;
  }

  /** What one of them would run, in words. */
  armed({ gitDir, topLevel }: Repository, settings: Setting[], depth = 0): string | undefined {
    const isLong = settings.some(({ name, value }) => name === 'extensions.objectformat' && value === 'sha256');
    const links = this.#linksOf(join(gitDir, 'index'), isLong ? 32 : 20);
    if (links === undefined) return 'its index can’t be read';
    if (links.length > mostNested || depth > deepestNested) return 'it holds too many other repositories to look into';
    for (const link of links) {
      const inner = findGitPlace(join(topLevel, link));
      if (inner === undefined || inner.topLevel !== join(topLevel, link)) continue;
      const files = ownFiles(inner).map((path) => this.#reader.read(path));
      const own = files.flatMap((each) => each ?? []);
      const found =
        (files.includes(undefined) ? 'a file of its configuration can’t be read' : undefined) ??
        armed(files, running) ??
        hookOf(inner, own) ??
        this.armed(inner, own, depth + 1);
      if (found !== undefined) return `${link}: ${found}`;
    }
    return undefined;
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

/** Other repositories that are looked into, and how deep. */
const mostNested = 200;
const deepestNested = 5;

/** Also where a folder is a Git folder itself: Git takes it for a repository without working tree. */
function repositoryAt(folder: string): Repository | undefined {
  const place = findGitPlace(folder);
  for (let at = folder; at !== place?.topLevel; at = dirname(at)) {
    if (isGitFolder(at)) return { gitDir: at, commonDir: at, topLevel: at };
    if (at === dirname(at)) break;
  }
  return place;
}

function ownFiles({ gitDir, commonDir }: Repository): string[] {
  return [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
}

/** The first setting that runs something. */
function armed(files: (Setting[] | undefined)[], names: RegExp): string | undefined {
  const last = new Map(files.flatMap((each) => each ?? []).map(({ name, value }) => [name, value]));
  for (const [name, value] of last) {
    if (!names.test(name) || isOff(name, value)) continue;
    return value === undefined ? name : `${name}=${value.slice(0, 80)}`;
  }
  return undefined;
}

/** Lists of helpers are added to; an empty one only clears those before. */
function isOff(name: string, value: string | undefined): boolean {
  if (value === '' || value === 'false' || value === 'no' || value === 'off' || value === '0') return true;
  const isSwitch = value === undefined || value === 'true';
  return (isSwitch && name.startsWith('pager.')) || (name === 'core.pager' && value === 'cat');
}

/** The only hook that a command runs which just looks: it may refresh the index on the way. */
function hookOf({ commonDir, topLevel }: Repository, settings: Setting[]): string | undefined {
  const configured = settings.findLast(({ name }) => name === 'core.hookspath')?.value;
  const folder = configured === undefined || configured === '' ? join(commonDir, 'hooks') : configured;
  if (folder.startsWith('~')) return 'hooks in the home folder';
  const path = join(folder.startsWith('/') ? folder : join(topLevel, folder), 'post-index-change');
  const isThere = statusOf(path) !== undefined && stampOf(path) !== undefined;
  return isThere ? 'the hook post-index-change' : undefined;
}

function aliasesOf(settings: Setting[]): { [name: string]: string } {
  const aliases: { [name: string]: string } = Object.create(null) as { [name: string]: string };
  for (const { name, value } of settings) {
    const [, alias] = /^alias\.([^.]+)$/.exec(name) ?? [];
    if (alias !== undefined && value !== undefined) aliases[alias] = value;
  }
  return aliases;
}
