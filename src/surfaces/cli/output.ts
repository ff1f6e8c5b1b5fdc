/** Standard output and error. A reader that went away costs the output, never the work. */
import { isatty } from 'node:tty';

export interface Writer {
  /** Writes as it is: what comes from outside must have been made printable. */
  write: (text: string | Uint8Array) => void;
  /** Whether a terminal shows it. */
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  width(): number;
  /** Whether colours are wanted and understood (a terminal that has them, no NO_COLOR). */
  readonly hasColors: boolean;
  /** Aborted when nobody reads any more. */
  readonly gone: AbortSignal;
  /** Resolves when more may be written without piling it up; for whoever writes much. */
  ready(): Promise<void>;
  /** Resolves when everything is handed over, or nobody takes it any more. */
  flush(): Promise<void>;
}

export interface Output {
  /** The answer, or what a program reads. */
  out: Writer;
  /** Progress, questions and errors. */
  err: Writer;
}

export function openOutput(): Output {
  const err = openWriter(2, process.stderr, () => undefined);
  const out = openWriter(1, process.stdout, (error) => {
    err.write(`reins: standard output can’t be written (${error.code ?? error.message}); the work goes on.\n`);
  });
  return { out, err };
}

/** Columns of a terminal that doesn't say how many it has. */
const usualWidth = 80;

function openWriter(number: 1 | 2, stream: NodeJS.WriteStream, failed: (error: NodeJS.ErrnoException) => void): Writer {
  const gone = new AbortController();
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The first error decides: after it nothing is written any more. A reader that has enough (`| head`) is no fault.
    if (!gone.signal.aborted && error.code !== 'EPIPE') failed(error);
    gone.abort();
  });
  const until = (event: 'drain' | 'flushed'): Promise<void> =>
    new Promise((resolve) => {
      if (gone.signal.aborted || (event === 'drain' && !stream.writableNeedDrain)) return resolve();
      const done = (): void => {
        stream.off('error', done).off('drain', done);
        resolve();
      };
      stream.once('error', done);
      if (event === 'drain') stream.once('drain', done);
      else stream.write('', done);
    });
  const isTerminal = isatty(number);
  return {
    isTerminal,
    hasColors: isTerminal && stream.hasColors(),
    gone: gone.signal,
    width: () => (isTerminal && stream.columns > 0 ? stream.columns : usualWidth),
    write: (text) => {
      if (!gone.signal.aborted) stream.write(text);
    },
    ready: () => until('drain'),
    flush: () => until('flushed'),
  };
}
