/** What a snapshot is for those who use it. Paths are keys: relative to the workspace, and text as names.ts says. */

export interface Missing {
  path: string;
  why: string;
}

export interface Snapshot {
  id: string;
  session: string;
  /** When it was taken, ISO 8601. */
  at: string;
  /** Only what was asked for is sure to be in it: the rest is still being looked at (`settled` waits for it), or never was, because the process ended. */
  partial: boolean;
  /** What isn't in it, or not with its content: special files, what may not be read, what is above the limits. At most 500. */
  missing: readonly Missing[];
  /** How many more are missing. */
  more: number;
}

export interface Entry {
  /** `repository`: a folder with Git data of its own. */
  kind: 'file' | 'link' | 'folder' | 'repository';
  /** All permission bits; of a link they mean nothing and are 0o777. */
  mode: number;
  /** Of a file's bytes or a link's target: Git's SHA-256 object id. Where it isn't kept, it only tells states apart. */
  hash?: string;
  /** Bytes; only with content that is kept. */
  size?: number;
  /** Whether its content can be brought back. */
  kept: boolean;
}

export interface Difference {
  path: string;
  /** Null: it wasn't there. */
  before: Entry | null;
  after: Entry | null;
}

export type Outcome = { path: string; done: true } | { path: string; refused: string };
