/** Takes effects of a session back, and brings them back: what others changed meanwhile stays, and nothing is done without a record. */
import { createHash } from 'node:crypto';
import { ReinsError, type Change, type EventData } from '../../core/index.ts';
import type { CheckpointStore, Outcome } from '../../exec/index.ts';
import { withSession, type OpenForUndo, type Variables, type Which } from './open.ts';
import type { Operation } from './operations.ts';
import { planTakingBack, type Target } from './take-back.ts';

export interface UndoOptions {
  /** Everything from this turn on, from 1. Left out, and without `turns` and `all`: the last turn that had effects. */
  to?: number;
  /** So many turns that had effects, from the last one back. */
  turns?: number;
  all?: boolean;
  /** Only say what would be done. */
  dryRun?: boolean;
  /** Of a path that others changed too: whether it is taken back all the same. Their change can be brought back then by a redo. */
  overwrites?: (path: string) => boolean;
}

export interface UndoReport {
  session: string;
  /** Turns whose effects are taken back, or brought back. */
  turns: number[];
  changes: Change[];
  /** Paths, and parts of Git's data, that were left as they are, and why. */
  kept: { path: string; why: string }[];
  /** What changed in Git's data, in words. */
  repository: string[];
  dryRun: boolean;
}

/** A turn with effects that can be taken back. */
export interface UndoableTurn {
  turn: number;
  tools: string[];
  isUndone: boolean;
}

/** Rejects with `undo-impossible` where there is nothing to take back, `session-busy`, `session-missing`, `blob-missing`. */
export function undoSession(env: Variables | undefined, which: Which, options: UndoOptions = {}): Promise<UndoReport> {
  return withSession(env, which, async (open) => {
    const operations = chosen(open.operations, options);
    if (operations.length === 0) throw nothing(open, options);
    return takeBack(open, operations, options);
  });
}

/** Brings back what the last undo took back. Rejects with `undo-impossible` where there is none. */
export function redoSession(
  env: Variables | undefined,
  which: Which,
  options: Pick<UndoOptions, 'dryRun' | 'overwrites'> = {},
): Promise<UndoReport> {
  return withSession(env, which, async (open) => {
    const last = open.operations.findLast(({ what, isUndone }) => what === 'undo' && !isUndone);
    if (last === undefined)
      throw new ReinsError('undo-impossible', `Session ${open.id} has no undo that could be taken back.`);
    return takeBack(open, [last], options, last.calls);
  });
}

/** The turns of a session that had effects, in their order. */
export function undoableTurns(env: Variables | undefined, which: Which): Promise<UndoableTurn[]> {
  return withSession(env, which, async ({ operations }) => {
    const turns = new Map<number, UndoableTurn>();
    for (const { turn, tool, what, isUndone } of operations) {
      if (what === 'undo') continue;
      const known = turns.get(turn) ?? { turn, tools: [], isUndone };
      turns.set(turn, { turn, tools: [...known.tools, tool], isUndone: known.isUndone && isUndone });
    }
    return [...turns.values()];
  });
}

function chosen(operations: readonly Operation[], { to, turns, all = false }: UndoOptions): Operation[] {
  const done = operations.filter(({ what, isUndone }) => what === 'call' && !isUndone);
  if (all) return done;
  if (to !== undefined) return done.filter(({ turn }) => turn >= to);
  const last = [...new Set(done.map(({ turn }) => turn))].slice(-(turns ?? 1));
  return done.filter(({ turn }) => last.includes(turn));
}

function nothing({ id }: OpenForUndo, { to }: UndoOptions): ReinsError {
  const since = to === undefined ? '' : ` from turn ${to} on`;
  return new ReinsError('undo-impossible', `Session ${id} has no effects${since} that could be taken back.`);
}

async function takeBack(
  open: OpenForUndo,
  operations: readonly Operation[],
  { dryRun = false, overwrites }: UndoOptions,
  redone?: string[],
): Promise<UndoReport> {
  const { store, id } = open;
  const now = await whole(store);
  const plan = await planTakingBack(store, operations, now, overwrites);
  const turns = [...new Set(operations.map(({ turn }) => turn))];
  if (dryRun) {
    const changes = plan.targets.map(({ path }): Change => ({ path, before: null, after: null }));
    return { session: id, turns, changes, kept: plan.conflicts, repository: [], dryRun };
  }
  const repository = await backInGit(store, operations, now);
  const outcomes = await store.restore(plan.targets);
  const after = await whole(store);
  const kept = [...plan.conflicts, ...refusedOf(plan.targets, outcomes), ...repository.kept];
  const changes = await changesBetween(store, now, after);
  const calls = redone ?? operations.map((operation) => operation.id);
  const undone = redone === undefined ? {} : { undone: operations[0]?.id ?? '' };
  const data: EventData['undo'] = { calls, ...undone, before: now, after, changes, kept };
  await open.record({ kind: 'undo', data });
  return { session: id, turns, changes, kept, repository: repository.done, dryRun };
}

async function whole(store: CheckpointStore): Promise<string> {
  const { id } = await store.take();
  await store.settled();
  return store.latest()?.id ?? id;
}

/** The latest first. What somebody has changed in the same place since is left, and said. */
async function backInGit(
  store: CheckpointStore,
  operations: readonly Operation[],
  now: string,
): Promise<{ done: string[]; kept: { path: string; why: string }[] }> {
  const done: string[] = [];
  const kept: { path: string; why: string }[] = [];
  for (const { before, after = now } of operations.toReversed()) {
    const differences = await store.compareRepository(before, after);
    if (differences.length === 0) continue;
    for (const { difference, refused } of await store.restoreRepository(before, after, differences)) {
      const { repository, what, name } = difference;
      if (refused === null) done.push(`${what} ${name} in ${repository}`);
      else kept.push({ path: `${repository}/${name}`, why: refused });
    }
  }
  return { done, kept };
}

/** A folder that was made for a file stays where others have put something into it: nothing of theirs is lost by that. */
function refusedOf(targets: readonly Target[], outcomes: readonly Outcome[]): { path: string; why: string }[] {
  return outcomes.flatMap((outcome, index) => {
    if (!('refused' in outcome)) return [];
    const target = targets[index];
    const isFilledFolder = target?.entry === null && target.expected?.kind === 'folder';
    return isFilledFolder ? [] : [{ path: outcome.path, why: outcome.refused }];
  });
}

async function changesBetween(store: CheckpointStore, before: string, after: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { path } of await store.compare(before, after)) {
    const [old, made] = [await hashIn(store, before, path), await hashIn(store, after, path)];
    if (old !== null || made !== null) changes.push({ path, before: old, after: made });
  }
  return changes;
}

async function hashIn(store: CheckpointStore, snapshot: string, path: string): Promise<string | null> {
  const content = await store.content(snapshot, path);
  return content === null ? null : createHash('sha256').update(content).digest('hex');
}
