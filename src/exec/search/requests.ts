/** What can be asked of a search, and what it answers. */

export type Refusal = { refused: string };

export interface SearchRequest {
  /** A regular expression, in the syntax of ripgrep. */
  pattern: string;
  /** Real path of a file or folder. */
  path: string;
  /** A glob that a file's path must match; with `!` in front must not. */
  glob?: string;
  /** A type of ripgrep (`ts`, `py`, ...). */
  type?: string;
  ignoreCase?: boolean;
  /** Lines around each match. */
  context?: number;
  /** The pattern may span lines. */
  multiline?: boolean;
  /** What is told: matching lines, paths of files with a match, or matches counted by file. */
  output?: 'lines' | 'files' | 'counts';
  /** At most so many matches (lines), files or counts. */
  limit: number;
}

export interface FindRequest {
  /** A glob over paths, relative to `path`; without a slash it matches names at any depth. */
  glob: string;
  /** Real path of a folder. */
  path: string;
  limit: number;
}

export interface Found {
  /**
   * As people read them, sorted by path, paths relative to the workspace: `path:line:text` and `path-line-text` for context (with
   * `--` between places that don't touch), paths, or `path:count`. Of a binary file only its name is told.
   */
  lines: string[];
  /** How many matches, files or counts there were in all, and files. A match is a line, of which a binary file counts as one. */
  total: number;
  files: number;
  /** Why it isn't all, where it isn't (time, memory, a folder that can't be read). */
  incomplete?: string;
}

/** Looks through the files of a workspace, with the ignore rules that Git has and those of `.ignore` and `.rgignore` files. */
export interface Searcher {
  /** Refused: a path outside the workspace, in a `.git` or not there, a pattern or glob that is none, an unknown type, a cancel. */
  search(request: SearchRequest, signal: AbortSignal): Promise<Found | Refusal>;
  find(request: FindRequest, signal: AbortSignal): Promise<Found | Refusal>;
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}
