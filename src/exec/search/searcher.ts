/** Searches and finds over whichever engine there is. All that an answer consists of is put together here, for both alike. */
import { relative } from 'node:path';
import { binaryNote, displayPath, incompleteness, linesOf } from './answer.ts';
import type { BytePath, Counted, Ended, Engine, FileLines, Place, Query, Watch } from './engine.ts';
import { createEngines, type EngineOptions } from './engines.ts';
import type { ByteFilter } from '../needs.ts';
import { createFilter, type Filter } from './filter.ts';
import { comparePaths, sortedPaths, textOf } from './paths-as-bytes.ts';
import { placeOf } from './place.ts';
import { queryOf } from './query.ts';
import {
  isRefusal,
  type FindRequest,
  type Found,
  type Refusal,
  type Searcher,
  type SearchRequest,
} from './requests.ts';
import { withTexts } from './texts.ts';

/**
 * `workspace`: its real path. `program`: ripgrep's own path; null: none is used; left out, it is looked for when first needed.
 * `timeLimit`: milliseconds after which a search tells what it has found by then.
 */
export type SearcherOptions = EngineOptions & {
  timeLimit?: number;
  /** Makes what a line goes through before it is cut: a part of what may not be shown isn’t seen to be one. */
  hide?: () => ByteFilter;
};

const defaultTimeLimit = 20_000;
/** Milliseconds that showing what was found may take at least. */
const showLimit = 5_000;
/** Lines around a match, and matches of one answer, at most. */
const mostContext = 100;
const mostMatches = 10_000;
const cancelled: Refusal = { refused: 'the search was cancelled' };

export function makeSearcher(options: SearcherOptions): Searcher {
  const { workspace, timeLimit = defaultTimeLimit } = options;
  const engines = createEngines(options);
  const watch = (signal: AbortSignal): Watch => ({ signal, deadline: performance.now() + timeLimit });
  return {
    async search(request, signal) {
      const query = queryOf(request);
      if (isRefusal(query)) return query;
      const place = placeOf(workspace, request.path);
      if (isRefusal(place)) return place;
      // A file that is named is meant, whatever else is said.
      const filter = createFilter(place.file === undefined ? request : {}, place.root);
      if (isRefusal(filter)) return filter;
      return engines.use(place, async (engine) => {
        const search = new Search(engine, query, place, filter, watch(signal), options);
        const found = await search.run(request);
        return signal.aborted ? cancelled : found;
      });
    },
    async find(request, signal) {
      const place = placeOf(workspace, request.path);
      if (isRefusal(place)) return place;
      if (place.file !== undefined) return { refused: `${place.file} is a file, not a folder` };
      const filter = createFilter({ glob: request.glob }, place.root);
      if (isRefusal(filter)) return filter;
      const found = await engines.use(place, (engine) =>
        find(engine, place, filter, request, watch(signal), timeLimit),
      );
      return signal.aborted ? cancelled : found;
    },
  };
}

/** From the workspace to the folder that is searched. */
function prefixOf({ base, root }: Place): string {
  const path = relative(base, root);
  return path === '' ? '' : `${path}/`;
}

class Search {
  readonly #engine: Engine;
  readonly #query: Query;
  readonly #place: Place;
  readonly #filter: Filter;
  readonly #watch: Watch;
  readonly #timeLimit: number;
  readonly #hide: SearcherOptions['hide'];
  readonly #ends: Ended[] = [];

  constructor(engine: Engine, query: Query, place: Place, filter: Filter, watch: Watch, options: SearcherOptions) {
    this.#engine = engine;
    this.#query = query;
    this.#place = place;
    this.#filter = filter;
    this.#watch = watch;
    this.#timeLimit = options.timeLimit ?? defaultTimeLimit;
    this.#hide = options.hide;
  }

