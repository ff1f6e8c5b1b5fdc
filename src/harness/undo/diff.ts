/** What a session changed in its workspace, as a patch: its own changes alone, put together over everything that others did between. */
import { placesOf } from '../../config/index.ts';
import type { CheckpointStore } from '../../exec/index.ts';
import { held, readLog, scan, sessionFolder } from '../../session/index.ts';
import { sessionId } from '../reader.ts';
import { secretsOutside } from '../secrets.ts';
import { mergeTexts } from './merge.ts';
import { openStore, workspaceOf, type Variables, type Which } from './open.ts';
import { historyIn, type Operation } from './operations.ts';
import { patchOf, type FileChange, type FileState } from './patch.ts';
import type { Difference, Entry } from './take-back.ts';

export interface SessionDiff {
  patch: Buffer;
  /** What isn't in it, or isn't whole, and why. */
  left: { path: string; why: string }[];
}

/** Rejects with `session-missing`, and `undo-impossible` where the workspace is unknown or gone. Takes no lock. */
export async function sessionDiff(env: Variables | undefined, which: Which): Promise<SessionDiff> {
  const id = sessionId(env, which);
  const { state } = placesOf(env);
  const folder = sessionFolder(state, id);
  const workspace = workspaceOf(id, scan(folder).session?.workspace);
  const { store } = await openStore(env, workspace, id);
  try {
    const { operations, unkept } = historyIn(readLog(folder));
    const joining = new Joining(store);
    for (const operation of operations) {
      if (operation.what !== 'call' || operation.isUndone) continue;
      const after = operation.after ?? (held(state).includes(id) ? undefined : (await store.take()).id);
      if (after === undefined) joining.left.set(`turn ${operation.turn}`, 'a call of it still goes on');
      else await joining.add(operation, after);
    }
    for (const { path, turn } of unkept) joining.left.set(path, `turn ${turn} changed it while nothing was kept`);
    const patch = await patchOf(await joining.changes());
    const filter = secretsOutside(env, workspace).bytes();
    const open = Buffer.concat([filter.write(patch), filter.end()]);
    if (!open.equals(patch))
      joining.left.set('secrets', 'placeholders stand in their places; the patch doesn’t apply there');
    return { patch: open, left: [...joining.left].map(([path, why]) => ({ path, why })) };
  } finally {
    await store.close();
  }
}

class Joining {
  readonly left = new Map<string, string>();
  readonly #store: CheckpointStore;
  readonly #chains = new Map<string, FileChange[]>();

  constructor(store: CheckpointStore) {
    this.#store = store;
  }

  async add({ before, paths }: Operation, after: string): Promise<void> {
    for (const difference of await this.#store.compare(before, after)) {
      const { path } = difference;
      const isOwn = paths === undefined || paths.includes(path);
      const [old, made] = [difference.before, difference.after].map((entry) => (isContent(entry) ? entry : null));
      if (!isOwn || (!old && !made)) continue;
      if (old?.kept === false || made?.kept === false) this.left.set(path, 'its content was not kept');
      else await this.#link(difference, before, after);
    }
  }

  async #link({ path, ...entries }: Difference, before: string, after: string): Promise<void> {
    const change = {
      path,
      before: await this.#state(before, path, entries.before),
      after: await this.#state(after, path, entries.after),
    };
    this.#chains.set(path, [...(this.#chains.get(path) ?? []), change]);
  }

  async #state(snapshot: string, path: string, entry: Entry | null): Promise<FileState | null> {
    const content = isContent(entry) ? await this.#store.content(snapshot, path) : null;
    return content === null || entry === null ? null : { content, mode: entry.kind === 'link' ? 'link' : entry.mode };
  }

  async changes(): Promise<FileChange[]> {
    const changes: FileChange[] = [];
    for (const [path, chain] of this.#chains) {
      const whole = await joined(chain);
      if (whole === undefined)
        this.left.set(path, 'others changed the same lines between: its changes stand one after the other');
      changes.push(...(whole ?? chain));
    }
    return changes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }
}

/** Folders are no part of a patch. */
function isContent(entry: Entry | null): entry is Entry {
  return entry?.kind === 'file' || entry?.kind === 'link';
}

/** One change from the first state to the last; undefined where others changed the same lines between. */
async function joined(chain: readonly FileChange[]): Promise<FileChange[] | undefined> {
  const [first] = chain;
  if (first === undefined) return [];
  let state = first.after;
  for (const { before, after } of chain.slice(1)) {
    const next = await advanced(state, before, after);
    if (next === undefined) return undefined;
    state = next;
  }
  return isSame(first.before, state) ? [] : [{ ...first, after: state }];
}

/** The state with a further change; undefined where that isn't to be told. */
async function advanced(
  state: FileState | null,
  before: FileState | null,
  after: FileState | null,
): Promise<FileState | null | undefined> {
  if (isSame(state, before)) return after;
  if (state === null || before === null || after === null) return undefined;
  if ([state, before, after].some(({ mode }) => mode === 'link')) return undefined;
  const content = await mergeTexts(before.content, state.content, after.content);
  return content && { content, mode: after.mode === before.mode ? state.mode : after.mode };
}

function isSame(a: FileState | null, b: FileState | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.content.equals(b.content);
}
