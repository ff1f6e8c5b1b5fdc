/** Which sessions go: a decision over what is known of all of them. */
import { Freed, together, type SessionSummary, type Weight } from '../../session/index.ts';

export interface PruneWish {
  /** Sessions in which nothing was recorded since then go (milliseconds since the epoch). */
  before?: number;
  /** The newest so many of each workspace stay; without `before` and `quota` all others go. */
  keep?: number;
  /** The oldest go until all sessions together take no more bytes than this. */
  quota?: number;
  /** Only sessions of this workspace (its real path) go. */
  workspace?: string;
}

/** A session with what it takes: its files, and its snapshots besides those of newer ones. */
export interface Weighed {
  summary: SessionSummary;
  weight: Weight;
  snapshots: number;
}

export type Protection = 'running' | 'waiting' | 'named' | 'new';

/** Why a session never goes; undefined where it may. `newer`: sessions of its workspace that are newer. */
function protectionOf(summary: SessionSummary, newer: number, { keep = 0 }: PruneWish): Protection | undefined {
  if (summary.running) return 'running';
  if (summary.asks === true || summary.stop?.reason === 'waiting') return 'waiting';
  if (summary.name !== undefined) return 'named';
  return newer < keep ? 'new' : undefined;
}

/** All sessions, those that stay first, then the newest first: so that what goes is at the end. */
export function inOrder(summaries: readonly SessionSummary[], wish: PruneWish) {
  const newest = summaries.toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0));
  const seen = new Map<string, number>();
  const rows = newest.map((summary) => {
    const workspace = summary.workspace ?? '';
    const newer = seen.get(workspace) ?? 0;
    seen.set(workspace, newer + 1);
    return { summary, protection: protectionOf(summary, newer, wish) };
  });
  const stays = rows.filter(({ protection }) => protection !== undefined);
  return [...stays, ...rows.filter(({ protection }) => protection === undefined)];
}

/** Those of the sessions without a protection, in the order of `inOrder`, that go; the oldest first. */
export function chosenOf(all: readonly Weighed[], mayGo: ReadonlySet<string>, wish: PruneWish): Weighed[] {
  const { before, quota, workspace } = wish;
  const isAll = before === undefined && quota === undefined;
  const oldest = all
    .filter(({ summary }) => mayGo.has(summary.id))
    .filter(({ summary }) => workspace === undefined || summary.workspace === workspace)
    .toReversed();
  const snapshots = all.reduce((sum, each) => sum + each.snapshots, 0);
  let left = together(all.map(({ weight }) => weight)) + snapshots;
  const freed = new Freed();
  return oldest.filter(({ summary, weight, snapshots: own }) => {
    const isOld = before !== undefined && (summary.last ?? 0) < before;
    const isTooMuch = quota !== undefined && left > quota;
    if (!isAll && !isOld && !isTooMuch) return false;
    const earlier = freed.bytes;
    freed.add(weight);
    left -= freed.bytes - earlier + own;
    return true;
  });
}
