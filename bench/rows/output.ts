/** A command that prints a gigabyte: what it costs in memory, and what is kept of it. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { complete, interleave, start, type Row } from '../measure/bench.ts';
import { canSample, watchTree } from '../measure/process-tree.ts';
import { figure } from '../measure/statistics.ts';

const ways = [
  { name: 'nothing', command: 'true' },
  { name: 'a gigabyte', command: 'yes "one line of a log that nobody will ever read to its end" | head -c 1000000000' },
];
const growthBudget = 200;
const keptBudget = 64;

export const outputRow: Row = {
  name: 'output',
  about: '1 GB of command output',
  slow: true,
  async measure(bench) {
    if (!canSample) throw new Error('Memory is read from /proc, which this system doesn’t have.');
    const seconds: number[] = [];
    let kept = 0;
    const { figures } = await interleave({
      contenders: ways,
      warmups: 0,
      runs: bench.runs(2),
      async measure(way) {
        const rehearsal = { command: way.command, turns: 1, thinking: 30 };
        const run = start(bench, bench.product, { rehearsal });
        const watch = watchTree(run.pid);
        await complete(run, rehearsal).finally(() => watch.stop());
        const [first, second] = run.course.arrivals;
        if (way !== ways[0]) seconds.push(((second?.at ?? NaN) - (first?.answeredAt ?? NaN)) / 1000);
        kept = Math.max(kept, largestIn(run.folders.state) / (1024 * 1024));
        return watch.peak.tree;
      },
    });
    const growth = (figures[1]?.median ?? NaN) - (figures[0]?.median ?? NaN);
    return [
      {
        title: 'Peak memory when a command prints',
        unit: 'MB',
        figures,
        verdicts: [
          { text: `growth ${growth.toFixed(0)} MB, under ${growthBudget} MB`, met: growth < growthBudget },
          { text: `${kept.toFixed(1)} MB kept, at most ${keptBudget} MB`, met: kept <= keptBudget },
        ],
        notes: [],
      },
      { title: 'Time for it', unit: 's', figures: [figure('a gigabyte', seconds)], verdicts: [], notes: [] },
    ];
  },
};

/** Bytes of the largest file: what is kept of an output is one. */
function largestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size));
}
