/** The inner door to ripgrep as an engine. */
import {
  LineBudget,
  type BytePath,
  type Counted,
  type CountOptions,
  type Ended,
  type Engine,
  type FileLines,
  type Place,
  type Query,
  type Watch,
} from '../engine.ts';
import { textOf } from '../paths-as-bytes.ts';
import type { Refusal } from '../requests.ts';
import { at, listing, looking, walking, type Reading } from './arguments.ts';
import { countingFor } from './counting.ts';
import { refusalIn, troublesIn } from './messages.ts';
import { NameReader } from './records.ts';
import { run, type RunEnd } from './run.ts';
import { Collector, groupsOf, opened, showing, silentBinaries, type Group, type Wanted } from './showing.ts';

export { findRipgrep } from './program.ts';
export { RipgrepFailed } from './run.ts';

/** One question to ripgrep. */
interface Asked {
  program: string;
  sparing: Sparing;
  query: Query;
  place: Place;
  watch: Watch;
}

/** The engine over a program. Its methods reject with `RipgrepFailed` when that can't be run. */
export function createRipgrep(program: string): Engine {
  const sparing = new Sparing();
  return {
    count: (query, place, options, watch) => {
      const asked = { program, sparing, query, place, watch };
      return sparing.attempt(place, (reading) => count(asked, options, reading));
    },
    lines: (query, place, files, options, watch) => lines({ program, sparing, query, place, watch }, files, options),
    locate: (query, given, watch) => locate(program, query, given, watch),
    list: async (place, names, onPath, watch) => {
      const reader = new NameReader(onPath);
      const args = [...listing(), ...walking(place, names), ...at([''])];
      return endedOf(await run({ program, folder: place.root, arguments: args }, watch, (chunk) => reader.take(chunk)));
    },
  };
}

/** Does it fast; where a line is so long that this takes too much memory, it is done again, sparingly, and so from then on. */
class Sparing {
  readonly #roots = new Set<string>();

  async attempt<T extends Ended | Refusal>({ root }: Place, attempt: (reading: Reading) => Promise<T>): Promise<T> {
    if (this.#roots.has(root)) return attempt('sparing');
    const result = await attempt('fast');
    if (!('halt' in result) || result.halt !== 'memory') return result;
    this.#roots.add(root);
    return attempt('sparing');
  }
}

function endedOf({ end, messages }: RunEnd): Ended {
  const troubles = troublesIn(messages);
  return end === 'time' || end === 'memory' ? { troubles, halt: end } : { troubles };
}

async function count(
  { program, query, place, watch }: Asked,
  options: CountOptions,
  reading: Reading,
): Promise<(Ended & { files: Counted[] }) | Refusal> {
  const counting = countingFor(query, options, place.file !== undefined);
  const walked = place.file === undefined ? walking(place, options.names) : ['--no-ignore'];
  const args = [...looking(query, reading), ...counting.arguments, ...walked, ...at([place.file ?? ''])];
  const result = await run({ program, arguments: args, folder: place.root }, watch, (chunk) => counting.take(chunk));
  const files = counting.end();
  const ended = endedOf(result);
  // What can't be looked at makes the same exit code as a pattern that is none.
  const refused = result.exit === 2 && files.length === 0 ? refusalIn(result.messages, query) : undefined;
  return refused === undefined ? { ...ended, files } : { refused };
}

async function lines(
  asked: Asked,
  files: readonly BytePath[],
  { context, limit }: { context: number; limit: number },
): Promise<Ended & { files: FileLines[] }> {
  const shown: FileLines[] = [];
  const troubles: Ended['troubles'] = [];
  const budget = new LineBudget();
  let left = limit;
  for (const group of groupsOf(files)) {
    if (left < 0 || asked.watch.signal.aborted) break;
    const result = await asked.sparing.attempt(asked.place, (reading) =>
      show(asked, group, { context, limit: left, budget }, reading),
    );
    for (const file of result.files) shown.push(file);
    for (const trouble of result.troubles) troubles.push(trouble);
    if (result.halt !== undefined) return { files: shown, troubles, halt: result.halt };
    ({ left } = result);
  }
  return { files: shown, troubles };
}

/** Lines of files. `left`: matches that may still come, -1 when there was one more. */
type Shown = Ended & { files: FileLines[]; left: number };

/** The lines of one group of files. */
async function show(
  { program, query, place, watch }: Asked,
  group: Group,
  wanted: Wanted,
  reading: Reading,
): Promise<Shown> {
  const options = [...looking(query, reading), ...showing(wanted.context)];
  const plan = { program, folder: place.root };
  if ('paths' in group) {
    const known = new Set(group.paths);
    const collector = new Collector(wanted, (printed) => (known.has(printed) ? printed : undefined));
    const args = [...options, ...at(group.paths.map(textOf))];
    const result = await run({ ...plan, arguments: args }, watch, (chunk) => collector.take(chunk));
    return collected(result, collector, place, group.paths);
  }
  const collector = new Collector(wanted, () => group.open);
  const file = opened(place, group.open);
  if (file === undefined) return { troubles: [], files: [], left: wanted.limit };
  try {
    const args = [...options, '--', '-'];
    const input = file.descriptor;
    const result = await run({ ...plan, arguments: args, input }, watch, (chunk) => collector.take(chunk));
    return collected(result, collector, place, [group.open]);
  } finally {
    file.close();
  }
}

function collected(result: RunEnd, collector: Collector, place: Place, paths: readonly BytePath[]): Shown {
  if (result.end === 'done') collector.end();
  const { files, left } = collector;
  const silent = result.end === 'done' ? silentBinaries(place, paths, files) : [];
  return { ...endedOf(result), files: [...files, ...silent], left: left - silent.length };
}

/** Each line is a line of what ripgrep reads; it tells the column of the first match in it, and not the line. */
async function locate(program: string, query: Query, given: Buffer[], watch: Watch): Promise<(number | undefined)[]> {
  const columns: (number | undefined)[] = given.map(() => undefined);
  const options = ['--text', '--line-number', '--column', '--max-columns=1', '--no-filename'];
  const args = [...looking({ ...query, multiline: false }, 'fast'), ...options, '--', '-'];
  const input = Buffer.concat(given.flatMap((line) => [line, Buffer.from('\n')]));
  const chunks: Buffer[] = [];
  await run({ program, arguments: args, folder: '/', input }, watch, (chunk) => chunks.push(chunk) > 0);
  for (const [, line, column] of Buffer.concat(chunks)
    .toString('latin1')
    .matchAll(/^(\d+):(\d+):/gm))
    columns[Number(line) - 1] = Number(column) - 1;
  return columns;
}
