/** The instruction files of a session: those of its standing part, and what is to be told of them later. */
import { dirname, relative } from 'node:path';
import {
  matchesGlob,
  type InstructionData,
  type InstructionFile,
  type LeftOutInstructions,
  type SetupInstructions,
  type View,
} from '../../core/index.ts';
import { Finder, type FindOptions, type Found, type FoundFile, type LeftOut, type Place } from './find.ts';
import { fit, type Fitted } from './fit.ts';
import { inForce, inForceByConversation, isTextThere, toldIn, type Seen } from './in-force.ts';
import { isForeign } from './names.ts';
import { standingLayer, toldText, type ShownFile } from './texts.ts';

export interface InstructionOptions extends FindOptions {
  /** The folders whose files stand from the start, farthest first; the last is the workspace. */
  start: readonly Place[];
  /** Bytes of all that are in force together. */
  bytes: number;
}

export interface Standing {
  setup: SetupInstructions;
  /** The layer of the prompt; absent where there are no files. */
  layer?: string;
  leftOut: LeftOut[];
}

/** What is to be recorded: for the model, and for people. */
export interface News {
  told?: InstructionData['instructions'];
  changed: string[];
  leftOut: LeftOut[];
}

export class Instructions {
  readonly #options: InstructionOptions;
  readonly #finder: Finder;
  /** The folders below the workspace that a path that was touched lies in. */
  readonly #folders = new Map<string, string[]>();

  constructor(options: InstructionOptions) {
    this.#options = options;
    this.#finder = new Finder(options);
  }

