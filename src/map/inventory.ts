/** What the files of a workspace define and mention: from the index of the last time as far as it holds, else looked at anew. */
import { lstatSync, type Stats } from 'node:fs';
import { indexPath, readIndex, writeIndex } from './index-file.ts';
import { IndexedFile, type Index } from './indexed-file.ts';
import { languageOf } from './languages/index.ts';
import { compact, Names } from './names.ts';
import type { Listing, MapSources } from './needs.ts';
import { largestSource, stampOf, type Stamp, type Unread } from './read-source.ts';
import { lookAtFiles } from './threads.ts';
import type { Looked, Wanted } from './worker.ts';

/** Why a file is in no map. */
export type Why = Unread | 'denied' | 'late';

export interface Inventory extends Index {
  /** Files that were looked at anew. */
  anew: number;
  /** Without those that the policy keeps back: they are counted. */
  leftOut: { path: string; why: Exclude<Why, 'denied'> }[];
  denied: number;
  listed: Listing;
}

/** A file can change again within one tick of the clock of its file system, and look the same. */
const fineTick = 50;
const coarseTick = 2_000;

export async function takeInventory(sources: MapSources, signal: AbortSignal): Promise<Inventory> {
  const deadline = performance.now() + sources.timeLimit;
  const file = indexPath(sources.folder, sources.workspace);
  const now = Date.now();
  // Another process lists the files meanwhile.
  const listed = sources.list(signal);
  const before = readIndex(file) ?? { names: [], files: [] };
  const listing = await listed;
  const known = new Map(before.files.map((each) => [each.path, each]));
  const sorted = sort(listing, known, sources);
  const taken = new Taken({ known, names: before.names, workspace: sources.workspace, now });
  const { wanted, kept, denied } = sorted;
  const missing = wanted.length === 0 ? [] : await lookAtFiles(wanted, { signal, deadline }, (each) => taken.add(each));
  const isSame = taken.files.length === 0 && kept.length === before.files.length;
  const files = isSame ? before.files : [...kept, ...taken.files].toSorted(byPath);
  const index = { names: taken.names, files };
  const unlisted = unlistedIn(before, listing);
  if (!isSame) writeIndex(file, compact({ ...index, files: [...files, ...unlisted].toSorted(byPath) }));
  const late = missing.map(({ path }) => ({ path: relativeTo(sources.workspace, path), why: 'late' as const }));
  const unread = files.flatMap(({ path, unread: why }) => (why === undefined ? [] : [{ path, why }]));
  // What was looked at under other rules may not be told of by now.
  const leftOut = [...sorted.large, ...unread, ...taken.unread, ...late].filter(({ path }) => sources.mayRead(path));
  return { ...index, anew: taken.anew, leftOut, denied, listed: listing };
}

interface Sorted {
  /** To be looked at, by language. */
  wanted: Wanted[];
  /** As they are known. */
  kept: IndexedFile[];
  large: { path: string; why: 'large' }[];
  denied: number;
}

type Known = ReadonlyMap<string, IndexedFile>;

function sort({ paths }: Listing, known: Known, sources: MapSources): Sorted {
  const { workspace } = sources;
  const sorted: Sorted = { wanted: [], kept: [], large: [], denied: 0 };
  for (const path of paths) {
    // A name that breaks lines is no name of a source.
    if (/[\0-\x1f\x7f]/.test(path) || languageOf(path) === undefined) continue;
    const absolute = `${workspace}/${path}`;
    const status = statusOf(absolute);
    if (status?.isFile() !== true) continue;
    const file = known.get(path);
    if (file !== undefined && file.hash === '' && isSame(file.stamp, stampOf(status))) sorted.kept.push(file);
    else if (!sources.mayRead(path)) sorted.denied += 1;
    else if (status.size > largestSource) sorted.large.push({ path, why: 'large' });
    else sorted.wanted.push({ path: absolute, ...(file !== undefined && file.hash !== '' && { known: file.hash }) });
  }
  sorted.wanted.sort((a, b) => compare(languageOf(a.path) ?? '', languageOf(b.path) ?? '') || compare(a.path, b.path));
  return sorted;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // Its folder is closed.
  }
}

function isSame(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.modified === b.modified && a.changed === b.changed;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function byPath(a: IndexedFile, b: IndexedFile): number {
  return compare(a.path, b.path);
}

/** Where not all was found, what isn’t listed may well be there. */
function unlistedIn({ files }: Index, { paths, incomplete }: Listing): IndexedFile[] {
  if (incomplete === undefined) return [];
  const listed = new Set(paths);
  return files.filter(({ path }) => !listed.has(path));
}

function relativeTo(workspace: string, path: string): string {
  return path.slice(workspace.length + 1);
}

const nothing = { hash: '', text: '', mentioned: new Uint32Array(), references: new Uint32Array() };

/** What was known before, and when that was looked at. */
interface Before {
  known: Known;
  names: string[];
  workspace: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What came of looking. */
class Taken {
  readonly files: IndexedFile[] = [];
  readonly unread: { path: string; why: Unread }[] = [];
  anew = 0;
  readonly #before: Before;
  #names: Names | undefined;

  constructor(before: Before) {
    this.#before = before;
  }

  get names(): string[] {
    return this.#names?.list ?? this.#before.names;
  }

  add(looked: readonly Looked[]): void {
    for (const each of looked) this.#addOne(each, relativeTo(this.#before.workspace, each.path));
  }

  #addOne(each: Looked, path: string): void {
    this.anew += 1;
    if ('unread' in each) {
      const { stamp, unread } = each;
      if (stamp === undefined) this.unread.push({ path, why: unread });
      else this.files.push(new IndexedFile({ ...nothing, path, stamp, unread }));
      return;
    }
    const { stamp } = each;
    const hash = this.#isFresh(stamp) ? each.hash : '';
    const known = 'same' in each ? this.#before.known.get(path) : undefined;
    if (known !== undefined) this.files.push(known.with({ stamp, hash }));
    if ('same' in each) return;
    this.#names ??= new Names(this.#before.names);
    const { definitions: text, references } = each;
    this.files.push(new IndexedFile({ path, stamp, hash, text, ...this.#names.placed(path, text, references) }));
  }

  #isFresh({ modified, changed }: Stamp): boolean {
    const last = Math.max(modified, changed);
    return this.#before.now - last < (last % 1000 === 0 ? coarseTick : fineTick);
  }
}
