/** The joint between calls and the store of checkpoints: what is kept before and after each, and when that can wait. */
import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { placesOf, type LoadedSettings } from '../config/index.ts';
import { loadCheckpoints, type CheckpointStore } from '../exec/index.ts';
import { classOf } from '../safety/index.ts';
import type { Checkpoints, Effects } from '../tools/index.ts';

type Variables = { readonly [name: string]: string | undefined };
type CheckpointSettings = LoadedSettings['settings']['checkpoints'];

/** The store of a workspace (its real path), as a session sees it. */
export async function storeFor(
  env: Variables | undefined,
  workspace: string,
  session: string,
  settings?: CheckpointSettings,
): Promise<CheckpointStore> {
  const { createCheckpoints } = await loadCheckpoints();
  const { state } = placesOf(env);
  // Where it lies in the workspace, what Reins itself writes there is nobody's change.
  const common = { workspace, session, store: storeFolder(state, workspace), exclude: [state] };
  if (settings === undefined) return createCheckpoints(common);
  const ignoredBytes = { each: settings.fileBytes, all: settings.ignoredBytes };
  return createCheckpoints({ ...common, ignoredBytes, limits: { store: settings.storeBytes } });
}

/** Where the snapshots of a workspace (its real path) are kept. */
export function storeFolder(state: string, workspace: string): string {
  return join(state, 'checkpoints', createHash('sha256').update(workspace).digest('hex').slice(0, 32));
}

export interface SessionCheckpoints extends Checkpoints {
  /** Takes the first look at the workspace in advance, once, and lets go of what is old. Never rejects: what fails is told by the first call. */
  warm(): Promise<void>;
  /** The workspace as it is now. */
  present(): Promise<string | undefined>;
  close(): Promise<void>;
}

export function sessionCheckpoints(open: () => Promise<CheckpointStore>): SessionCheckpoints {
  let opened: Promise<CheckpointStore> | undefined;
  let warmed: Promise<void> | undefined;
  const opening = (): Promise<CheckpointStore> => (opened ??= open());
  // What a command may discard must be kept before it begins.
  const takeAll = async (store: CheckpointStore): Promise<string | undefined> => {
    await store.take();
    await store.settled();
    return store.latest()?.id;
  };
  const take = async (effects: Effects): Promise<string | undefined> => {
    if (effects.analysis !== undefined && classOf(effects.analysis) === 'read') return undefined;
    const paths = writtenPaths(effects);
    const store = await opening();
    if (paths !== undefined) return (await store.take({ paths })).id;
    return takeAll(store);
  };
  const lookFirst = async (): Promise<void> => {
    try {
      const store = await opening();
      await store.take();
      await store.prune();
    } catch {
      // The first call that needs it says so, and isn't run.
    }
  };
  return {
    before: take,
    after: take,
    present: async () => takeAll(await opening()),
    warm: () => (warmed ??= lookFirst()),
    close: async () => (await opened)?.close(),
  };
}

/** The files that a call may write; undefined where it may write others too. */
function writtenPaths({ effects, resources }: Effects): string[] | undefined {
  if (resources === 'unknown' || effects.some((effect) => effect !== 'read' && effect !== 'write')) return undefined;
  const written = resources.filter(({ access }) => access === 'write').map(({ path }) => path);
  return written.every((path) => isAbsolute(path) && !/[*?[{]/.test(path)) ? written : undefined;
}
