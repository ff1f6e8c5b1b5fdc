/** What differs in Git's data between two snapshots, told by what it means. */
import { plural } from '../../core/index.ts';
import { compareEntries } from './compare.ts';
import { countStashes, filesBelow, lostObjects, readReferences, readText } from './git-folder.ts';
import { indexMeaning } from './git-index.ts';
import { keyOf, pathOf, type ByteText } from './names.ts';
import { Pace } from './pace.ts';
import type { OpenSnapshot } from './recorded-trees.ts';
import type { Difference } from './snapshot.ts';
import type { TreeReader } from './tree-reader.ts';
import { isTree, type TreeEntry } from './trees.ts';

export type RepositoryPart =
  /** The Git folder as a whole came or went. */
  | 'repository'
  /** A file in its place that says where the Git folder is: of a submodule, or a linked working tree. */
  | 'pointer'
  | 'head'
  | 'branch'
  | 'tag'
  | 'remote'
  | 'reference'
  | 'stash'
  | 'index'
  /** A merge, rebase or the like that is under way, and ORIG_HEAD. */
  | 'operation'
  | 'log'
  | 'settings'
  | 'hook'
  /** Objects that were there and aren't any more. */
  | 'objects'
  | 'other';

export interface RepositoryDifference {
  /** The Git folder: a key in the workspace, or absolute. */
  repository: string;
  what: RepositoryPart;
  /** A reference's full name, else a path in the Git folder; keys. */
  name: string;
  /** In words; null where there was nothing. */
  before: string | null;
  after: string | null;
  /** Of a reference: what it points to. */
  value?: { before: string | null; after: string | null };
  /** The files that make the difference, by paths in the Git folder. A reference that is packed has none. */
  files: Difference[];
}

/** A Git folder in a snapshot, or a file that points to one. */
export interface GitFolderEntry {
  entry: TreeEntry;
  /** Absolute path of the folder around its tree, and the steps from there. */
  root: ByteText;
  steps: ByteText[];
}

/** By the name under which differences call it. */
export function gitFoldersOf(
  reader: TreeReader,
  { about, workspace, outside }: OpenSnapshot,
): Map<string, GitFolderEntry> {
  const found = new Map<string, GitFolderEntry>();
  for (const [place, key] of about.git) {
    const tree = place < 0 ? workspace : outside[place];
    const around = place < 0 ? about.workspace : about.outside[place];
    const steps = pathOf(key)
      .split('/')
      .filter((step) => step !== '');
    const entry = tree && reader.at(tree.id, steps);
    if (entry === undefined || around === undefined) continue;
    const name = place < 0 ? key : keyOf([pathOf(around), ...steps].join('/'));
    found.set(name, { entry, root: pathOf(around), steps });
  }
  return found;
}

