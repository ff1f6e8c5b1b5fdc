/** Where the product's time goes: a CPU profile of what a row measures, and a timeline of what it waits for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complete, start, type Bench, type Run, type RunOptions } from '../measure/bench.ts';
import { root, type Contender } from '../measure/contenders.ts';
import { copyOf, makeLongSession } from '../rows/resume.ts';
import { analyse, type Analysis, type Recording, type Spent, type Window } from './cpu-profile.ts';

interface Profile {
  prepare(bench: Bench): Promise<() => RunOptions>;
  /** The time that the row measures, in milliseconds of `performance.now()`. */
  windows(run: Run): Promise<Window[]>;
  /** What the figures are for: each window of a run. */
  per: 'start' | 'turn';
  /** Runs to profile: a single start is too short for its samples to say much. */
  runs: number;
}

const untilFirst = async (run: Run): Promise<Window[]> => [[run.startedAt, (await run.first).at]];
const betweenTurns = async ({ course: { arrivals } }: Run): Promise<Window[]> =>
  arrivals.slice(1).map(({ at }, index) => [arrivals[index]?.answeredAt ?? at, at]);

const kinds: { [row: string]: Profile } = {
  start: {
    per: 'start',
    runs: 8,
    windows: untilFirst,
    prepare: async () => () => ({ rehearsal: { command: 'true', turns: 0, thinking: 0 } }),
  },
  turn: {
    per: 'turn',
    runs: 1,
    windows: betweenTurns,
    prepare: async () => () => ({ rehearsal: { command: 'true', turns: 60, thinking: 60 } }),
  },
  resume: {
    per: 'start',
    runs: 4,
    windows: untilFirst,
    async prepare(bench) {
      const made = await makeLongSession(bench);
      const rehearsal = { command: 'true', turns: 0, thinking: 0 };
      return () => ({ rehearsal, folders: copyOf(bench, made), more: made.resume });
    },
  },
};

export const profiles = Object.keys(kinds);

/** The report as text. */
export async function profileRow(bench: Bench, row: string): Promise<string> {
  const kind = kinds[row];
  if (kind === undefined) throw new Error(`There is no profile of ${row}.`);
  const options = await kind.prepare(bench);
  await runWith(bench, options(), {});
  const recordings: Recording[] = [];
  for (let run = 0; run < kind.runs; run += 1) recordings.push(await record(bench, kind, options()));
  const count = recordings.flatMap(({ windows }) => windows).length;
  const analysis = analyse(recordings);
  const timeline = await timelineOf(bench, kind, options());
  return `${describe(row, kind, analysis, count)}\n${timeline}`;
}

async function runWith(bench: Bench, options: RunOptions, env: { [name: string]: string }): Promise<Run> {
  const contender: Contender = {
    name: bench.product.name,
    command(...given) {
      const command = bench.product.command(...given);
      return { ...command, env: { ...command.env, ...env } };
    },
  };
  return complete(start(bench, contender, options), options.rehearsal);
}

async function record(bench: Bench, kind: Profile, options: RunOptions): Promise<Recording> {
  const folder = join(bench.place.root, `profile-${performance.now()}`);
  const run = await runWith(bench, options, {
    NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=100 --cpu-prof-dir=${folder}`,
  });
  // Named after the time, the process and a thread; the thread 0 is the main one.
  const file = readdirSync(folder).find((name) => name.split('.')[3] === String(run.pid));
  if (file === undefined) throw new Error('There is no profile of the process.');
  const windows = (await kind.windows(run)).map(([from, to]): Window => [monotonic(from), monotonic(to)]);
  return { file: join(folder, file), windows };
}

/** From this process's `performance.now()` to microseconds of the clock that all processes share. */
function monotonic(milliseconds: number): number {
  return Number(process.hrtime.bigint()) / 1000 - (performance.now() - milliseconds) * 1000;
}

function describe(row: string, kind: Profile, analysis: Analysis, count: number): string {
  const { elapsed, idle, functions, modules } = analysis;
  const each = (milliseconds: number) => (milliseconds / count).toFixed(2).padStart(8);
  const list = (spent: Spent[], length: number) =>
    spent.slice(0, length).map(({ name, self, total }) => `${each(self)} ${each(total)}  ${name}`);
  const own = functions.filter(({ name }) => name.includes(' src/'));
  return [
    `profile of ${row}: milliseconds for each ${kind.per} (profiled, so slower than measured)`,
    `${each(elapsed)} in all, from the start of the program on; ${each(idle).trim()} of it waiting`,
    '',
    '    self    total  function',
    ...list(functions, 35),
    '',
    '    self    total  module',
    ...list(modules, 35),
    '',
    '    self    total  our own functions, with all that they call',
    ...list(
      own.toSorted((a, b) => b.total - a.total),
      45,
    ),
    '',
  ].join('\n');
}

interface Note {
  at: number;
  what: string;
}

async function timelineOf(bench: Bench, kind: Profile, options: RunOptions): Promise<string> {
  const file = join(bench.place.root, `timeline-${Date.now()}.json`);
  const run = await runWith(bench, options, {
    NODE_OPTIONS: `--import=${join(root, 'bench', 'timeline.mjs')}`,
    BENCH_TIMELINE: file,
  });
  const notes = JSON.parse(readFileSync(file, 'utf8')) as Note[];
  const windows = await kind.windows(run);
  const shown = kind.per === 'turn' ? windows.slice(10, 14) : windows;
  const parts = shown.map(([from, to]) => {
    const [start, end] = [monotonic(from), monotonic(to)];
    const inside = notes.filter(({ at }) => at >= start && at <= end).toSorted((a, b) => a.at - b.at);
    const lines = inside.map(({ at, what }) => `${((at - start) / 1000).toFixed(2).padStart(8)}  ${what}`);
    return [...lines, `${(to - from).toFixed(2).padStart(8)}  the request arrives`].join('\n');
  });
  return `timeline in milliseconds (one ordinary run)\n${parts.join('\n\n')}\n`;
}