  async run({ output = 'lines', context = 0, limit: asked }: SearchRequest): Promise<Found | Refusal> {
    const limit = withinBounds(asked);
    const counted = await this.#count(output === 'files', false);
    if (isRefusal(counted)) return counted;
    const isCut = counted.reduce((sum, { count }) => sum + count, 0) > limit;
    const files = output === 'counts' || (output === 'lines' && isCut) ? await this.#withBinary(counted) : counted;
    if (output === 'lines') return this.#lines(files, Math.min(mostContext, Math.max(0, Math.floor(context))), limit);
    const prefix = prefixOf(this.#place);
    const lines = files.slice(0, limit).map(({ path, count, binary }) => {
      const name = displayPath(prefix, path);
      if (output === 'files') return name;
      return binary === true ? binaryNote(name) : `${name}:${count}`;
    });
    return this.#found(lines, files.length, files.length);
  }

  /** The files that match and are meant, sorted. */
  async #count(filesOnly: boolean, withoutBinary: boolean): Promise<Counted[] | Refusal> {
    const { names } = this.#filter;
    const options = { filesOnly, withoutBinary, ...(names !== undefined && { names }) };
    const counted = await this.#engine.count(this.#query, this.#place, options, this.#watch);
    if (isRefusal(counted)) return counted;
    this.#ends.push(counted);
    const meant = counted.files.filter(({ path }) => this.#filter.accepts(textOf(path)));
    return meant.toSorted((a, b) => comparePaths(a.path, b.path));
  }

  /** Finds out which files are binary, where that isn't known: those that aren't there any more when such files are left out. */
  async #withBinary(files: Counted[]): Promise<Counted[]> {
    if (files.every(({ binary }) => binary !== undefined)) return files;
    const text = await this.#count(false, true);
    if (isRefusal(text) || this.#ends.at(-1)?.halt !== undefined) return files;
    const paths = new Set(text.map(({ path }) => path));
    return files.map((file) => ({ ...file, binary: file.binary ?? !paths.has(file.path) }));
  }

  async #lines(files: Counted[], context: number, limit: number): Promise<Found> {
    const picked = pick(files, limit);
    const binaries = picked.filter(({ binary }) => binary === true);
    const asked = picked.filter(({ binary }) => binary !== true).map(({ path }) => path);
    // What was found in time is shown.
    const watch = { ...this.#watch, deadline: Math.max(this.#watch.deadline, performance.now() + showLimit) };
    const options = { context, limit: limit - binaries.length };
    const shown =
      asked.length === 0
        ? { files: [], troubles: [] }
        : await this.#engine.lines(this.#query, this.#place, asked, options, watch);
    this.#ends.push(shown);
    const read = new Map<BytePath, FileLines>(shown.files.map((file) => [file.path, file]));
    for (const { path } of binaries) read.set(path, { path, binary: true, records: [] });
    const inOrder = picked.flatMap(({ path }) => read.get(path) ?? []);
    const texts = await withTexts(this.#engine, this.#query, this.#place, inOrder, watch, this.#hide);
    const total = files.reduce(
      (sum, { path, count, binary }) => sum + ((read.get(path)?.binary ?? binary) === true ? 1 : count),
      0,
    );
    // Where files change meanwhile, more may be shown than had been counted.
    return this.#found(
      linesOf(texts, prefixOf(this.#place), context > 0),
      Math.max(total, matchesIn(inOrder)),
      files.length,
    );
  }

  #found(lines: string[], total: number, files: number): Found {
    const incomplete = incompleteness(this.#ends, prefixOf(this.#place), this.#timeLimit / 1000);
    return { lines, total, files, ...(incomplete !== undefined && { incomplete }) };
  }
}

function withinBounds(limit: number): number {
  return Math.min(mostMatches, Math.max(1, Math.floor(limit)));
}

function matchesIn(files: readonly FileLines[]): number {
  return files.reduce(
    (sum, { binary, records }) => sum + (binary ? 1 : records.filter(({ matched }) => matched).length),
    0,
  );
}

/** The first files, as many as it takes for so many matches. */
function pick(files: readonly Counted[], limit: number): Counted[] {
  const picked: Counted[] = [];
  let matches = 0;
  for (const file of files) {
    if (matches >= limit) break;
    picked.push(file);
    matches += file.binary === true ? 1 : file.count;
  }
  return picked;
}

/** How many more paths than are wanted are held before the others are dropped. */
const mostSpare = 10_000;

async function find(
  engine: Engine,
  place: Place,
  filter: Filter,
  request: FindRequest,
  watch: Watch,
  timeLimit: number,
): Promise<Found> {
  const limit = withinBounds(request.limit);
  let first: BytePath[] = [];
  let total = 0;
  const ended = await engine.list(
    place,
    filter.names,
    (path) => {
      if (!filter.accepts(textOf(path))) return;
      total += 1;
      first.push(path);
      if (first.length > limit + mostSpare) first = sortedPaths(first).slice(0, limit);
    },
    watch,
  );
  const prefix = prefixOf(place);
  const lines = sortedPaths(first)
    .slice(0, limit)
    .map((path) => displayPath(prefix, path));
  const incomplete = incompleteness([ended], prefix, timeLimit / 1000);
  return { lines, total, files: total, ...(incomplete !== undefined && { incomplete }) };
}
