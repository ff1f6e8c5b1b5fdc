/** What the harness costs a turn: from the end of a reply, through one command, to the arrival of the next request. */
import {
  complete,
  interleave,
  multiple,
  processorLine,
  start,
  type Bench,
  type Row,
  type Run,
} from '../measure/bench.ts';
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
        ...thoughtful.elapsed,
        verdicts: [multiple(thoughtful.elapsed.figures, product.name, floor.name, 1.5)],
      },
      ...processorLine(
        'Processor time a turn, thinking included, children left out',
        thoughtful.elapsed.figures,
        thoughtful.processor,
      ),
      { title: 'Harness time per turn, with a model that answers in no time', ...instant.elapsed, verdicts: [] },
    ];
  },
};

async function measureWith(bench: Bench, peers: Contender[], thinking: number) {
  const rehearsal = { command: 'true', turns, thinking };
  const processor = new Map<string, number[]>();
  const elapsed = await interleave({
    contenders: [bench.floor, bench.product],
    peers,
    warmups: 1,
    runs: bench.runs(6),
    async measure(contender) {
      const run = await complete(start(bench, contender, { rehearsal }), rehearsal);
      const { arrivals } = run.course;
      const spent = ((arrivals.at(-1)?.probed ?? NaN) - (arrivals[0]?.probed ?? NaN)) / turns;
      processor.set(contender.name, [...(processor.get(contender.name) ?? []), spent]);
      return median(gapsOf(run));
    },
  });
  return { elapsed: { ...elapsed, unit: 'ms', reference: 'floor' }, processor };
}

/** Milliseconds from the end of each reply to the next request. */
export function gapsOf({ course: { arrivals } }: Run): number[] {
  return arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.answeredAt ?? NaN));
}
