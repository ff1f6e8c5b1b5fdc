/** The two ways of searching, ripgrep and the own walk, as the searcher uses them: the same questions to both. */
import type { Refusal } from './requests.ts';

/** A path as a string of bytes (one character a byte), relative to the folder that is searched: names need not be UTF-8. */
export type BytePath = string;

export interface Query {
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
  /** A line end may be CRLF: then `$` also stands before a carriage return, and `.` for none. */
  crlf: boolean;
}

/** Where to look. */
export interface Place {
  /** Real path of the folder. */
  root: string;
  /** The one file in it that is meant, if it isn't the folder; nothing is ignored then. */
  file?: string;
  /** It lies in a repository, whose boundary ends the rules of `.gitignore` files. Else they hold from `base` on. */
  inRepository: boolean;
  /** Real path of the workspace. */
  base: string;
}

/** A name must match one of these globs; they only spare work, what comes out is judged again. */
export type NameGlobs = readonly string[];

export interface Counted {
  path: BytePath;
  /** Matching lines; 1 where only files are asked for. */
  count: number;
  /** Left out where it isn't known yet. */
  binary?: boolean;
}

/** What could not be looked at: a place and why. */
export interface Trouble {
  path: BytePath;
  why: string;
}

/** How a look ended, and what it couldn't see. `halt`: why it ended early. */
export interface Ended {
  troubles: Trouble[];
  halt?: 'time' | 'memory';
}

export interface CountOptions {
  names?: NameGlobs;
  /** Only whether a file has a match. */
  filesOnly: boolean;
  /** Files with a NUL are left out. */
  withoutBinary: boolean;
}

/** A line of a file: one that matches, or one beside it. */
export interface LineRecord {
  /** Counted from 1. */
  line: number;
  matched: boolean;
  /** Without its line feed; undefined when it is longer than `longestLine`, or when enough is held already. */
  bytes?: Buffer;
  /** Bytes before it in the file, as UTF-8 and without a mark. */
  offset: number;
}

export interface FileLines {
  path: BytePath;
  /** It has a NUL, and nothing of it is shown. */
  binary: boolean;
  records: LineRecord[];
}

/** Bytes of the longest line that an engine hands over. */
export const longestLine = 65_536;

/** Bytes of lines that an engine may still hand over in one answer; what is missing is read again where it is shown. */
export class LineBudget {
  #left = 16 * 1024 * 1024;

  /** Whether a line of so many bytes is handed over. */
  allows(bytes: number): boolean {
    if (bytes > longestLine || bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

export interface Engine {
  /** Matching lines by file, in any order. Refused: the pattern is none. */
  count(
    query: Query,
    place: Place,
    options: CountOptions,
    watch: Watch,
  ): Promise<(Ended & { files: Counted[] }) | Refusal>;
  /** The lines of these files, in their order, until there are `limit` matches (a binary file counts as one). */
  lines(
    query: Query,
    place: Place,
    files: BytePath[],
    options: { context: number; limit: number },
    watch: Watch,
  ): Promise<Ended & { files: FileLines[] }>;
  /** For each line (or its beginning), the byte at which its first match begins; undefined where that can't be told. */
  locate(query: Query, lines: Buffer[], watch: Watch): Promise<(number | undefined)[]>;
  /** All files, in any order. */
  list(place: Place, names: NameGlobs | undefined, onPath: (path: BytePath) => void, watch: Watch): Promise<Ended>;
}

/** What ends a look: a cancel, or the time. */
export interface Watch {
  signal: AbortSignal;
  /** Milliseconds of the clock `performance.now()`. */
  deadline: number;
}
