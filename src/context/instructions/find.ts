/** Finds the instruction files of folders and reads them, with what they import. Whatever doesn't count is named with its reason. */
import { dirname, join, relative } from 'node:path';
import type { LeftOutInstructions } from '../../core/index.ts';
import type { FileState, ReadableFolder, Screening } from '../needs.ts';
import { importsIn, looksLikeImport, onlyImports, splitHead, withoutPunctuation } from './imports.ts';
import { isHidden, isSecret, rulesFolder, slotsFor } from './names.ts';

/** A folder whose instruction files count. */
export interface Place {
  /** Absolute. */
  folder: string;
  /** Where its files and what they import must lie. */
  within: ReadableFolder;
  /** The user's own words aren't screened. */
  of: 'user' | 'project';
}

export interface FoundFile {
  path: string;
  hash: string;
  bytes: number;
  /** As the model may see it. */
  text: string;
  /** The folder below which it holds, and whose it is. */
  place: Place;
  /** Patterns, relative to that folder: it holds only once a path that one of them stands for was touched. Empty: always. */
  paths: readonly string[];
}

/** `told`: a person should know of it; otherwise it is as it should be. */
export type LeftOut = LeftOutInstructions & { told?: true };

export interface Found {
  /** The nearest last. */
  files: FoundFile[];
  leftOut: LeftOut[];
}

export interface FindOptions {
  /** Real path. */
  workspace: string;
  /** The repository that it lies in: what is in there is named relative to the workspace. */
  root: string;
  /** What `~` in an import stands for. */
  home: string;
  /** Further names of instruction files. */
  names: readonly string[];
  screening: Screening;
}

/** Imports of imports, and files in all. */
const deepest = 5;
const mostFiles = 200;
/** Imports of one file that are followed; who writes more has other intentions. */
const mostImports = 50;
/** Bytes of a file beyond which it isn't even looked into. */
const largest = 1024 * 1024;

export class Finder {
  readonly #options: FindOptions;
  readonly #slots: ReturnType<typeof slotsFor>;
  #last:
    | { key: string; stamps: Map<string, string | undefined>; within: Map<string, ReadableFolder>; found: Found }
    | undefined;

  constructor(options: FindOptions) {
    this.#options = options;
    this.#slots = slotsFor(options.names);
  }

  /** The files of the places in their order; the same object as long as nothing of them has changed. */
  async find(places: readonly Place[]): Promise<Found> {
    const key = places.map(({ folder }) => folder).join('\0');
    const last = this.#last;
    if (last?.key === key && [...last.stamps].every(([path, stamp]) => last.within.get(path)?.stamp(path) === stamp)) {
      return last.found;
    }
    const reading = new Reading(this.#options, this.#slots);
    for (const place of places) await reading.place(place);
    const { stamps, within, found } = reading;
    this.#last = { key, stamps, within, found };
    return found;
  }
}

/** One pass over all places: no file counts twice in it. */
class Reading {
  readonly found: Found = { files: [], leftOut: [] };
  readonly stamps = new Map<string, string | undefined>();
  readonly within = new Map<string, ReadableFolder>();
  readonly #options: FindOptions;
  readonly #slots: ReturnType<typeof slotsFor>;
  /** Real paths that were read or are not to be, and what they are. */
  readonly #seen = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  constructor(options: FindOptions, slots: ReturnType<typeof slotsFor>) {
    this.#options = options;
    this.#slots = slots;
  }

  async place(place: Place): Promise<void> {
    let any = false;
    for (const { names, take } of this.#slots) {
      if (take === 'fallback' && any) continue;
      const there = names.map((name) => join(place.folder, name)).filter((path) => this.#isThere(place, path));
      const counted = take === 'all' ? there : there.slice(0, 1);
      for (const path of there.slice(counted.length)) await this.#replaced(place, path, counted[0] ?? '');
      for (const path of counted) await this.#add(place, path, []);
      any ||= there.length > 0;
      if (names.includes('.claude/CLAUDE.md')) await this.#rules(place);
    }
  }

  async #rules(place: Place): Promise<void> {
    const folder = join(place.folder, rulesFolder);
    if (!this.#isThere(place, folder)) return;
    const names = (await place.within.list(folder)).filter((name) => name.endsWith('.md')).toSorted();
    for (const name of names) {
      if (this.#isThere(place, join(folder, name))) await this.#add(place, join(folder, name), []);
    }
  }

  /** Remembered, so that a change of it is noticed. */
  #isThere(place: Place, path: string): boolean {
    const stamp = place.within.stamp(path);
    this.stamps.set(path, stamp);
    this.within.set(path, place.within);
    return stamp !== undefined;
  }

  /** Another file takes its place: no import brings it back. */
  async #replaced(place: Place, path: string, by: string): Promise<void> {
    const why = `${this.#shown(by)} takes its place`;
    const state = await place.within.read(path);
    if (state !== null && 'path' in state) this.#seen.set(state.path, why);
    this.#leave(path, why);
  }

