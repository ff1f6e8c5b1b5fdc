/** Memory of the whole process tree over a session of 30 turns. */
import { complete, interleave, multiple, start, type Row } from '../measure/bench.ts';
import { tunedFloor, type Contender } from '../measure/contenders.ts';
import { canSample, watchTree, type TreeMemory } from '../measure/process-tree.ts';
import { median } from '../measure/statistics.ts';

const rehearsal = { command: 'true', turns: 30, thinking: 30 };

export const memoryRow: Row = {
  name: 'memory',
  about: 'peak memory of the process tree over 30 turns',
  async measure(bench) {
    if (!canSample) throw new Error('Memory is read from /proc, which this system doesn’t have.');
    const { floor, product, peers } = bench;
    const details = new Map<Contender, TreeMemory[]>();
    const { figures, notes } = await interleave({
      contenders: [floor, tunedFloor, product],
      peers,
      warmups: 0,
      runs: bench.runs(5),
      async measure(contender) {
        const run = start(bench, contender, { rehearsal });
        const watch = watchTree(run.pid);
        await complete(run, rehearsal).finally(() => watch.stop());
        details.set(contender, [...(details.get(contender) ?? []), watch.peak]);
        return watch.peak.tree;
      },
    });
    const parts = [...details].map(([{ name }, memories]) => {
      const main = median(memories.map((memory) => memory.main)).toFixed(0);
      const most = Math.max(...memories.map(({ processes }) => processes));
      return `${name}: its first process alone ${main} MB; most processes at once: ${most}`;
    });
    return [
      {
        title: 'Peak resident memory of the process tree, 30 turns',
        unit: 'MB',
        figures,
        reference: 'floor',
        verdicts: [multiple(figures, product.name, floor.name, 1.4)],
        notes: [...parts, ...notes],
      },
    ];
  },
};
