/** The way of a reply from the network to the screen: how fast it is read, how soon it is shown, what it takes meanwhile. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Line, Row } from '../measure/bench.ts';
import { root } from '../measure/contenders.ts';
import { figure } from '../measure/statistics.ts';

const speedBudget = 100;
const shownBudget = 5;
/** A reply held once as bytes, once as decoded text and once as what is recorded. */
const memoryBudget = 3;

interface Measured {
  /** Megabytes of stream in a second, by wire. */
  speed: { [wire: string]: number[] };
  /** Milliseconds from the sending of a piece to its being shown. */
  shown: number[];
  /** Growth of the process at its peak, and the size of the reply, in bytes. */
  grown: number;
  size: number;
  /** Connections that 30 turns opened, and the milliseconds of a turn on a new and on a kept connection. */
  connections: number;
  fresh: number[];
  kept: number[];
}

export const wireRow: Row = {
  name: 'wire',
  about: 'a reply on its way in: speed of reading, delay, memory, connections',
  async measure(bench) {
    const worker = join(root, 'bench', 'wire-worker.ts');
    const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', worker, String(bench.runs(6))];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
    return [reading(measured), delay(measured), memory(measured), connecting(measured)];
  },
};

function reading({ speed }: Measured): Line {
  const figures = Object.entries(speed).map(([wire, samples]) => figure(wire, samples));
  const slowest = Math.min(...figures.map(({ median }) => median));
  return {
    title: 'Reading a stream of small deltas into a reply',
    unit: 'MB/s',
    figures,
    verdicts: [{ text: `${slowest.toFixed(0)} MB/s, at least ${speedBudget}`, met: slowest >= speedBudget }],
    notes: [],
  };
}

function delay({ shown }: Measured): Line {
  const taken = figure('from the server’s write to the screen', shown);
  return {
    title: 'A piece of a reply is shown',
    unit: 'ms',
    figures: [taken],
    verdicts: [{ text: `${taken.median.toFixed(2)} ms, under ${shownBudget} ms`, met: taken.median < shownBudget }],
    notes: ['Server and client are one process here: the loopback and the server’s part are in it.'],
  };
}

function memory({ grown, size }: Measured): Line {
  const multiple = grown / size;
  const megabytes = (bytes: number): number => bytes / 1024 / 1024;
  return {
    title: `Memory while a reply of ${megabytes(size).toFixed(0)} MB comes in`,
    unit: 'MB',
    figures: [figure('grown by', [megabytes(grown)])],
    verdicts: [{ text: `${multiple.toFixed(1)} x its size, at most ${memoryBudget} x`, met: multiple <= memoryBudget }],
    notes: [],
  };
}

function connecting({ connections, fresh, kept }: Measured): Line {
  return {
    title: 'A request to a server that answers at once',
    unit: 'ms',
    figures: [figure('on a new connection', fresh), figure('on the kept one', kept)],
    reference: 'on a new connection',
    verdicts: [{ text: `${connections} connection for 30 requests, 1 wanted`, met: connections === 1 }],
    notes: [],
  };
}
