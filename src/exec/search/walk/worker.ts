/**
 * The own walk, in a thread of its own: a pattern that never ends is ended with it. This module is the thread's beginning too, which
 * its address tells, wherever it has been bundled to.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { LineBudget, type BytePath, type Counted, type NameGlobs } from '../engine.ts';
import { compileGlob, parseGlob } from '../globs/index.ts';
import { pathIn, textOf } from '../paths-as-bytes.ts';
import { compilePattern, explainProblem, type Pattern } from '../pattern/index.ts';
import { countIn } from './counting.ts';
import { walk } from './folders.ts';
import type { Job, Told } from './job.ts';
import { firstMatch } from './matching.ts';
import { linesIn } from './showing.ts';
import { TooLarge } from './text.ts';

export const address = import.meta.url;
/** Tells the thread that it is one of these. */
export const threadName = 'reins-search';

type Tell = (told: Told) => void;

/** Results that are told one by one, so that none is lost with the thread, and how many at once after that. */
const toldAlone = 1_000;
const toldTogether = 500;

if (!isMainThread && workerData === threadName) {
  const port = parentPort;
  port?.on('message', (job: Job) => {
    const tell: Tell = (told) => port.postMessage(told);
    work(job, tell);
    tell({ tells: 'done' });
  });
}

function work(job: Job, tell: Tell): void {
  if (job.do === 'list') return list(job, tell);
  const pattern = compilePattern(job.query.pattern, job.query);
  if ('reason' in pattern) return tell({ tells: 'refused', reason: explainProblem(job.query.pattern, pattern) });
  if (job.do === 'count') return count(job, pattern, tell);
  if (job.do === 'lines') return show(job, pattern, tell);
  return tell({ tells: 'located', columns: job.lines.map((line) => firstMatch(pattern, Buffer.from(line))) });
}

function count(job: Extract<Job, { do: 'count' }>, pattern: Pattern, tell: Tell): void {
  const fits = nameTest(job.names);
  let told = 0;
  let held: Counted[] = [];
  const flush = (): void => {
    if (held.length > 0) tell({ tells: 'counted', files: held });
    held = [];
  };
  walk(
    job.place,
    (path) => {
      if (!fits(path)) return;
      const counted = withTroubles(path, tell, () => countIn(pathIn(job.place.root, path), pattern, job));
      if (counted === undefined) return;
      held.push({ path, ...counted });
      told += 1;
      if (told < toldAlone || held.length >= toldTogether) flush();
    },
    (trouble) => tell({ tells: 'trouble', trouble }),
  );
  flush();
}

function show(job: Extract<Job, { do: 'lines' }>, pattern: Pattern, tell: Tell): void {
  const budget = new LineBudget();
  let left = job.limit;
  for (const path of job.files) {
    if (left < 0) return;
    const shown = withTroubles(path, tell, () =>
      linesIn(pathIn(job.place.root, path), pattern, { ...job, limit: left, budget }),
    );
    if (shown === undefined) continue;
    tell({ tells: 'lines', file: { path, ...shown } });
    left -= shown.binary ? 1 : shown.records.filter(({ matched }) => matched).length;
  }
}

function list(job: Extract<Job, { do: 'list' }>, tell: Tell): void {
  const fits = nameTest(job.names);
  let paths: BytePath[] = [];
  const flush = (): void => {
    tell({ tells: 'paths', paths });
    paths = [];
  };
  walk(
    job.place,
    (path) => {
      if (fits(path)) paths.push(path);
      if (paths.length >= toldTogether) flush();
    },
    (trouble) => tell({ tells: 'trouble', trouble }),
  );
  flush();
}

function nameTest(names: NameGlobs | undefined): (path: BytePath) => boolean {
  if (names === undefined) return () => true;
  const sources = names.map((name) => {
    const tokens = parseGlob(name, 'asked');
    return 'problem' in tokens ? '.*' : compileGlob(tokens, false);
  });
  const expression = new RegExp(`^(?:${sources.join('|')})$`, 'su');
  return (path) => expression.test(textOf(path.slice(path.lastIndexOf('/') + 1)));
}

/** Files that have gone meanwhile, or have become something else. */
const gone = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

/** Does something with a file; what stands in the way is told. */
function withTroubles<T>(path: BytePath, tell: Tell, use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    const why = whyNot(error);
    if (!gone.has(why)) tell({ tells: 'trouble', trouble: { path, why } });
    return undefined;
  }
}

function whyNot(error: unknown): string {
  if (error instanceof TooLarge) return 'too-large';
  // What the engine of JavaScript says to a pattern that takes too much of its stack.
  if (error instanceof RangeError) return 'too-hard';
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') throw error;
  return code;
}
