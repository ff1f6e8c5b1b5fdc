/** Puts single paths of the workspace back. */
import { chmodSync } from 'node:fs';
import { HeldFolder } from './held-folder.ts';
import { bytesOf, stepsTo, systemPath, type ByteText } from './names.ts';
import type { Objects } from './objects.ts';
import { Pace } from './pace.ts';
import { put, reasonOf, type Putting, type Wanted } from './put.ts';
import type { Entry, Outcome } from './snapshot.ts';
import { look } from './status.ts';
import { permissions } from './trees.ts';

export interface RestoreTarget {
  /** A key, or absolute. */
  path: string;
  /** What is to be there; null for nothing. */
  entry: Entry | null;
  /** What must be there for it to be touched. */
  expected: Entry | null;
  /** What the file is to hold instead of what `entry` names: the outcome of a merge. */
  content?: Buffer;
}

interface Step {
  target: RestoreTarget;
  steps: ByteText[];
}

/** Outcomes in the order of the targets. */
export async function restorePaths(
  workspace: string,
  objects: Objects,
  targets: readonly RestoreTarget[],
): Promise<Outcome[]> {
  const outcomes = new Map<RestoreTarget, string | undefined>();
  const all: Step[] = [];
  for (const target of targets) {
    const steps = stepsTo(workspace, target.path);
    const why = whyNot(steps);
    if (steps === undefined || why !== undefined) outcomes.set(target, why);
    else all.push({ target, steps });
  }
  const byPath = all.toSorted((a, b) => (a.steps.join('/') < b.steps.join('/') ? -1 : 1));
  const removals = byPath.filter(({ target }) => target.entry === null).toReversed();
  // What is in a folder goes before it, and comes after it.
  const touched = new Map<string, ByteText[]>();
  const pace = new Pace();
  for (const step of [...removals, ...byPath.filter(({ target }) => target.entry !== null)]) {
    const around = step.steps.slice(0, -1);
    const isFirst = !touched.has(around.join('/'));
    touched.set(around.join('/'), around);
    outcomes.set(step.target, await restoreOne(workspace, { objects, pace }, step, isFirst));
    if (pace.isDue()) await pace.rest();
  }
  for (const around of touched.values()) {
    await inFolder(bytesOf(workspace), around, false, async (folder) => {
      folder.sync();
      return undefined;
    });
  }
  // A folder that may not be written must be full first.
  for (const { target, steps } of byPath.toReversed()) {
    if (outcomes.get(target) === undefined && isFolder(target.entry)) {
      outcomes.set(target, setFolderMode(workspace, steps, target));
    }
  }
  return targets.map((target) => {
    const why = outcomes.get(target);
    return why === undefined ? { path: target.path, done: true } : { path: target.path, refused: why };
  });
}

function whyNot(steps: readonly ByteText[] | undefined): string | undefined {
  if (steps === undefined) return 'it lies outside of the workspace';
  if (steps.length === 0) return 'it is the workspace itself';
  return steps.includes('.git') ? 'it is Git’s own data' : undefined;
}

function isFolder(entry: Entry | null): entry is Entry {
  return entry?.kind === 'folder' || entry?.kind === 'repository';
}

async function restoreOne(
  workspace: string,
  putting: Putting,
  { target, steps }: Step,
  isFirst: boolean,
): Promise<string | undefined> {
  const name = steps.at(-1) ?? '';
  return inFolder(bytesOf(workspace), steps.slice(0, -1), target.entry !== null, async (folder) => {
    if (isFirst) folder.clean();
    return put(putting, folder, name, target satisfies Wanted);
  });
}

/** Works in a held folder, if it is there or is to be made; a reason of the system's comes back as words. */
export async function inFolder(
  root: ByteText,
  steps: readonly ByteText[],
  makes: boolean,
  work: (folder: HeldFolder) => Promise<string | undefined>,
): Promise<string | undefined> {
  let folder: HeldFolder;
  try {
    folder = new HeldFolder(root, steps, makes);
  } catch (error) {
    // Where nothing is to be made, nothing is to be there either.
    const isGone = !makes && (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isGone ? undefined : reasonOf(error);
  }
  try {
    return await work(folder);
  } catch (error) {
    return reasonOf(error);
  } finally {
    folder.close();
  }
}

/** Only from the mode that is expected, or that a new one was given. */
function setFolderMode(
  workspace: string,
  steps: readonly ByteText[],
  { entry, expected }: RestoreTarget,
): string | undefined {
  try {
    const folder = new HeldFolder(bytesOf(workspace), steps.slice(0, -1), false);
    try {
      const path = folder.pathOf(steps.at(-1) ?? '');
      const status = look(path);
      if (entry === null || typeof status !== 'object' || !status.isDirectory()) return 'it is no folder any more';
      const now = Number(status.mode) & permissions;
      if (now === entry.mode) return undefined;
      if (isFolder(expected) && now !== expected.mode) return 'its mode has changed meanwhile';
      chmodSync(systemPath(path), entry.mode);
      return undefined;
    } finally {
      folder.close();
    }
  } catch (error) {
    return reasonOf(error);
  }
}
