/** What a session changed in its workspace, as a patch: its own changes alone, put together over everything that others did between. */
import { placesOf } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import type { CheckpointStore } from '../../exec/index.ts';
import { readLog, scan, sessionFolder } from '../../session/index.ts';
import { storeFor } from '../checkpoints.ts';
import { sessionId } from '../reader.ts';
import { mergeTexts } from './merge.ts';
import { operationsIn, type Operation } from './operations.ts';
import type { Variables, Which } from './open.ts';
import { patchOf, type FileChange } from './patch.ts';
import type { Difference } from './take-back.ts';

/** Rejects with `session-missing`, and `undo-impossible` where the log doesn't say which workspace it was. Takes no lock. */
export async function sessionDiff(env: Variables | undefined, which: Which): Promise<string> {
  const id = sessionId(env, which);
  const folder = sessionFolder(placesOf(env).state, id);
  const workspace = scan(folder).session?.workspace;
  if (workspace === undefined) throw new ReinsError('undo-impossible', `The log of session ${id} names no workspace.`);
  const store = await storeFor(env, workspace, id);
  try {
    const operations = operationsIn(readLog(folder)).filter(({ what, isUndone }) => what === 'call' && !isUndone);
    return await patchOf(await changesOf(store, operations));
  } finally {
    await store.close();
  }
}

async function changesOf(store: CheckpointStore, operations: readonly Operation[]): Promise<FileChange[]> {
  const chains = new Map<string, FileChange[]>();
  for (const { before, after, paths } of operations) {
    // A call that goes on, or was cut off, has nothing after it yet.
    if (after === undefined) continue;
    for (const difference of await store.compare(before, after)) {
      const { path } = difference;
      const isOwn = paths === undefined || paths.includes(path);
      const isFile = [difference.before, difference.after].every((entry) => entry === null || entry.kind === 'file');
      if (!isOwn || !isFile) continue;
      const change = await changeOf(store, difference, before, after);
      chains.set(path, [...(chains.get(path) ?? []), change]);
    }
  }
  const changes: FileChange[] = [];
  for (const chain of chains.values()) changes.push(...(await joined(chain)));
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function changeOf(
  store: CheckpointStore,
  { path, ...entries }: Difference,
  before: string,
  after: string,
): Promise<FileChange> {
  return {
    path,
    before: await store.content(before, path),
    after: await store.content(after, path),
    ...(entries.before !== null && { modeBefore: entries.before.mode }),
    ...(entries.after !== null && { modeAfter: entries.after.mode }),
  };
}

/** One change from the first state to the last; where others changed the same lines between, each of the changes by itself. */
async function joined(chain: readonly FileChange[]): Promise<FileChange[]> {
  const [first] = chain;
  if (first === undefined) return [];
  let state = first.after;
  for (const { before, after } of chain.slice(1)) {
    const next = await advanced(state, before, after);
    if (next === undefined) return [...chain];
    state = next;
  }
  const { modeAfter } = chain.at(-1) ?? first;
  const whole: FileChange = { ...first, after: state, ...(modeAfter !== undefined && { modeAfter }) };
  const isNothing =
    first.before === null
      ? state === null
      : state !== null && first.before.equals(state) && first.modeBefore === modeAfter;
  return isNothing ? [] : [whole];
}

/** The state with a further change; undefined where that isn't to be told. */
async function advanced(
  state: Buffer | null,
  before: Buffer | null,
  after: Buffer | null,
): Promise<Buffer | null | undefined> {
  const isNext = state === null || before === null ? state === before : state.equals(before);
  if (isNext) return after;
  if (state === null || before === null || after === null) return undefined;
  return mergeTexts(before, state, after);
}
