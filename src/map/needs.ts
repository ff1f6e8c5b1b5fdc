/** What a map needs from elsewhere; the composition root meets it. */

export interface Listing {
  /** Relative to the workspace. */
  paths: string[];
  /** How many there are; more than are listed where those are too many. */
  total: number;
  /** Why not all were found, where they weren’t. */
  incomplete?: string;
}

export interface MapSources {
  /** Its real path. */
  workspace: string;
  /** Sources that Git doesn’t ignore, without links. */
  list(signal: AbortSignal): Promise<Listing>;
  /** Whether a file may be read, by its path relative to the workspace. */
  mayRead(path: string): boolean;
  /** The user’s own folder for what is known of workspaces. */
  folder: string;
  /** Milliseconds for all of it. */
  timeLimit: number;
}
