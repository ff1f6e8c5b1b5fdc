/** Takes back what happened to Git's data: each difference only where nobody has changed the same since. */
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { Batch } from './batch.ts';
import { buildTree } from './build.ts';
import type { GitFolderEntry, RepositoryDifference } from './compare-repository.ts';
import { parsePackedReferences, parseReference } from './git-folder.ts';
import { indexMeaning } from './git-index.ts';
import { hasGitLock, withGitLock } from './git-lock.ts';
import { HeldFolder } from './held-folder.ts';
import { Budget, type Limits } from './limits.ts';
import { Look } from './look.ts';
import { keyOf, pathOf, systemPath, type ByteText } from './names.ts';
import { FolderNode } from './nodes.ts';
import type { Objects } from './objects.ts';
import { Pace } from './pace.ts';
import { readSmallFile, replaceFile } from './plain-file.ts';
import { put, reasonOf, temporaryName, type Putting } from './put.ts';
import { inFolder } from './restore.ts';
import { scopeOfGitFolder } from './scope.ts';
import type { Difference } from './snapshot.ts';
import { State } from './state.ts';
import { look } from './status.ts';
import type { TreeReader } from './tree-reader.ts';
import { isTree, permissions, type TreeEntry } from './trees.ts';

export interface RepositoryRestore {
  reader: TreeReader;
  objects: Objects;
  limits: Limits;
  /** Git folders by the names that the differences use. */
  before: Map<string, GitFolderEntry>;
  after: Map<string, GitFolderEntry>;
}

/** What has to come before what: objects before those that need them, references before logs. */
const order: RepositoryDifference['what'][] = [
  'repository',
  'objects',
  'branch',
  'tag',
  'remote',
  'reference',
  'stash',
  'head',
  'index',
];

/** Reasons by difference; those that aren't in it were taken back. */
export async function restoreDifferences(
  restore: RepositoryRestore,
  differences: readonly RepositoryDifference[],
): Promise<Map<RepositoryDifference, string>> {
  const refused = new Map<RepositoryDifference, string>();
  for (const difference of differences.toSorted((a, b) => rankOf(a) - rankOf(b) || insideFirst(a, b))) {
    const why = await restoreDifference(restore, difference);
    if (why !== undefined) refused.set(difference, why);
  }
  return refused;
}

function rankOf(difference: RepositoryDifference): number {
  const { what, before } = difference;
  // A pointer may stand in the place of a folder that is to come back.
  if (what === 'pointer' && before === null) return -1;
  // A folder goes when it is empty.
  if (isMadeFolder(difference)) return order.length + 1;
  return order.includes(what) ? order.indexOf(what) : order.length;
}

function insideFirst(a: RepositoryDifference, b: RepositoryDifference): number {
  return isMadeFolder(a) ? b.name.length - a.name.length : 0;
}

function isMadeFolder({ what, files }: RepositoryDifference): boolean {
  return what !== 'repository' && files.length === 1 && files[0]?.before === null && files[0].after?.kind === 'folder';
}

