/** The lines of some files, as ripgrep prints them. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { longestLine, type BytePath, type FileLines, type LineBudget, type LineRecord, type Place } from '../engine.ts';
import { bytePath, pathIn, textOf } from '../paths-as-bytes.ts';
import { RecordReader } from './records.ts';

/** Options for lines that can be told apart and never are long. */
export function showing(context: number): string[] {
  return [
    '--binary',
    '--line-number',
    '--byte-offset',
    `--max-columns=${longestLine + 2}`,
    `--context=${context}`,
    '--no-context-separator',
    // Files are searched one after the other, in the order in which they are given.
    '--threads=1',
  ];
}

/** Files that are shown by one run: some by their names, or one whose name is no text and that is handed over open. */
export type Group = { paths: BytePath[] } | { open: BytePath };

const mostFiles = 200;
/** Characters of all names of a run. */
const mostCharacters = 65_536;

export function groupsOf(files: readonly BytePath[]): Group[] {
  const groups: Group[] = [];
  let characters = 0;
  for (const path of files) {
    const last = groups.at(-1);
    characters += path.length;
    if (bytePath(textOf(path)) !== path) groups.push({ open: path });
    else if (last !== undefined && 'paths' in last && last.paths.length < mostFiles && characters < mostCharacters)
      last.paths.push(path);
    else {
      groups.push({ paths: [path] });
      characters = path.length;
    }
  }
  return groups;
}

/** Opens a file for ripgrep to read; undefined where it has gone or has become something else. */
export function opened(place: Place, path: BytePath): { descriptor: number; close: () => void } | undefined {
  try {
    const descriptor = openSync(
      pathIn(place.root, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    return { descriptor, close: () => closeSync(descriptor) };
  } catch {
    return undefined; // that it can't be read was told when it was counted
  }
}

/** Bytes that are read at once. */
const step = 65_536;

/**
 * The binary ones among files that match and of which nothing was printed: where a line beside the match comes first, ripgrep leaves
 * out its note on them.
 */
export function silentBinaries(place: Place, paths: readonly BytePath[], files: readonly FileLines[]): FileLines[] {
  const printed = new Set(files.map(({ path }) => path));
  const silent = paths.filter((path) => !printed.has(path) && holdsNul(place, path));
  return silent.map((path) => ({ path, binary: true, records: [] }));
}

function holdsNul(place: Place, path: BytePath): boolean {
  const file = opened(place, path);
  if (file === undefined) return false;
  try {
    const bytes = Buffer.allocUnsafe(step);
    for (;;) {
      const length = readSync(file.descriptor, bytes, 0, step, null);
      if (length === 0) return false;
      if (bytes.subarray(0, length).includes(0)) return true;
    }
  } catch {
    return false; // that it can't be read was told when it was counted
  } finally {
    file.close();
  }
}

const omitted = new Set(['[Omitted long matching line]', '[Omitted long context line]']);

export interface Wanted {
  context: number;
  limit: number;
  budget: LineBudget;
}

/** Collects the lines of one run. */
export class Collector {
  readonly #files: FileLines[] = [];
  /** Matches that may still come; -1 when one more came than was wanted. */
  left: number;
  readonly #context: number;
  readonly #budget: LineBudget;
  readonly #reader: RecordReader;

  /** `nameOf`: the file that a printed name stands for; undefined where it stands for none. */
  constructor(wanted: Wanted, nameOf: (printed: BytePath) => BytePath | undefined) {
    this.left = wanted.limit;
    this.#context = wanted.context;
    this.#budget = wanted.budget;
    this.#reader = new RecordReader({
      isFile: (printed) => nameOf(printed) !== undefined,
      binary: (printed) => this.#addBinary(nameOf(printed) ?? printed),
      record: (printed, rest) => this.#add(nameOf(printed) ?? printed, rest),
    });
  }

  /** What came, without lines that stand before a match that isn't wanted any more. */
  get files(): FileLines[] {
    const last = this.#files.at(-1);
    const match = last?.records.findLast(({ matched }) => matched);
    if (this.left >= 0 || last === undefined) return this.#files;
    if (match === undefined && !last.binary) return this.#files.slice(0, -1);
    last.records = last.records.filter(({ line }) => line <= (match?.line ?? 0) + this.#context);
    return this.#files;
  }

  take(chunk: Buffer): boolean {
    return this.#reader.take(chunk);
  }

  end(): void {
    this.#reader.end();
  }

  /** Lines that were printed before the NUL was seen are taken back. */
  #addBinary(path: BytePath): void {
    const file = this.#fileOf(path);
    this.left += file.records.filter(({ matched }) => matched).length - 1;
    file.binary = true;
    file.records = [];
  }

  #fileOf(path: BytePath): FileLines {
    const last = this.#files.at(-1);
    if (last?.path === path) return last;
    const file = { path, binary: false, records: [] };
    this.#files.push(file);
    return file;
  }

  #add(path: BytePath, rest: Buffer): boolean {
    const record = parseRecord(rest, this.#budget);
    if (record === undefined) return true;
    if (record.matched && this.left <= 0) {
      this.left = -1;
      return false;
    }
    if (record.matched) this.left -= 1;
    this.#fileOf(path).records.push(record);
    return true;
  }
}

function parseRecord(rest: Buffer, budget: LineBudget): LineRecord | undefined {
  const [head, line, sign, offset] = /^(\d+)([:-])(\d+)\2/.exec(rest.toString('latin1', 0, 64)) ?? [];
  if (head === undefined) return undefined;
  const place = { line: Number(line), matched: sign === ':', offset: Number(offset) };
  const bytes = rest.subarray(head.length);
  if (bytes.length < 40 && omitted.has(bytes.toString('latin1').trimEnd())) return place;
  if (!budget.allows(bytes.length)) return place;
  return { ...place, bytes: Buffer.from(bytes) };
}
