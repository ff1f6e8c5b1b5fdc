/** Takes effects of a session back, and brings them back: what others changed meanwhile stays, and nothing is done without a record. */
import { join } from 'node:path';
import { placesOf } from '../../config/index.ts';
import { ReinsError, type Change, type EventData } from '../../core/index.ts';
import type { CheckpointStore, Outcome } from '../../exec/index.ts';
import { readLog, sessionFolder } from '../../session/index.ts';
import { sessionId } from '../reader.ts';
import { changesBetween, hashIn, hashOf } from './changes.ts';
import { withSession, type OpenForUndo, type Variables, type Which } from './open.ts';
import { historyIn, isSince, type History, type Operation, type Since } from './operations.ts';
import { planTakingBack, type Target } from './take-back.ts';

type RepositoryDifference = Awaited<ReturnType<CheckpointStore['compareRepository']>>[number];

const mostUnseen = 500;

export interface UndoOptions {
  /** Everything from this turn (from 1) on, or after an event. Left out, and without `turns` and `all`: the last turn that had effects. */
  to?: Since;
  /** So many turns that had effects, from the last one back. */
  turns?: number;
  all?: boolean;
  /** Only say what would be done. */
  dryRun?: boolean;
  /** Of a path that others changed too: whether it is taken back all the same. Their change can be brought back then by a redo. */
  overwrites?: (path: string) => boolean;
}

export interface RedoOptions extends Pick<UndoOptions, 'dryRun' | 'overwrites'> {
  /** The event of another undo than the last one. */
  undo?: string;
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
  /** What the snapshots don't hold (above the limits, special, unreadable): whether the calls changed it isn't known. At most 500. */
  unseen: { path: string; why: string }[];
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
    const operations = leftBefore(open, options) ?? chosen(await effective(open, options), options);
    if (operations.length === 0) throw nothing(open, options);
    return takeBack(open, operations, options);
  });
}

/** Brings back what the last undo took back. Rejects with `undo-impossible` where there is none. */
export function redoSession(env: Variables | undefined, which: Which, options: RedoOptions = {}): Promise<UndoReport> {
  return withSession(env, which, async (open) => {
    const standing = open.history.operations.filter(({ what, isUndone }) => what === 'undo' && !isUndone);
    const last = options.undo === undefined ? standing.at(-1) : standing.find(({ id }) => id === options.undo);
    if (last === undefined)
      throw new ReinsError(
        'undo-impossible',
        `Session ${open.id} has nothing that an undo took back and that could be brought back.`,
      );
    return takeBack(open, [last], options, last.calls);
  });
}

/** The turns of a session that had effects, in their order. Takes no lock, and needs no workspace. */
export function undoableTurns(env: Variables | undefined, which: Which): Promise<UndoableTurn[]> {
  const folder = sessionFolder(placesOf(env).state, sessionId(env, which));
  const turns = new Map<number, UndoableTurn>();
  for (const { turn, tool, what, isUndone } of historyIn(readLog(folder)).operations) {
    if (what === 'undo') continue;
    const known = turns.get(turn) ?? { turn, tools: [], isUndone };
    turns.set(turn, { turn, tools: [...known.tools, tool], isUndone: known.isUndone && isUndone });
  }
  return Promise.resolve([...turns.values()]);
}

/** What the last undo left as it was, where just that is to be taken back now all the same. */
function leftBefore({ history }: OpenForUndo, options: UndoOptions): Operation[] | undefined {
  const { overwrites, to, turns, all = false } = options;
  const last = history.operations.findLast(({ isUndone }) => !isUndone);
  if (overwrites === undefined || to !== undefined || turns !== undefined || all || last?.what !== 'undo')
    return undefined;
  const paths = (last.left ?? []).filter((path) => overwrites(path));
  if (paths.length === 0) return undefined;
  const calls = history.operations.filter(({ id }) => last.calls?.includes(id));
  return calls.map((call) => ({ ...call, paths: paths.filter((path) => call.paths?.includes(path) ?? true) }));
}

/** Calls that stand. Where turns are counted, only those that changed something: a wait for a job is nothing to take back. */
async function effective({ history, store }: OpenForUndo, { to, all = false }: UndoOptions): Promise<Operation[]> {
  const done = history.operations.filter(({ what, isUndone }) => what === 'call' && !isUndone);
  if (all || to !== undefined) return done;
  const found: Operation[] = [];
  for (const operation of done) if (await changedSomething(store, operation)) found.push(operation);
  return found;
}

async function changedSomething(store: CheckpointStore, { before, after }: Operation): Promise<boolean> {
  if (after === undefined) return true;
  if (before === after) return false;
  if ((await store.compare(before, after)).length > 0) return true;
  return (await store.compareRepository(before, after)).length > 0;
}