export async function compareRepositories(
  reader: TreeReader,
  before: OpenSnapshot,
  after: OpenSnapshot,
): Promise<RepositoryDifference[]> {
  const [old, now] = [gitFoldersOf(reader, before), gitFoldersOf(reader, after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  const found: RepositoryDifference[] = [];
  for (const name of names) {
    const [one, other] = [old.get(name)?.entry, now.get(name)?.entry];
    if (one?.id === other?.id && one?.mode === other?.mode) continue;
    // One inside another that came or went is told with that.
    const isInside = found.some(({ what, repository }) => what === 'repository' && name.startsWith(`${repository}/`));
    if (isInside) continue;
    found.push(...comparePointers(reader, name, one, other));
    const [folder, folderNow] = [onlyFolder(one), onlyFolder(other)];
    if (folder !== undefined && folderNow !== undefined) {
      const inner = names
        .filter((each) => each.startsWith(`${name}/`))
        .map((each) => pathOf(each).slice(pathOf(name).length + 1));
      const pair = { reader, repository: name, before: folder, after: folderNow, inner: new Set(inner) };
      for (const change of await compareFolders(pair)) found.push(change);
    } else if (folder !== folderNow) found.push(wholeFolder(reader, name, folder, folderNow));
  }
  return found;
}

function onlyFolder(entry: TreeEntry | undefined): TreeEntry | undefined {
  return entry !== undefined && isTree(entry) ? entry : undefined;
}

function comparePointers(
  reader: TreeReader,
  repository: string,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
): RepositoryDifference[] {
  const pointer = (entry: TreeEntry | undefined) => (entry === undefined || isTree(entry) ? undefined : entry);
  const [one, other] = [pointer(before), pointer(after)];
  if (one?.id === other?.id && one?.mode === other?.mode) return [];
  const inWords = (entry: TreeEntry | undefined) =>
    entry === undefined ? null : (reader.objects.read(entry.id)?.bytes.toString('utf8').trim() ?? 'there');
  const describe = (entry: TreeEntry | undefined) => (entry === undefined ? null : reader.describe(entry));
  const file = { path: '', before: describe(one), after: describe(other) };
  return [{ repository, what: 'pointer', name: '', before: inWords(one), after: inWords(other), files: [file] }];
}

function wholeFolder(
  reader: TreeReader,
  repository: string,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
): RepositoryDifference {
  const files: Difference[] = [];
  const inWords = (folder: TreeEntry | undefined) =>
    folder === undefined ? null : (readText(reader, folder, ['HEAD'])?.trim() ?? 'no HEAD');
  for (const { path, entry } of filesBelow(reader, (before ?? after) as TreeEntry, '')) {
    const described = reader.describe(entry);
    files.push({
      path: keyOf(path),
      before: before && described ? described : null,
      after: after && described ? described : null,
    });
  }
  return { repository, what: 'repository', name: '', before: inWords(before), after: inWords(after), files };
}

interface Pair {
  reader: TreeReader;
  repository: string;
  before: TreeEntry;
  after: TreeEntry;
  /** Paths of Git folders inside this one, which are compared by themselves. */
  inner: Set<ByteText>;
}

async function compareFolders(pair: Pair): Promise<RepositoryDifference[]> {
  const { reader, repository, before, after, inner } = pair;
  const files: Difference[] = [];
  const skips = (path: ByteText) =>
    inner.has(path) || path === 'objects' || path === 'packed-refs' || path.startsWith('refs/');
  await compareEntries({ reader, pace: new Pace(), found: files, skips }, '', before, after);
  const taken = new Set<Difference>();
  const logOf = (name: ByteText) => {
    const log = files.find(({ path }) => path === keyOf(`logs/${name}`));
    if (log !== undefined) taken.add(log);
    return log === undefined ? [] : [log];
  };
  const found: RepositoryDifference[] = [];
  const [old, now] = [readReferences(reader, before), readReferences(reader, after)];
  for (const name of [...new Set([...old.keys(), ...now.keys()])].toSorted()) {
    const [one, other] = [old.get(name) ?? null, now.get(name) ?? null];
    if (one === other || name === 'refs/stash') continue;
    const value = { before: one, after: other };
    found.push({ repository, what: partOfReference(name), name: keyOf(name), ...value, value, files: logOf(name) });
  }
  found.push(...compareStashes(pair, old, now, logOf));
  for (const file of files.filter((each) => !taken.has(each))) found.push(...compareFile(pair, file));
  const lost = lostObjects(reader, before, after);
  if (lost.length === 0) return found;
  const lostFiles = lost.map((path) => {
    const [one, other] = [before, after].map((folder) => reader.at(folder.id, path.split('/')));
    return {
      path: keyOf(path),
      before: one ? reader.describe(one) : null,
      after: other ? reader.describe(other) : null,
    };
  });
  found.push({
    repository,
    what: 'objects',
    name: 'objects',
    before: plural(lost.length, 'file'),
    after: null,
    files: lostFiles,
  });
  return found;
}

function partOfReference(name: ByteText): RepositoryPart {
  if (name.startsWith('refs/heads/')) return 'branch';
  if (name.startsWith('refs/tags/')) return 'tag';
  return name.startsWith('refs/remotes/') ? 'remote' : 'reference';
}

/** All but the newest stash are nothing but lines of a log. */
function compareStashes(
  { reader, repository, before, after }: Pair,
  old: Map<ByteText, string>,
  now: Map<ByteText, string>,
  logOf: (name: ByteText) => Difference[],
): RepositoryDifference[] {
  const files = logOf('refs/stash');
  if (files.length === 0 && old.get('refs/stash') === now.get('refs/stash')) return [];
  const inWords = (folder: TreeEntry) => {
    const count = countStashes(reader, folder);
    return count === 0 ? null : `${count} ${count === 1 ? 'stash' : 'stashes'}`;
  };
  const value = { before: old.get('refs/stash') ?? null, after: now.get('refs/stash') ?? null };
  return [
    { repository, what: 'stash', name: 'refs/stash', before: inWords(before), after: inWords(after), value, files },
  ];
}

function compareFile({ reader, repository, before, after }: Pair, file: Difference): RepositoryDifference[] {
  const path = pathOf(file.path);
  // In the folder of a linked working tree the same files mean the same.
  const what = partOfFile(path.replace(/^worktrees\/[^/]+\//, ''));
  if (what === 'index') {
    const meaning = (hash: string | undefined) => {
      const bytes = hash === undefined ? undefined : reader.objects.read(hash)?.bytes;
      return bytes && indexMeaning(bytes);
    };
    const [one, other] = [meaning(file.before?.hash), meaning(file.after?.hash)];
    if (one !== undefined && one === other) return [];
  }
  const inWords = (folder: TreeEntry, isThere: boolean) => {
    if (!isThere) return null;
    return (what === 'head' ? readText(reader, folder, path.split('/'))?.trim() : undefined) ?? 'there';
  };
  const [one, other] = [inWords(before, file.before !== null), inWords(after, file.after !== null)];
  return [{ repository, what, name: file.path, before: one, after: other, files: [file] }];
}

function partOfFile(path: ByteText): RepositoryPart {
  if (path === 'HEAD') return 'head';
  if (path === 'index' || path.startsWith('sharedindex.')) return 'index';
  if (/^(config|config\.worktree|info(\/|$))/.test(path)) return 'settings';
  if (/^hooks(\/|$)/.test(path)) return 'hook';
  if (/^logs(\/|$)/.test(path)) return 'log';
  if (/^reftable(\/|$)/.test(path)) return 'reference';
  const isOperation =
    /^(ORIG_HEAD|MERGE_\w+|CHERRY_PICK_HEAD|REVERT_HEAD|AUTO_MERGE|SQUASH_MSG|BISECT_\w+|(rebase-merge|rebase-apply|sequencer)(\/|$))/;
  return isOperation.test(path) ? 'operation' : 'other';
}
