/** A repository's word on which of its files are ignored: the patterns beside its files and those of its own folder, and what its index tracks. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { GitPlace } from '../git/index.ts';
import { parseIndex } from './git-index.ts';
import { parsePatterns, type Pattern, type Rules } from './ignore.ts';
import { bytesOf, systemPath, type ByteText } from './names.ts';
import { isSame, isSettled, look, nowNs, statusOf, type Status } from './status.ts';

/** Bytes; what a hostile repository puts there may be huge. */
const largestPatterns = 1024 * 1024;
const largestIndex = 64 * 1024 * 1024;

/** A small file that is read again when it has changed. */
class WatchedFile {
  readonly #path: ByteText;
  readonly #limit: number;
  #status: Status | undefined;
  bytes: Buffer | undefined;

  constructor(path: ByteText, limit: number) {
    this.#path = path;
    this.#limit = limit;
  }

  /** Whether it is another one now. */
  refresh(): boolean {
    const now = look(this.#path);
    if (typeof now === 'object' && isSame(this.#status, now)) return false;
    const since = nowNs();
    const bytes = typeof now === 'object' && now.isFile() ? readBounded(this.#path, this.#limit) : undefined;
    this.#status = typeof now === 'object' && isSettled(now, since) ? statusOf(now) : undefined;
    if (bytes === undefined ? this.bytes === undefined : this.bytes?.equals(bytes) === true) return false;
    this.bytes = bytes;
    return true;
  }
}

/** A regular file's bytes; undefined when it is none, may not be read, or is too large. */
function readBounded(path: ByteText, limit: number): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number | undefined;
  try {
    file = openSync(systemPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const status = fstatSync(file);
    if (!status.isFile() || status.size > limit) return undefined;
    const bytes = Buffer.alloc(status.size);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } catch {
    return undefined; // it then says nothing
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The patterns of one file. */
export class PatternFile {
  readonly #file: WatchedFile;
  patterns: readonly Pattern[] = [];

  constructor(path: ByteText) {
    this.#file = new WatchedFile(path, largestPatterns);
  }

  refresh(): boolean {
    const isChanged = this.#file.refresh();
    if (isChanged) this.patterns = parsePatterns(this.#file.bytes?.toString('latin1') ?? '');
    return isChanged;
  }
}

export class RepositoryScope {
  /** Absolute path of the top of the working tree. */
  readonly top: ByteText;
  readonly gitDir: ByteText;
  readonly #index: WatchedFile;
  readonly #sources: { file: PatternFile; base: ByteText }[];
  #tracked: Tracked | undefined;
  #rules: Rules | undefined;

  /** `around`: folders between the top and the one that is looked at, from the top downwards, whose patterns hold for it. */
  constructor(place: GitPlace, around: readonly ByteText[] = []) {
    this.top = bytesOf(place.topLevel);
    this.gitDir = bytesOf(place.gitDir);
    this.#index = new WatchedFile(`${this.gitDir}/index`, largestIndex);
    const exclude = { file: new PatternFile(`${bytesOf(place.commonDir)}/info/exclude`), base: '' };
    const beside = around.map((folder) => ({
      file: new PatternFile(`${folder}/.gitignore`),
      base: this.#baseOf(folder),
    }));
    this.#sources = [exclude, ...beside];
  }

  isAt(place: GitPlace): boolean {
    return bytesOf(place.topLevel) === this.top && bytesOf(place.gitDir) === this.gitDir;
  }

  /** Looks at its files again. */
  refresh(): void {
    if (this.#index.refresh()) this.#tracked = undefined;
    const changed = this.#sources.map(({ file }) => file.refresh()).includes(true);
    if (this.#rules !== undefined && !changed) return;
    this.#rules = undefined;
    for (const { file, base } of this.#sources) this.#rules = { parent: this.#rules, patterns: file.patterns, base };
  }

  /** The patterns that hold in the folder that is looked at, besides its own. */
  get rules(): Rules | undefined {
    return this.#rules;
  }

  /** The rules of a folder with patterns of its own. */
  rulesIn(folder: ByteText, parent: Rules | undefined, patterns: readonly Pattern[]): Rules {
    return { parent, patterns, base: this.#baseOf(folder) };
  }

  /** A path from the top of the repository. */
  pathOf(absolute: ByteText): ByteText {
    return absolute.slice(this.top.length + 1);
  }

  /** Paths are given from the top. */
  isTracked(path: ByteText): boolean {
    return this.#read().files.has(path);
  }

  hasTrackedBelow(path: ByteText): boolean {
    return this.#read().folders.has(path);
  }

  #baseOf(folder: ByteText): ByteText {
    const path = this.pathOf(folder);
    return path === '' ? '' : `${path}/`;
  }

  #read(): Tracked {
    return (this.#tracked ??= readTracked(this.#index.bytes, this.gitDir));
  }
}

interface Tracked {
  files: Set<ByteText>;
  folders: Set<ByteText>;
}

/** Without a readable index nothing is tracked. */
function readTracked(bytes: Buffer | undefined, gitDir: ByteText): Tracked {
  const index = bytes && parseIndex(bytes);
  const shared =
    index?.shared === undefined ? undefined : readBounded(`${gitDir}/sharedindex.${index.shared}`, largestIndex);
  const entries = [...(index?.entries ?? []), ...((shared && parseIndex(shared)?.entries) ?? [])];
  const files = new Set<ByteText>();
  const folders = new Set<ByteText>();
  for (const { path } of entries) {
    files.add(path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files, folders };
}
