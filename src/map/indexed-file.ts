/** What is known of a file. Its definitions are read when somebody looks at them: of most files nobody does. */
import type { MappedFile } from './graph.ts';
import type { Stamp, Unread } from './read-source.ts';
import { readDefinitions, type Definition } from './symbols.ts';

export interface FileFacts {
  /** Relative to the workspace. */
  path: string;
  stamp: Stamp;
  /** SHA-256 of its bytes, where it was looked at so soon after it had changed that a stamp alone could lie; else empty. */
  hash: string;
  /** Its definitions, as they are written down. */
  text: string;
  mentioned: Uint32Array;
  references: Uint32Array;
  /** Why it has no symbols. */
  unread?: Unread;
}

export class IndexedFile implements MappedFile {
  readonly path: string;
  readonly stamp: Stamp;
  readonly hash: string;
  readonly text: string;
  readonly mentioned: Uint32Array;
  readonly references: Uint32Array;
  readonly unread: Unread | undefined;
  #definitions: Definition[] | undefined;

  constructor({ path, stamp, hash, text, mentioned, references, unread }: FileFacts) {
    this.path = path;
    this.stamp = stamp;
    this.hash = hash;
    this.text = text;
    this.mentioned = mentioned;
    this.references = references;
    this.unread = unread;
  }

  get definitions(): readonly Definition[] {
    return (this.#definitions ??= readDefinitions(this.text));
  }

  /** The same with other facts. */
  with({ stamp, hash, mentioned, references }: Partial<Omit<FileFacts, 'path' | 'text' | 'unread'>>): IndexedFile {
    return new IndexedFile({
      path: this.path,
      text: this.text,
      stamp: stamp ?? this.stamp,
      hash: hash ?? this.hash,
      mentioned: mentioned ?? this.mentioned,
      references: references ?? this.references,
      ...(this.unread !== undefined && { unread: this.unread }),
    });
  }
}

export interface Index {
  /** What files mention, and are mentioned by, each once. */
  names: string[];
  /** By path. */
  files: IndexedFile[];
}
