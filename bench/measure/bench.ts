/** What a row works with, and what it gives. */
import type { Contender } from './contenders.ts';
import { firstOf, launch, type Launched } from './launch.ts';
import type { Arrival, Course, MeasuringServer, Rehearsal } from './model-server.ts';
import { makeRun, type Place, type RunFolders } from './place.ts';
import { canSample, processorTime } from './process-tree.ts';
import { figure, type Figure } from './statistics.ts';

export interface Bench {
  place: Place;
  server: MeasuringServer;
  floor: Contender;
  product: Contender;
  peers: Contender[];
  /** Fewer runs, and no row that takes minutes. */
  quick: boolean;
  /** How many runs a row makes of each contender, where it would make `usual`. */
  runs(usual: number): number;
  /** Progress, for people. */
  say(text: string): void;
}

export interface Verdict {
  /** What was found, against what was wanted. */
  text: string;
  met: boolean;
}

/** One line of the table. */
export interface Line {
  title: string;
  unit: string;
  figures: Figure[];
  /** Of whom the others are shown as multiples. */
  reference?: string;
  verdicts: Verdict[];
  notes: string[];
}

export interface Row {
  name: string;
  about: string;
  /** Only on request or in a full run. */
  slow?: true;
  measure(bench: Bench): Promise<Line[]>;
}

export interface Run extends Launched {
  course: Course;
  folders: RunFolders;
  /** Its first request, or a rejection with the reason why there is none. */
  first: Promise<Arrival>;
}

export interface RunOptions {
  rehearsal: Rehearsal;
  more?: string[];
  folders?: RunFolders;
}

export function start(bench: Bench, contender: Contender, { rehearsal, more, folders: given }: RunOptions): Run {
  const folders = given ?? makeRun(bench.place, contender.name);
  const command = contender.command(folders, bench.server.url, more);
  const course = bench.server.begin(rehearsal);
  const launched = launch(command, folders.output);
  course.probe = () => processorTime(launched.pid);
  const first = firstOf(course.first, launched);
  first.catch(() => undefined); // said by whoever waits for it
  return { ...launched, course, folders, first };
}

/** A whole run; rejects unless it ended well with every turn made. */
export async function complete(run: Run, rehearsal: Rehearsal): Promise<Run> {
  await run.ended;
  const made = run.course.arrivals.length;
  if (made !== rehearsal.turns + 1) throw new Error(`There were ${made} requests, not ${rehearsal.turns + 1}.`);
  return run;
}

export interface Interleaving<T extends { name: string }> {
  contenders: T[];
  warmups: number;
  runs: number;
  /** One run. What is thrown for a peer leaves that peer out; for all others it ends the row. */
  measure: (contender: T) => Promise<number>;
  peers?: T[];
}

/** Runs the contenders by turns, A B A B, so that whatever slows the machine for a while slows all of them. */
export async function interleave<T extends { name: string }>(
  options: Interleaving<T>,
): Promise<{ figures: Figure[]; notes: string[] }> {
  const { contenders, peers = [], warmups, runs, measure } = options;
  const samples = new Map<T, number[]>([...contenders, ...peers].map((contender) => [contender, []]));
  const notes: string[] = [];
  for (let round = -warmups; round < runs; round += 1) {
    for (const [contender, taken] of samples) {
      try {
        const sample = await measure(contender);
        if (round >= 0) taken.push(sample);
      } catch (error) {
        if (!peers.includes(contender)) throw error;
        samples.delete(contender);
        notes.push(`${contender.name}: not measured. ${(error as Error).message}`);
      }
    }
  }
  return { figures: [...samples].map(([contender, taken]) => figure(contender.name, taken)), notes };
}

/** The processor time of the same runs, where it can be read; what came before the runs of `elapsed` was warm-up. */
export function processorLine(title: string, elapsed: Figure[], taken: Map<string, number[]>): Line[] {
  if (!canSample) return [];
  const figures = elapsed.map(({ of, samples }) => figure(of, taken.get(of)?.slice(-samples.length) ?? []));
  return [{ title, unit: 'ms', figures, reference: 'floor', verdicts: [], notes: [] }];
}

/** The product's median as a multiple of the reference's, and whether it keeps to the budget. */
export function multiple(figures: Figure[], of: string, reference: string, limit: number): Verdict {
  const ratio = ratioOf(figures, of, reference);
  return { text: `${ratio.toFixed(2)} x ${reference}, at most ${limit} x`, met: ratio <= limit };
}

function ratioOf(figures: Figure[], of: string, reference: string): number {
  const median = (name: string) => figures.find((figure) => figure.of === name)?.median ?? NaN;
  return median(of) / median(reference);
}
