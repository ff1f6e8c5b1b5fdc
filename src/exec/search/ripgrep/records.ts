/** What ripgrep prints, read while it comes: whatever a file's name or a line holds, and however much there is. */
import type { BytePath } from '../engine.ts';

/** Reads one file's name and what follows it, again and again. */
export interface RecordHandlers {
  /** What follows a name, up to the line feed. False: no more is wanted. */
  record(path: BytePath, rest: Buffer): boolean;
  /** A file with a NUL has a match. */
  binary?(path: BytePath): void;
  /** Whether there is such a file, where that is known. */
  isFile?(path: BytePath): boolean;
}

const binaryNote = /^([^]*?): binary file matches \(found "\\0" byte around offset \d+\)\n/;

/** Records of a name, a NUL and a line. */
export class RecordReader {
  readonly #handlers: RecordHandlers;
  #held: Buffer = Buffer.alloc(0);
  /** Bytes that were looked through for the end of the record. */
  #seen = 0;

  constructor(handlers: RecordHandlers) {
    this.#handlers = handlers;
  }

  /** Takes a piece of output; false when no more is wanted. */
  take(chunk: Buffer): boolean {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    let at = 0;
    for (;;) {
      const nul = bytes.indexOf(0, at);
      if (nul < 0) break;
      const end = bytes.indexOf(10, Math.max(nul + 1, at + this.#seen));
      if (end < 0) break;
      const path = this.#withoutNotes(bytes.toString('latin1', at, nul));
      this.#seen = 0;
      if (!this.#handlers.record(plain(path), bytes.subarray(nul + 1, end))) return false;
      at = end + 1;
    }
    this.#held = bytes.subarray(at);
    // Looked through already: a long record that comes in many pieces isn't looked through again with each.
    this.#seen = this.#held.includes(0) ? this.#held.length : 0;
    return true;
  }

  /** Nothing more comes. */
  end(): void {
    this.#withoutNotes(this.#held.toString('latin1'));
  }

  /** A name, without the notes on binary files before it. */
  #withoutNotes(text: string): string {
    let rest = text;
    for (;;) {
      const [note, path] = binaryNote.exec(rest) ?? [];
      if (note === undefined || path === undefined) return rest;
      if (this.#handlers.isFile?.(plain(path)) === false) return rest;
      this.#handlers.binary?.(plain(path));
      rest = rest.slice(note.length);
    }
  }
}

/** Names that each end with a NUL. */
export class NameReader {
  readonly #onName: (path: BytePath) => void;
  #held = '';

  constructor(onName: (path: BytePath) => void) {
    this.#onName = onName;
  }

  take(chunk: Buffer): true {
    const names = (this.#held + chunk.toString('latin1')).split('\0');
    this.#held = names.pop() ?? '';
    for (const name of names) this.#onName(plain(name));
    return true;
  }
}

/** The path without what stands for the folder itself. */
function plain(path: string): BytePath {
  return path.startsWith('./') ? path.slice(2) : path;
}