function chosen(done: readonly Operation[], { to, turns, all = false }: UndoOptions): Operation[] {
  if (all) return [...done];
  if (to !== undefined) return done.filter((operation) => isSince(operation, to));
  const last = [...new Set(done.map(({ turn }) => turn))].slice(-(turns ?? 1));
  return done.filter(({ turn }) => last.includes(turn));
}

function nothing({ id, isOff, history }: OpenForUndo, { to }: UndoOptions): ReinsError {
  const from = typeof to === 'number' ? ` from turn ${to} on` : ' after that event';
  const since = to === undefined ? '' : from;
  const unkept = history.unkept.find((each) => isSince(each, to ?? 1));
  const kept = history.operations.some(({ what }) => what === 'call');
  const off = '`checkpoints.enabled` is false in your settings, so nothing is kept.';
  const parts = [`Session ${id} has no effects${since} that could be taken back.`];
  if (unkept !== undefined)
    parts.push(`Turn ${unkept.turn} changed ${unkept.path} while nothing was kept (\`checkpoints.enabled: false\`).`);
  else if (isOff && !kept) parts.push(off);
  return new ReinsError('undo-impossible', parts.join(' '));
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
  const meant = redone === undefined ? operations : open.history.operations.filter((each) => redone.includes(each.id));
  const turns = [...new Set(meant.map(({ turn }) => turn))];
  const unseen = await unseenBy(store, operations);
  const lost = redone === undefined ? notKept(open.history, Math.min(...turns)) : [];
  if (dryRun) {
    const changes = await plannedChanges(store, plan.targets, now);
    const repository = await differencesInGit(store, operations, now);
    return { session: id, turns, changes, kept: [...plan.conflicts, ...lost], repository, unseen, dryRun };
  }
  const repository = await backInGit(store, operations, now);
  const outcomes = await store.restore(plan.targets);
  const after = await whole(store);
  const kept = [...plan.conflicts, ...refusedOf(plan.targets, outcomes), ...repository.kept, ...lost];
  const changes = await changesBetween(store, now, after);
  const calls = redone ?? operations.map((operation) => operation.id);
  const undone = redone === undefined ? {} : { undone: operations[0]?.id ?? '' };
  const data: EventData['undo'] = { calls, ...undone, before: now, after, changes, kept };
  await open.record({ kind: 'undo', data });
  return { session: id, turns, changes, kept, repository: [...new Set(repository.done)], unseen, dryRun };
}

/** What calls changed since a turn while nothing was kept. */
function notKept({ unkept }: History, since: number): { path: string; why: string }[] {
  const paths = new Map(unkept.filter(({ turn }) => turn >= since).map((each) => [each.path, each.turn]));
  return [...paths].map(([path, turn]) => ({ path, why: `turn ${turn} changed it while nothing was kept` }));
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
  for (const { before, after = now, paths } of operations.toReversed()) {
    // A call that is known to have written files alone has done nothing to Git's data.
    if (paths !== undefined) continue;
    const differences = await store.compareRepository(before, after);
    if (differences.length === 0) continue;
    for (const { difference, refused } of await store.restoreRepository(before, after, differences)) {
      if (refused === null) done.push(inWords(difference));
      else kept.push({ path: join(difference.repository, difference.name), why: refused });
    }
  }
  return { done, kept };
}

async function differencesInGit(
  store: CheckpointStore,
  operations: readonly Operation[],
  now: string,
): Promise<string[]> {
  const found = new Set<string>();
  for (const { before, after = now, paths } of operations.toReversed()) {
    if (paths !== undefined) continue;
    for (const difference of await store.compareRepository(before, after)) found.add(inWords(difference));
  }
  return [...found];
}

function inWords({ what, name, repository }: RepositoryDifference): string {
  return name === '' ? `${what} ${repository}` : `${what} ${name} in ${repository}`;
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

/** Of calls that may have changed anything. */
async function unseenBy(store: CheckpointStore, operations: readonly Operation[]): Promise<UndoReport['unseen']> {
  const unseen = new Map<string, string>();
  for (const { before, paths } of operations) {
    if (paths !== undefined) continue;
    for (const { path, why } of (await store.find(before))?.missing ?? []) unseen.set(path, why);
  }
  return [...unseen].slice(0, mostUnseen).map(([path, why]) => ({ path, why }));
}

async function plannedChanges(store: CheckpointStore, targets: readonly Target[], now: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { path, snapshot, content } of targets) {
    const before = await hashIn(store, now, path);
    const after = content === undefined ? await hashIn(store, snapshot, path) : hashOf(content);
    if (before !== null || after !== null) changes.push({ path, before, after });
  }
  return changes;
}
