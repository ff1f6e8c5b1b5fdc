/** Follows a log while another process writes it. */
import { closeSync, fstatSync, watch, type FSWatcher } from 'node:fs';
import { ReinsError, type Damage, type Event } from '../core/index.ts';
import { Decoder } from './decoder.ts';
import { logFile } from './folders.ts';
import { LineCutter, openToRead, readPiece } from './physical-lines.ts';

const pieceSize = 64 * 1024;
/** Milliseconds between looks at the file where the system doesn't tell of changes. */
const pollEvery = 500;

/**
 * All lines of a log from its beginning, then those that come, until `signal` is aborted. A last line without its newline waits
 * for the rest. Throws `session-missing` and `log-unreadable`.
 */
export async function* follow(folder: string, signal: AbortSignal): AsyncGenerator<Event | Damage> {
  const file = logFile(folder);
  const fd = openToRead(file);
  const changes = new Changes(file, signal);
  try {
    const decoder = new Decoder();
    const cutter = new LineCutter();
    const piece = Buffer.allocUnsafe(pieceSize);
    for (let position = 0; !signal.aborted;) {
      const read = readPiece(fd, file, piece, position);
      if (read === 0) {
        if (fstatSync(fd).size < position) throw new ReinsError('log-unreadable', `${file} was shortened.`);
        await changes.next();
        continue;
      }
      position += read;
      // A copy: whoever takes the events may take its time, and the next piece goes into the same memory.
      for (const line of cutter.push(Buffer.from(piece.subarray(0, read)))) {
        for (const { item } of decoder.decode(line)) {
          if (signal.aborted) return;
          yield item;
        }
      }
    }
  } finally {
    changes.close();
    closeSync(fd);
  }
}

/** Waits for a file to change: told by the system, else by looking again after a while. */
class Changes {
  readonly #signal: AbortSignal;
  readonly #watcher: FSWatcher | undefined;
  #changed = false;
  #wake: () => void = () => undefined;
  readonly #notify = (): void => {
    this.#changed = true;
    this.#wake();
  };

  constructor(file: string, signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#notify);
    try {
      this.#watcher = watch(file, this.#notify);
      this.#watcher.on('error', () => this.#watcher?.close()); // The regular look goes on.
    } catch {
      // No watch can be had (the system has a limit on them): the regular look is enough.
    }
  }

  /** Resolves at the next change, or when it is time to look again; at once if there was a change since the last time. */
  async next(): Promise<void> {
    if (!this.#changed && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollEvery);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#changed = false;
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#notify);
    this.#watcher?.close();
  }
}
