/** The log of a very long session: appending, opening, folding. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Line, Row } from '../measure/bench.ts';
import { root } from '../measure/contenders.ts';
import { makeRun } from '../measure/place.ts';
import { figure, median } from '../measure/statistics.ts';

const events = 100_000;
const openBudget = 1_000;
/** What still counts as flat, for the noise of two samples. */
const flat = 1.5;

interface Written {
  id: string;
  bytes: number;
  append: number;
  appendEarly: number;
  appendLate: number;
  durable: number;
}

interface Opened {
  elapsed: number;
  grown: number;
  peak: number;
}

export const logRow: Row = {
  name: 'log',
  about: '100,000 events: append, open, fold',
  async measure(bench) {
    const { state } = makeRun(bench.place, 'log');
    const written = await work<Written>('write', state, String(events));
    const opened: Opened[] = [];
    for (let run = 0; run < bench.runs(4); run += 1) opened.push(await work<Opened>('open', state, written.id));
    const folded = await work<{ early: number[]; late: number[] }>('fold', state, written.id);
    return [appending(written), ...opening(opened, written.bytes), folding(folded)];
  },
};

async function work<T>(task: string, state: string, argument: string): Promise<T> {
  const worker = join(root, 'bench', 'log-worker.ts');
  const args = ['--disable-warning=ExperimentalWarning', worker, task, state, argument];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

function appending({ append, appendEarly, appendLate, durable }: Written): Line {
  const growth = appendLate / appendEarly;
  return {
    title: 'Append of one event of 800 bytes',
    unit: 'µs',
    figures: [figure('appended', [append]), figure('and on the disk', [durable * 1000])],
    verdicts: [{ text: `late against early ${growth.toFixed(2)} x, flat is up to ${flat} x`, met: growth <= flat }],
    notes: [],
  };
}

function opening(opened: Opened[], bytes: number): Line[] {
  const elapsed = figure(
    'opened',
    opened.map((run) => run.elapsed),
  );
  const size = `${events.toLocaleString('en')} events, ${(bytes / 1e6).toFixed(0)} MB`;
  return [
    {
      title: `Opening ${size} to drive it, without the chain`,
      unit: 'ms',
      figures: [elapsed],
      verdicts: [{ text: `${elapsed.median.toFixed(0)} ms, under ${openBudget} ms`, met: elapsed.median < openBudget }],
      notes: [],
    },
    {
      title: 'Memory for it',
      unit: 'MB',
      figures: [
        figure(
          'grown by',
          opened.map(({ grown }) => grown),
        ),
        figure(
          'peak of the process',
          opened.map(({ peak }) => peak),
        ),
      ],
      verdicts: [],
      notes: ['Every turn of this log is on the live path: nothing of it was compacted.'],
    },
  ];
}

function folding({ early, late }: { early: number[]; late: number[] }): Line {
  const growth = median(late) / median(early);
  return {
    title: 'Fold and decide, for each event',
    unit: 'µs',
    figures: [figure('events 5,000-15,000', early), figure('events 90,000-100,000', late)],
    verdicts: [{ text: `late against early ${growth.toFixed(2)} x, flat is up to ${flat} x`, met: growth <= flat }],
    notes: [],
  };
}
