/** What the tests of checkpoints share: stores of their own, and whole trees of files as values that can be compared. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  createCheckpoints,
  type CheckpointOptions,
  type CheckpointStore,
  type Difference,
  type RestoreTarget,
} from '../../src/exec/checkpoints/index.ts';
import { makeFolder } from './workbench.ts';

/** A store beside the workspace, closed after the test. */
export function openStore(
  t: TestContext,
  workspace: string,
  options: Partial<CheckpointOptions> = {},
): CheckpointStore & { path: string } {
  const path = options.store ?? join(makeFolder(t), 'store');
  const store = createCheckpoints({ workspace, session: 'first', ...options, store: path });
  t.after(() => store.close());
  return Object.assign(store, { path });
}

export interface TreeOptions {
  /** Paths that are left out, with all below. */
  without?: (path: string) => boolean;
  /** Also the times of files and folders. */
  times?: boolean;
}

/** Every file, link and folder below one, by path (one character a byte), with mode and content. */
export function treeOf(root: string, { without = () => false, times = false }: TreeOptions = {}): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    const bytes = Buffer.from(join(root, path), 'latin1');
    const status = lstatSync(bytes, { bigint: true });
    const mode = (status.mode & 0o7777n).toString(8);
    const time = times ? ` ${status.mtimeNs} ${status.ctimeNs}` : '';
    if (status.isSymbolicLink()) found.set(path, `link to ${readlinkSync(bytes, 'latin1')}${time}`);
    else if (status.isFile()) {
      const hash = createHash('sha256').update(readFileSync(bytes)).digest('hex');
      found.set(path, `file ${mode} ${status.size} ${hash}${time}`);
    } else if (status.isDirectory()) {
      if (path !== '') found.set(path, `folder ${mode}${time}`);
      for (const name of readdirSync(bytes, 'latin1').toSorted()) {
        const inside = path === '' ? name : `${path}/${name}`;
        if (!without(inside)) visit(inside);
      }
    } else found.set(path, `special ${mode}`);
  };
  visit('');
  return found;
}

/** The workspace's own files, without Git's. */
export const filesOf = (root: string): Map<string, string> =>
  treeOf(root, { without: (path) => /(^|\/)\.git$/.test(path) });

/** Takes back differences, where what is there is what they left. */
export const undoing = (differences: readonly Difference[]): RestoreTarget[] =>
  differences.map(({ path, before, after }) => ({ path, entry: before, expected: after }));

/** Brings files and Git's data back to a snapshot from another; what was refused. */
export async function bringBack(store: CheckpointStore, before: string, after: string): Promise<string[]> {
  const parts = await store.compareRepository(before, after);
  const outcomes = await store.restoreRepository(before, after, parts);
  const files = await store.restore(undoing(await store.compare(before, after)));
  return [
    ...outcomes.flatMap(({ difference, refused }) =>
      refused === null ? [] : [`${difference.what} ${difference.name}: ${refused}`],
    ),
    ...files.flatMap((outcome) => ('refused' in outcome ? [`${outcome.path}: ${outcome.refused}`] : [])),
  ];
}

export function write(root: string, path: string, content: string | Buffer, mode?: number): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { force: true });
  writeFileSync(join(root, path), content, mode === undefined ? {} : { mode });
}

/** What a comparison says, one short line for each path. */
export const inShort = (differences: readonly Difference[]): string[] =>
  differences.map(({ path, before, after }) => `${path}: ${before?.kind ?? 'nothing'} -> ${after?.kind ?? 'nothing'}`);
