/** `reins prune`: removes old sessions with what only they need. */
import { realpathSync } from 'node:fs';
import { plural, type PruneOptions, type PruneReport } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { clip, oneLine } from '../printable.ts';
import { clockTime, styleOf, type Style } from '../render/index.ts';
import { bytesIn, sizeText } from '../sizes.ts';
import { timeIn } from '../times.ts';

export const command: Command = {
  name: 'prune',
  summary: 'Remove old sessions, with what only they need.',
  usage: ['prune [--older-than TIME] [--keep N] [--quota SIZE] [-C DIR] [--dry-run]'],
  examples: ['prune --older-than 30d --dry-run', 'prune --keep 100'],
  positionals: 0,
  options: [
    {
      name: 'older-than',
      value: 'TIME',
      about: 'Sessions in which nothing was recorded for so long: 30d, 12h; or since a date.',
    },
    { name: 'keep', value: 'N', about: 'The newest N of each workspace stay; alone: all others go.' },
    { name: 'quota', value: 'SIZE', about: 'The oldest go until all take no more than this: 5GiB, 500MB.' },
    { name: 'directory', short: 'C', value: 'DIR', about: 'Only sessions of this workspace.' },
    { name: 'dry-run', about: 'Only say what would go, and what that would free.' },
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: [
    'Sessions that run, wait for an answer or have a title that a person gave never go. Forks keep what they need.',
    'What goes is gone: look with --dry-run first.',
  ],
  async run(parsed, { output: { out } }) {
    const options = optionsIn(parsed, Date.now());
    const { pruneSessions } = await import('../../../harness/index.ts');
    const report = await pruneSessions(undefined, options);
    const text = `${pruneLines(report, styleOf(out)).join('\n')}\n`;
    out.write(parsed.options.has('json') ? jsonLine(report) : text);
    return 0;
  },
};

function optionsIn(parsed: Arguments, now: number): PruneOptions {
  const [older, keep, quota, directory] = ['older-than', 'keep', 'quota', 'directory'].map((name) =>
    valueIn(parsed, name),
  );
  if (older === undefined && keep === undefined && quota === undefined) {
    throw new UsageError(
      'Which sessions? --older-than 30d, --keep 100, --quota 5GiB; together with --dry-run to look first.',
    );
  }
  return {
    ...(older !== undefined && { before: timeIn('older-than', older, now) }),
    ...(keep !== undefined && { keep: countIn(keep) }),
    ...(quota !== undefined && { quota: bytesIn('quota', quota) }),
    ...(directory !== undefined && { workspace: realPath(directory) }),
    dryRun: parsed.options.has('dry-run'),
  };
}

function countIn(value: string): number {
  const count = /^\d+$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(count)) return count;
  throw new UsageError(`--keep takes a whole number, not ${JSON.stringify(oneLine(value))}.`);
}

/** Workspaces are recorded by their real path; one that is gone is only its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

export function pruneLines(report: PruneReport, style: Style): string[] {
  const { dryRun, removed, skipped, kept, freed, leftovers } = report;
  const sessions = removed.map(({ session, lastAt, title, workspace }) => {
    return clip(`${oneLine(session)}  ${clockTime(lastAt)}  ${oneLine(workspace)}: ${oneLine(title)}`, style.width);
  });
  const parts = [
    `logs ${sizeText(freed.logs)}`,
    `blobs ${sizeText(freed.blobs)}`,
    `snapshots ${sizeText(freed.snapshots)}`,
  ];
  const all = sizeText(freed.logs + freed.blobs + freed.snapshots);
  const what = `${plural(removed.length, 'session')} ${dryRun ? 'would go, freeing' : 'gone, freed'} ${all} (${parts.join(', ')})`;
  const stay = Object.entries(kept).flatMap(([why, count]) => (count === 0 ? [] : [`${count} ${why}`]));
  const left = skipped.map(({ session, why }) => `left: ${oneLine(session)} (${oneLine(why)})`);
  return [
    ...sessions,
    ...left,
    what,
    ...(stay.length === 0 ? [] : [`stays in any case: ${stay.join(', ')}`]),
    ...(leftovers === 0
      ? []
      : [`${plural(leftovers, 'folder')} of sessions that were cut off while they were made or removed`]),
  ];
}
