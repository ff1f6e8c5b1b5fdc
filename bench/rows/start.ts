/** From the start of the command to its first request. */
import { join } from 'node:path';
import {
  complete,
  interleave,
  multiple,
  processorLine,
  start,
  type Bench,
  type Line,
  type Row,
} from '../measure/bench.ts';
import { tunedFloor, type Contender } from '../measure/contenders.ts';
import { makeRun } from '../measure/place.ts';
import { figure } from '../measure/statistics.ts';

const rehearsal = { command: 'true', turns: 0, thinking: 0 };

export const startRow: Row = {
  name: 'start',
  about: 'command line to first request',
  async measure(bench) {
    const { floor, product, peers } = bench;
    const processor = new Map<string, number[]>();
    const { figures, notes } = await interleave({
      contenders: [floor, tunedFloor, product],
      peers,
      warmups: 2,
      runs: bench.runs(20),
      async measure(contender) {
        const { elapsed, processorTime } = await toFirst(bench, contender);
        processor.set(contender.name, [...(processor.get(contender.name) ?? []), processorTime]);
        return elapsed;
      },
    });
    const verdicts = [multiple(figures, product.name, floor.name, 1.5)];
    return [
      { title: 'Command line start to first request', unit: 'ms', figures, reference: 'floor', verdicts, notes },
      ...processorLine('Processor time of that, children left out', figures, processor),
      await coldStart(bench),
    ];
  },
};

async function toFirst(bench: Bench, contender: Contender, home?: string) {
  const folders = makeRun(bench.place, contender.name, home);
  const run = start(bench, contender, { rehearsal, folders });
  const { at, probed: processorTime } = await run.first;
  await complete(run, rehearsal);
  return { elapsed: at - run.startedAt, processorTime };
}

/** The very first start of a user: no compiled code is kept yet. */
async function coldStart(bench: Bench): Promise<Line> {
  const samples: number[] = [];
  for (let index = 0; index < bench.runs(4); index += 1) {
    const { elapsed } = await toFirst(bench, bench.product, join(bench.place.root, `cold-home-${index}`));
    samples.push(elapsed);
  }
  const figures = [figure(bench.product.name, samples)];
  return { title: 'The same, first start ever (nothing cached)', unit: 'ms', figures, verdicts: [], notes: [] };
}
