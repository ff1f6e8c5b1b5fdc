/** What context needs from elsewhere; the composition root meets it. */

export interface FileState {
  /** The real path (links resolved), absolute. */
  path: string;
  bytes: Buffer;
  /** SHA-256 of the bytes. */
  hash: string;
}

/** A folder within which files may be read, by whatever links: the user's own folder, or the repository. */
export interface ReadableFolder {
  /** The file at an absolute path; null where there is none; refused where it leads out of the folder or is no regular file. */
  read(path: string): Promise<FileState | null | { refused: string }>;
  /** Names in a folder, each folder's with a slash at its end; none where it can't be listed. */
  list(path: string): Promise<string[]>;
  /** Changes whenever what is at the path does; undefined where nothing is. */
  stamp(path: string): string | undefined;
}

export interface Screening {
  /** Words in a text that look like orders to a model. */
  suspicions(text: string): Promise<{ line: number; quote: string }[]>;
  /** The text as a model may see it: what hides or pretends is shown for what it is. */
  show(text: string): string;
}
