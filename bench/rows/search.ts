/** The search over ten thousand sessions. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Line, Row } from '../measure/bench.ts';
import { root } from '../measure/contenders.ts';
import { makeRun } from '../measure/place.ts';
import { figure } from '../measure/statistics.ts';

const sessions = 10_000;
const budget = 100;

export const searchRow: Row = {
  name: 'search',
  about: 'full text search over 10,000 sessions',
  slow: true,
  async measure(bench) {
    const { state } = makeRun(bench.place, 'search');
    const { bytes } = await work<{ bytes: number }>('make', state, String(sessions));
    const first = await work<{ elapsed: number; bytes: number }>('first', state);
    const { answers, grown } = await work<{ answers: { [name: string]: number[] }; grown: number }>('ask', state);
    const { elapsed } = await work<{ elapsed: number[] }>('list', state);
    return [answering(answers, grown), beginning(first, bytes), listing(elapsed)];
  },
};

async function work<T>(task: string, state: string, ...more: string[]): Promise<T> {
  const worker = join(root, 'bench', 'search-worker.ts');
  const args = ['--disable-warning=ExperimentalWarning', worker, task, state, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

function answering(answers: { [name: string]: number[] }, grown: number): Line {
  const figures = Object.entries(answers).map(([name, samples]) => figure(name, samples));
  const slowest = Math.max(...figures.map((each) => each.median));
  return {
    title: `Search over ${sessions.toLocaleString('en')} sessions, each time with a look at every log`,
    unit: 'ms',
    figures: [...figures, figure('after a session grew', [grown])],
    verdicts: [{ text: `slowest ${slowest.toFixed(0)} ms, under ${budget} ms`, met: slowest < budget }],
    notes: [],
  };
}

function beginning(first: { elapsed: number; bytes: number }, bytes: number): Line {
  const [index, logs] = [first.bytes, bytes].map((each) => (each / 1e6).toFixed(0));
  return {
    title: 'The first search ever: all logs are read into the index',
    unit: 's',
    figures: [figure('all logs', [first.elapsed / 1000])],
    verdicts: [],
    notes: [`${logs} MB of logs, ${index} MB of index`],
  };
}

function listing(elapsed: number[]): Line {
  const figures = [figure('listed', elapsed)];
  return { title: 'List of all sessions, from the index', unit: 'ms', figures, verdicts: [], notes: [] };
}
