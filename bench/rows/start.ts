/** From the start of the command to its first request. */
import { complete, interleave, multiple, start, type Bench, type Line, type Row } from '../measure/bench.ts';
import type { Contender } from '../measure/contenders.ts';
import { join } from 'node:path';
import { makeRun } from '../measure/place.ts';
import { figure } from '../measure/statistics.ts';

const rehearsal = { command: 'true', turns: 0, thinking: 0 };

export const startRow: Row = {
  name: 'start',
  about: 'command line to first request',
  async measure(bench) {
    const { floor, product, peers } = bench;
    const measure = (contender: Contender) => timeToFirst(bench, contender);
    const { figures, notes } = await interleave({
      contenders: [floor, product],
      peers,
      warmups: 2,
      runs: bench.runs(20),
      measure,
    });
    const verdicts = [multiple(figures, product.name, floor.name, 1.5)];
    return [
      { title: 'Command line start to first request', unit: 'ms', figures, reference: 'floor', verdicts, notes },
      await coldStart(bench),
    ];
  },
};

async function timeToFirst(bench: Bench, contender: Contender, home?: string): Promise<number> {
  const folders = makeRun(bench.place, contender.name, home);
  const run = start(bench, contender, { rehearsal, folders });
  const { at } = await run.first;
  await complete(run, rehearsal);
  return at - run.startedAt;
}

/** The very first start of a user: no compiled code is kept yet. */
async function coldStart(bench: Bench): Promise<Line> {
  const samples: number[] = [];
  for (let index = 0; index < bench.runs(4); index += 1) {
    samples.push(await timeToFirst(bench, bench.product, join(bench.place.root, `cold-home-${index}`)));
  }
  const figures = [figure(bench.product.name, samples)];
  return { title: 'The same, first start ever (nothing cached)', unit: 'ms', figures, verdicts: [], notes: [] };
}
