/** What the harness costs a turn: from the end of a reply, through one command, to the arrival of the next request. */
import { complete, interleave, multiple, start, type Bench, type Row, type Run } from '../measure/bench.ts';
import type { Contender } from '../measure/contenders.ts';
import { median } from '../measure/statistics.ts';

const turns = 30;

export const turnRow: Row = {
  name: 'turn',
  about: 'harness time per turn',
  async measure(bench) {
    const { floor, product, peers } = bench;
    // Faster than any model. While it thinks, a harness may prepare: that is part of what is measured.
    const thoughtful = await measureWith(bench, peers, 60);
    const instant = await measureWith(bench, [], 0);
    return [
      {
        title: `Harness time per turn: a trivial command, ${turns} turns`,
        ...thoughtful,
        verdicts: [multiple(thoughtful.figures, product.name, floor.name, 1.5)],
      },
      { title: 'The same, with a model that answers in no time', ...instant, verdicts: [] },
    ];
  },
};

async function measureWith(bench: Bench, peers: Contender[], thinking: number) {
  const rehearsal = { command: 'true', turns, thinking };
  const { figures, notes } = await interleave({
    contenders: [bench.floor, bench.product],
    peers,
    warmups: 1,
    runs: bench.runs(6),
    async measure(contender) {
      const run = start(bench, contender, { rehearsal });
      return median(gapsOf(await complete(run, rehearsal)));
    },
  });
  return { figures, notes, unit: 'ms', reference: 'floor' };
}

/** Milliseconds from the end of each reply to the next request. */
export function gapsOf({ course: { arrivals } }: Run): number[] {
  return arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.answeredAt ?? NaN));
}