async function restoreDifference(
  restore: RepositoryRestore,
  difference: RepositoryDifference,
): Promise<string | undefined> {
  const place = restore.before.get(difference.repository) ?? restore.after.get(difference.repository);
  if (place === undefined) return 'neither snapshot knows this Git folder';
  try {
    if (difference.what === 'repository') return await restoreWhole(restore, difference);
    const putting = { objects: restore.objects, pace: new Pace() };
    const why = isReference(difference) ? await restoreReference(place, difference) : undefined;
    if (why !== undefined) return why;
    // What is new comes first, then what changed, then what goes: Git never sees a list that names what isn't there.
    const files = difference.files.toSorted((a, b) => phase(a) - phase(b));
    for (const file of files) {
      const whyFile = await restoreFile(putting, place, difference, file);
      // The log of a reference that others have moved on with is theirs; that of stashes is all that there is of them.
      const isOnlyLog = isReference(difference) && difference.what !== 'stash';
      if (whyFile !== undefined && !isOnlyLog) return `${file.path}: ${whyFile}`;
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function isReference({ what, name }: RepositoryDifference): boolean {
  return name.startsWith('refs/') && ['branch', 'tag', 'remote', 'reference', 'stash'].includes(what);
}

function phase({ before, after }: Difference): number {
  if (after === null) return 0;
  return before === null ? 2 : 1;
}

async function restoreFile(
  putting: Putting,
  place: GitFolderEntry,
  { what }: RepositoryDifference,
  { path, before, after }: Difference,
): Promise<string | undefined> {
  const inside = pathOf(path);
  const steps = [...place.steps, ...inside.split('/').filter((step) => step !== '')];
  const name = steps.at(-1) ?? '';
  return inFolder(place.root, steps.slice(0, -1), before !== null, async (folder) => {
    folder.clean();
    const work = async () => {
      // Objects that are there needn't be put back, unless they were written over.
      if (what === 'objects' && after === null && look(folder.pathOf(name)) !== undefined) return undefined;
      const expected = what === 'index' ? sameMeaning(putting.objects, folder, name, after) : after;
      const why = await put(putting, folder, name, { entry: before, expected });
      const isFolder = before?.kind === 'folder' || before?.kind === 'repository';
      if (why === undefined) folder.sync();
      if (why === undefined && isFolder) chmodSync(systemPath(folder.pathOf(name)), before.mode);
      return why;
    };
    return hasGitLock(inside) ? withGitLock(folder, name, work) : work();
  });
}

/** Git writes its index anew whenever it looks at files: what counts is what it says of them. */
function sameMeaning(
  objects: Objects,
  folder: HeldFolder,
  name: ByteText,
  expected: Difference['after'],
): Difference['after'] {
  const bytes = readSmallFile(folder.pathOf(name));
  const known = expected?.hash === undefined ? undefined : objects.read(expected.hash)?.bytes;
  if (bytes === undefined || known === undefined || expected === null) return expected;
  if (indexMeaning(bytes.content) !== indexMeaning(known)) return expected;
  return { kind: 'file', mode: bytes.mode, hash: bytes.id, size: bytes.content.length, kept: true };
}

/** A reference is what its own file says, or else a line among the packed ones. */
async function restoreReference(place: GitFolderEntry, difference: RepositoryDifference): Promise<string | undefined> {
  const name = pathOf(difference.name);
  const steps = name.split('/');
  const leaf = steps.at(-1) ?? '';
  const [wanted, believed] = [difference.value?.before ?? null, difference.value?.after ?? null];
  if (wanted === believed) return undefined;
  return inFolder(place.root, place.steps, false, async (git) => {
    const restoreAt = (folder: HeldFolder) =>
      withGitLock(folder, leaf, async () => {
        const own = parseReference(readSmallFile(folder.pathOf(leaf))?.content.toString('latin1'));
        const packed = parsePackedReferences(
          readSmallFile(git.pathOf('packed-refs'))?.content.toString('latin1') ?? '',
        );
        const now = own ?? packed.get(name) ?? null;
        if (now === wanted) return undefined;
        if (now !== believed) return 'it points elsewhere by now';
        if (wanted !== null) return replaceFile(folder, leaf, Buffer.from(`${wanted}\n`, 'latin1'), 0o644);
        const why = packed.has(name) ? await unpack(git, name) : undefined;
        if (why === undefined) rmSync(systemPath(folder.pathOf(leaf)), { force: true });
        return why;
      });
    return inFolder(place.root, [...place.steps, ...steps.slice(0, -1)], true, restoreAt);
  });
}

/** Takes one reference out of the packed ones, with the line below it that says what a tag leads to. */
async function unpack(git: HeldFolder, name: ByteText): Promise<string | undefined> {
  return withGitLock(git, 'packed-refs', async () => {
    const file = readSmallFile(git.pathOf('packed-refs'));
    if (file === undefined) return 'the packed references can’t be read';
    const lines = file.content.toString('latin1').split('\n');
    const at = lines.findIndex((line) => line.endsWith(` ${name}`) && /^[0-9a-f]/.test(line));
    if (at < 0) return undefined;
    lines.splice(at, lines[at + 1]?.startsWith('^') === true ? 2 : 1);
    return replaceFile(git, 'packed-refs', Buffer.from(lines.join('\n'), 'latin1'), file.mode);
  });
}

/** The Git folder as a whole: it must be gone, or else exactly what it was. */
async function restoreWhole(
  restore: RepositoryRestore,
  { repository }: RepositoryDifference,
): Promise<string | undefined> {
  const [old, now] = [restore.before.get(repository), restore.after.get(repository)];
  const place = (old ?? now) as GitFolderEntry;
  const name = place.steps.at(-1);
  // A Git folder outside of the workspace has no name of its own here.
  if (name === undefined) return 'it lies outside of the workspace';
  return inFolder(place.root, place.steps.slice(0, -1), old !== undefined, async (folder) => {
    const aside = folder.pathOf(temporaryName());
    const path = folder.pathOf(name);
    try {
      if (old !== undefined) {
        if (look(path) !== undefined) return 'it exists by now';
        const left: ByteText[] = [];
        const why = await makeTree(restore, old.entry, aside, left);
        if (why !== undefined) return why;
        if (look(path) !== undefined) return 'it exists by now';
        renameSync(systemPath(aside), systemPath(path));
        return left.length === 0
          ? undefined
          : `it is back, but without what was not kept: ${left.map(keyOf).join(', ')}`;
      }
      if (look(path) === undefined) return undefined;
      const real = [place.root, ...place.steps].join('/');
      if ((await treeOf(restore, real)) !== now?.entry.id) return 'it has changed meanwhile';
      renameSync(systemPath(path), systemPath(aside));
      return undefined;
    } finally {
      rmSync(systemPath(aside), { force: true, recursive: true });
    }
  });
}

/** Makes a folder with all that a tree says. What wasn't kept can't be brought back: the rest is worth more than nothing. */
async function makeTree(
  restore: RepositoryRestore,
  tree: TreeEntry,
  path: ByteText,
  left: ByteText[],
): Promise<string | undefined> {
  mkdirSync(systemPath(path), { mode: 0o700 });
  const putting = { objects: restore.objects, pace: new Pace() };
  const folder = new HeldFolder(path, [], false);
  try {
    for (const entry of restore.reader.entries(tree.id).values()) {
      const described = restore.reader.describe(entry);
      if (!described.kept) {
        left.push(entry.name);
        continue;
      }
      const why = isTree(entry)
        ? await makeTree(restore, entry, folder.pathOf(entry.name), left)
        : await put(putting, folder, entry.name, { entry: described, expected: null });
      if (why !== undefined) return `${entry.name}: ${why}`;
    }
    chmodSync(systemPath(path), tree.mode & permissions);
    return undefined;
  } finally {
    folder.close();
  }
}

/** The id of a Git folder's tree as it is now. */
async function treeOf({ objects, limits }: RepositoryRestore, path: ByteText): Promise<string> {
  const pace = new Pace();
  const batch = new Batch(objects, pace);
  const state = new State(path, new Budget(limits, { bytes: 0 }));
  const folder = new FolderNode(undefined, '', path);
  try {
    await new Look({ state, batch, pace }).whole(folder, scopeOfGitFolder());
    return await buildTree(folder, batch, pace);
  } finally {
    batch.abandon();
  }
}