  /** For a setup. What the conversation of a session that goes on has in force itself doesn't stand twice. */
  async standing(view: Pick<View, 'transcript'>): Promise<Standing> {
    const found = waiting(await this.#finder.find(this.#options.start), view.transcript.touched);
    const already = inForceByConversation(view.transcript);
    const files = found.files.filter(({ path }) => !already.has(path));
    const { fitted, none } = fit(files, this.#options.bytes - sizeOf([...already.values()]));
    const leftOut = [...found.leftOut, ...none.map(noRoom)];
    const layer = standingLayer(
      fitted.map(shownFile),
      none.map(({ path }) => path),
    );
    const setup = { files: fitted.map(recorded), leftOut: leftOut.map(plain) };
    return { setup, leftOut: [...leftOut, ...fitted.flatMap(cutNote)], ...(layer !== undefined && { layer }) };
  }

  /** What has come up since the last request: files of folders that were touched, changed files, and those that a compaction took. */
  async news(view: Seen): Promise<News> {
    const { start } = this.#options;
    const nested = this.#nestedIn(view.transcript.touched);
    const found = waiting(await this.#finder.find([...start, ...nested]), view.transcript.touched);
    const force = inForce(view);
    const current = new Set(found.files.map(({ path }) => path));
    const gone = [...force.keys()].filter((path) => !current.has(path));
    const fresh = found.files.filter(({ path, hash }) => force.get(path)?.hash !== hash);
    if (fresh.length === 0 && gone.length === 0) return { changed: [], leftOut: found.leftOut };
    return this.#told(view, { found, force, gone, fresh });
  }

  #told(
    view: Seen,
    {
      found,
      force,
      gone,
      fresh,
    }: { found: Found; force: Map<string, InstructionFile>; gone: string[]; fresh: FoundFile[] },
  ): News {
    const again = fresh.filter((file) => isTextThere(view, file));
    const replaced = new Set([...gone, ...fresh.map(({ path }) => path)]);
    const kept = [...[...force.values()].filter(({ path }) => !replaced.has(path)), ...again];
    const { fitted, none } = fit(
      fresh.filter((file) => !again.includes(file)),
      this.#options.bytes - sizeOf(kept),
    );
    const unread = none.map(noRoom).filter((each) => !isTold(view, each));
    const isChange = ({ file }: Fitted<FoundFile>): boolean => force.has(file.path);
    const changed = fitted.filter(isChange);
    const leftOut = [...found.leftOut, ...none.map(noRoom), ...fitted.flatMap(cutNote)];
    const paths = [...[...changed.map(({ file }) => file), ...again].map(({ path }) => path), ...gone];
    if (fitted.length + again.length + gone.length + unread.length === 0) return { changed: [], leftOut };
    const told = {
      files: [
        ...again.map((file) => ({ ...recorded({ file, text: '' }), before: true as const })),
        ...fitted.map(recorded),
      ],
      ...(gone.length > 0 && { gone }),
      ...(unread.length > 0 && { leftOut: unread.map(plain) }),
      text: toldText({
        added: fitted.filter((each) => !isChange(each)).map(shownFile),
        changed: changed.map(shownFile),
        again: again.map(({ path }) => path),
        gone,
        unread: unread.map(({ path }) => path),
      }),
    };
    return { told, changed: paths, leftOut };
  }

  /** Folders between the workspace and what was touched, outer ones first. */
  #nestedIn(touched: ReadonlySet<string>): Place[] {
    const workspace = this.#options.start.at(-1);
    if (workspace === undefined) return [];
    const folders = new Set([...touched].flatMap((path) => this.#foldersOf(path, workspace)));
    return [...folders].toSorted().map((folder) => ({ ...workspace, folder }));
  }

  #foldersOf(path: string, { folder, within }: Place): string[] {
    const known = this.#folders.get(path);
    if (known !== undefined || !isBelow(path, folder) || isForeign(relative(folder, path))) return known ?? [];
    // What is no folder, or isn't there, holds no files; those that come into it later are touched by themselves.
    const inner = within.stamp(`${path}/.`) === undefined ? [] : [path];
    const folders = [...this.#foldersOf(dirname(path), { folder, within, of: 'project' }), ...inner];
    this.#folders.set(path, folders);
    return folders;
  }
}

/** Files for some paths only are left out until one of those was touched. */
function waiting(found: Found, touched: ReadonlySet<string>): Found {
  const isFor = ({ paths, place }: FoundFile): boolean =>
    paths.length === 0 || [...touched].some((path) => isAmong(path, place.folder, paths));
  const later = found.files.filter((file) => !isFor(file));
  if (later.length === 0) return found;
  const leftOut = later.map(({ path, paths }) => ({ path, why: `it waits for a path like ${paths.join(', ')}` }));
  return { files: found.files.filter((file) => !later.includes(file)), leftOut: [...found.leftOut, ...leftOut] };
}

function isAmong(path: string, folder: string, patterns: readonly string[]): boolean {
  return isBelow(path, folder) && patterns.some((pattern) => matchesGlob(relative(folder, path), pattern));
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder === '/' ? folder : `${folder}/`);
}

const shownFile = ({ file: { path }, text }: Fitted<FoundFile>): ShownFile => ({ path, text });

function recorded({ file: { path, hash, bytes }, shown }: Fitted<FoundFile>): InstructionFile {
  return { path, hash, bytes, ...(shown !== undefined && { shown }) };
}

function sizeOf(files: readonly Pick<InstructionFile, 'bytes' | 'shown'>[]): number {
  return files.reduce((sum, { bytes, shown }) => sum + (shown ?? bytes), 0);
}

function noRoom({ path }: FoundFile): LeftOut {
  return { path, why: 'the other instructions leave no room for it', told: true };
}

function cutNote({ file: { path, text }, shown }: Fitted<FoundFile>): LeftOut[] {
  if (shown === undefined) return [];
  return [{ path, why: `only ${shown} of its ${Buffer.byteLength(text)} bytes have room`, told: true }];
}

const plain = ({ path, why }: LeftOut): LeftOutInstructions => ({ path, why });

/** Whether the model has been told already that there is no room for it. */
function isTold({ setup, transcript }: Seen, { path }: LeftOut): boolean {
  const said = toldIn(transcript).flatMap(({ leftOut = [] }) => leftOut);
  return [...(setup?.instructions?.leftOut ?? []), ...said].some((each) => each.path === path);
}
