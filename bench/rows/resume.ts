/** Taking up a session of 200 turns again, against a fresh start; and whether a turn costs more when many came before it. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { complete, interleave, multiple, start, type Bench, type Line, type Row } from '../measure/bench.ts';
import type { Contender } from '../measure/contenders.ts';
import { makeRun } from '../measure/place.ts';
import { figure, median } from '../measure/statistics.ts';
import { gapsOf } from './turn.ts';

/** Results of about a kilobyte, so that the conversation grows to some 300 kB. */
const long = { command: 'seq 1 300', turns: 200, thinking: 0 };
const once = { command: 'true', turns: 0, thinking: 0 };

export const resumeRow: Row = {
  name: 'resume',
  about: 'resume of 200 turns to first request',
  async measure(bench) {
    const { product } = bench;
    const made = await makeLongSession(bench);
    const ways = [
      { name: 'fresh', start: () => timeToFirst(bench) },
      { name: 'resumed', start: () => timeToFirst(bench, made) },
    ];
    const { figures, notes } = await interleave({
      contenders: ways,
      warmups: 1,
      runs: bench.runs(10),
      measure: (way) => way.start(),
    });
    const verdicts = [multiple(figures, 'resumed', 'fresh', 1.2)];
    return [
      {
        title: `${product.name}: resume of ${long.turns} turns to first request`,
        unit: 'ms',
        figures,
        reference: 'fresh',
        verdicts,
        notes,
      },
      ...(await growth(bench, made.gaps)),
    ];
  },
};

export interface LongSession {
  state: string;
  /** Options that take it up again. */
  resume: string[];
  /** Milliseconds of harness time, turn by turn. */
  gaps: number[];
}

/** The product makes it itself, in the ordinary way. */
export async function makeLongSession(bench: Bench): Promise<LongSession> {
  const run = start(bench, bench.product, { rehearsal: long, more: ['--max-turns', 'none'] });
  await complete(run, long);
  const { state } = run.folders;
  const [id, ...others] = readdirSync(join(state, 'reins', 'sessions'));
  if (id === undefined || others.length > 0) throw new Error('There is not exactly one session.');
  return { state, resume: ['--resume', id, '--max-turns', 'none'], gaps: gapsOf(run) };
}

/** Each run gets its own copy: a resume adds to the session. */
export function copyOf(bench: Bench, made: LongSession) {
  const folders = makeRun(bench.place, bench.product.name);
  cpSync(made.state, folders.state, { recursive: true });
  return folders;
}

async function timeToFirst(bench: Bench, made?: LongSession): Promise<number> {
  const given = made === undefined ? {} : { folders: copyOf(bench, made), more: made.resume };
  const run = start(bench, bench.product, { rehearsal: once, ...given });
  const { at } = await run.first;
  await complete(run, once);
  return at - run.startedAt;
}

async function growth(bench: Bench, gaps: number[]): Promise<Line[]> {
  const run = start(bench, bench.floor, { rehearsal: long });
  const floorGaps = gapsOf(await complete(run, long));
  const figures = ([bench.floor, bench.product] as Contender[]).flatMap(({ name }, index) => {
    const own = index === 0 ? floorGaps : gaps;
    return [figure(`${name}, turns 1-50`, own.slice(0, 50)), figure(`${name}, turns 151-200`, own.slice(-50))];
  });
  const later = figures.filter((_, index) => index % 2 === 1).map(({ samples }) => median(samples));
  const notes = [`late in the session: ${((later[1] ?? NaN) / (later[0] ?? NaN)).toFixed(2)} x floor`];
  return [
    {
      title: 'Harness time per turn in that session (the model answers at once)',
      unit: 'ms',
      figures,
      verdicts: [],
      notes,
    },
  ];
}