  #leave(path: string, why: string, told = false): void {
    const shown = this.#shown(path);
    if (this.found.leftOut.some((each) => each.path === shown && each.why === why)) return;
    this.found.leftOut.push({ path: shown, why, ...(told && { told }) });
  }

  #shown(path: string): string {
    const { workspace, root } = this.#options;
    return path.startsWith(root.endsWith('/') ? root : `${root}/`) ? relative(workspace, path) : path;
  }

  /** `by`: the files whose imports led here. */
  async #add(place: Place, path: string, by: readonly string[]): Promise<void> {
    const state = await place.within.read(path);
    if (state === null) return;
    if ('refused' in state) return this.#leave(path, state.refused, true);
    if (isSecret(state.path)) return this.#leave(path, 'it is of those that hold secrets', true);
    const known = this.#seen.get(state.path);
    if (known !== undefined)
      return known === path
        ? undefined
        : this.#leave(
            path,
            sameAs(known, (each) => this.#shown(each)),
          );
    this.#seen.set(state.path, path);
    if (this.found.files.length >= mostFiles) return this.#leave(path, `there are more than ${mostFiles} files`, true);
    const text = textOf(state);
    if (typeof text !== 'string') return this.#leave(path, text.refused, true);
    const { paths, body } = path.includes(`/${rulesFolder}/`) ? splitHead(text) : { paths: [], body: text };
    const [suspicion] = place.of === 'user' ? [] : await this.#options.screening.suspicions(body);
    if (suspicion !== undefined) {
      const { line, quote } = suspicion;
      return this.#leave(path, `line ${line} holds words like those that try to take a model over: “${quote}”`, true);
    }
    // What is for some paths only brings in nothing that would hold for all.
    if (paths.length === 0) await this.#imports(place, state, body, [...by, path]);
    this.#take({ place, path, paths }, state, body);
  }

  #take({ place, path, paths }: Pick<FoundFile, 'place' | 'path' | 'paths'>, state: FileState, body: string): void {
    if (body.trim() === '') return this.#leave(path, 'it is empty');
    if (importsIn(body).length > 0 && onlyImports(body)) return this.#leave(path, 'it only imports others');
    const copied = this.#texts.get(body.trim());
    if (copied !== undefined) return this.#leave(path, `it is a copy of ${this.#shown(copied)}`);
    if (paths.length === 0) this.#texts.set(body.trim(), path);
    const text = this.#options.screening.show(body);
    const { hash, bytes } = state;
    this.found.files.push({ path: this.#shown(path), hash, bytes: bytes.length, text, place, paths });
  }

  async #imports(place: Place, importer: FileState, text: string, by: readonly string[]): Promise<void> {
    const imports = importsIn(text);
    if (imports.length > mostImports)
      this.#leave(importer.path, `only the first ${mostImports} of its ${imports.length} imports are followed`, true);
    for (const named of imports.slice(0, mostImports)) {
      const whole = this.#pathOf(importer, named);
      const path = this.#isThere(place, whole) ? whole : this.#pathOf(importer, withoutPunctuation(named));
      if (!this.#isThere(place, path)) {
        if (looksLikeImport(named)) this.#leave(path, `${this.#shown(importer.path)} imports it, and it isn’t there`);
        continue;
      }
      if (isHidden(path)) this.#leave(path, 'no instruction file may import a hidden file', true);
      else if (by.length > deepest) this.#leave(path, `it is imported over more than ${deepest} files`, true);
      else await this.#add(place, path, by);
    }
  }

  #pathOf(importer: FileState, named: string): string {
    if (named.startsWith('~/')) return join(this.#options.home, named.slice(2));
    return named.startsWith('/') ? join(named) : join(dirname(importer.path), named);
  }
}

/** What is known of a file: the path under which it was read, or why it isn't to be. */
function sameAs(known: string, shown: (path: string) => string): string {
  return known.startsWith('/') ? `it is the same file as ${shown(known)}` : known;
}

function textOf({ bytes }: FileState): string | { refused: string } {
  if (bytes.length > largest) return { refused: `it has ${bytes.length} bytes, more than ${largest}` };
  if (bytes.includes(0)) return { refused: 'it is no text in UTF-8' };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return { refused: 'it is no text in UTF-8' };
  }
}
