/** Lines that a person types, read only while a question is open: the terminal stays in its own mode all the time. */

export interface NoLine {
  end: 'aborted' | 'closed';
}

export interface TerminalInput {
  /** The next line without its end. */
  line(signal: AbortSignal): Promise<string | NoLine>;
  /** Whether somebody can still type. */
  readonly isOpen: boolean;
  /** Throws away what has been typed so far. */
  discardTyped(): Promise<void>;
}

type Input = Pick<NodeJS.ReadStream, 'on' | 'off' | 'once' | 'pause' | 'resume' | 'setEncoding'>;

/** What arrow keys and their like send: no character of a line. */
const keys = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Za-z])/g;

/** Rounds of the event loop until a waiting line has surely been read. */
const rounds = 3;

export function openTerminalInput(stream: Input): TerminalInput {
  let typed = '';
  let isClosed = false;
  let changed: () => void = () => undefined;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    typed += text;
    changed();
  });
  const close = (): void => {
    isClosed = true;
    changed();
  };
  // A terminal that is gone gives an error instead of an end; either way nobody types any more.
  stream.on('end', close).on('error', close).pause();

  const takeLine = (): string | undefined => {
    const end = typed.indexOf('\n');
    if (end < 0) return undefined;
    const line = typed.slice(0, end).replaceAll(keys, '');
    typed = typed.slice(end + 1);
    return line;
  };

  return {
    get isOpen() {
      return !isClosed;
    },
    line: (signal) =>
      new Promise((resolve) => {
        const settle = (): void => {
          const line = takeLine();
          if (line === undefined && !signal.aborted && !isClosed) return;
          changed = () => undefined;
          signal.removeEventListener('abort', settle);
          stream.pause();
          resolve(line ?? { end: signal.aborted ? 'aborted' : 'closed' });
        };
        changed = settle;
        signal.addEventListener('abort', settle);
        stream.resume();
        settle();
      }),
    discardTyped: async () => {
      stream.resume();
      for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
      stream.pause();
      typed = '';
    },
  };
}
