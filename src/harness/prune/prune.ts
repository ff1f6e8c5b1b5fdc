/** Removes sessions that nobody needs any more, with their blobs and snapshots; never one that runs, waits or has a name. */
import { existsSync } from 'node:fs';
import { placesOf } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import { loadCheckpoints } from '../../exec/index.ts';
import {
  Freed,
  list,
  readLog,
  removeLeftovers,
  removeSession,
  sessionFolder,
  titleOf,
  weigh,
  type SessionSummary,
} from '../../session/index.ts';
import { storeFolder } from '../checkpoints.ts';
import { systemClock } from '../clock.ts';
import { chosenOf, inOrder, type Protection, type PruneWish, type Weighed } from './plan.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface PruneOptions extends PruneWish {
  /** Nothing is removed; it is only said what would be. */
  dryRun?: boolean;
}

export interface PruneReport {
  dryRun: boolean;
  /** What was removed, or would be; the oldest first. */
  removed: { session: string; title: string; workspace: string; lastAt: number }[];
  /** What stays although it was chosen, and why. */
  skipped: { session: string; why: string }[];
  /** How many sessions stay whatever is wished. */
  kept: { [K in Protection]: number };
  /** Bytes; a blob or a snapshot that another session needs isn't freed. */
  freed: { logs: number; blobs: number; snapshots: number };
  /** Folders that were cut off while they were made or removed. */
  leftovers: number;
}

/** Rejects with `usage-arguments` where nothing says what is to go, and with `state-unwritable`. */
export async function pruneSessions(env: Variables | undefined, options: PruneOptions): Promise<PruneReport> {
  const { before, keep, quota, dryRun = false } = options;
  if (before === undefined && keep === undefined && quota === undefined) {
    throw new ReinsError('usage-arguments', 'Nothing says which sessions are to go.');
  }
  const { state } = placesOf(env);
  const now = systemClock.now();
  const summaries = list(state);
  const rows = inOrder(summaries, options);
  const weighed = await weighAll(
    state,
    rows.map(({ summary }) => summary),
  );
  const mayGo = new Set(rows.filter(({ protection }) => protection === undefined).map(({ summary }) => summary.id));
  const chosen = chosenOf(weighed, mayGo, options);
  const { removed, skipped } = await removeAll(state, chosen, dryRun);
  const freed = new Freed();
  for (const { weight } of removed) freed.add(weight);
  const snapshots = await pruneStores(state, summaries, removed, dryRun);
  return {
    dryRun,
    removed: removed.map(({ summary }) => rowOf(summary)),
    skipped,
    kept: countOf(rows.map(({ protection }) => protection)),
    freed: { logs: freed.own, blobs: freed.blobs, snapshots },
    leftovers: summaries.length === 0 ? 0 : removeLeftovers(state, now, dryRun),
  };
}

function rowOf(summary: SessionSummary): PruneReport['removed'][number] {
  const { id: session, workspace = '', last: lastAt = 0 } = summary;
  return { session, title: titleOf(summary), workspace, lastAt };
}

function countOf(protections: readonly (Protection | undefined)[]): PruneReport['kept'] {
  const kept = { running: 0, waiting: 0, named: 0, new: 0 };
  for (const protection of protections) if (protection !== undefined) kept[protection] += 1;
  return kept;
}

/** In the order of `summaries`: what a session’s snapshots take besides those of the ones before it is what its going frees. */
async function weighAll(state: string, summaries: readonly SessionSummary[]): Promise<Weighed[]> {
  const { weighSessions } = await loadCheckpoints();
  const snapshots = new Map<string, number>();
  for (const [workspace, own] of byWorkspace(summaries)) {
    const weights = (await weighSessions(storeFolder(state, workspace), own)) ?? [];
    for (const [index, id] of own.entries()) snapshots.set(id, weights[index] ?? 0);
  }
  return summaries.map((summary) => {
    return { summary, weight: weigh(state, summary.id), snapshots: snapshots.get(summary.id) ?? 0 };
  });
}

function byWorkspace(summaries: readonly SessionSummary[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, workspace } of summaries) {
    if (workspace !== undefined) found.set(workspace, [...(found.get(workspace) ?? []), id]);
  }
  return found;
}

async function removeAll(
  state: string,
  chosen: readonly Weighed[],
  dryRun: boolean,
): Promise<{ removed: Weighed[]; skipped: PruneReport['skipped'] }> {
  const removed: Weighed[] = [];
  const skipped: PruneReport['skipped'] = [];
  for (const each of chosen) {
    const { id } = each.summary;
    if (dryRun || (await removeSession(state, id, each.weight.changed))) removed.push(each);
    else skipped.push({ session: id, why: 'it was gone on with meanwhile' });
  }
  return { removed, skipped };
}

/** Gives the bytes that are freed. Snapshots that a fork names stay with the fork, whoever took them. */
async function pruneStores(
  state: string,
  all: readonly SessionSummary[],
  removed: readonly Weighed[],
  dryRun: boolean,
): Promise<number> {
  const { pruneSessions: pruneStore } = await loadCheckpoints();
  const gone = new Set(removed.map(({ summary }) => summary.id));
  const isGone = (session: string) => gone.has(session) || !existsSync(sessionFolder(state, session));
  const stays = all.filter(({ id }) => !gone.has(id));
  let freed = 0;
  for (const workspace of byWorkspace(removed.map(({ summary }) => summary)).keys()) {
    const forks = stays.filter((each) => each.workspace === workspace && each.parent !== undefined);
    const needed = new Set(forks.flatMap(({ folder }) => [...snapshotsIn(folder)]));
    const pruned = await pruneStore(storeFolder(state, workspace), { isGone, needed, dryRun });
    freed += (pruned?.before ?? 0) - (pruned?.after ?? 0);
  }
  return freed;
}

/** The snapshots that the log of a session names. */
function snapshotsIn(folder: string): Set<string> {
  const found = new Set<string | undefined>();
  for (const item of readLog(folder)) {
    if ('damage' in item) continue;
    if (item.kind === 'start' || item.kind === 'result') found.add(item.data.snapshot);
    if (item.kind === 'undo') found.add(item.data.before).add(item.data.after);
  }
  return new Set([...found].filter((id) => id !== undefined));
}
