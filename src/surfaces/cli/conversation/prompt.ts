/** The prompt line of a conversation: what is typed stays at the bottom, everything else is written above it. */
import { createInterface, type Interface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import type { Display } from '../display.ts';
import type { Output, Writer } from '../output.ts';
import { clip, widthOf } from '../printable.ts';
import { duration, type Activity, type Style } from '../render/index.ts';
import type { Terminal } from '../terminal.ts';
import type { NoLine, TerminalInput } from '../terminal-input.ts';
import { Pastes, pasteOff, pasteOn } from './keyboard.ts';

export interface Keys {
  /** A line was entered. */
  line: (text: string) => void;
  /** Esc or Ctrl-C. */
  press: () => void;
  /** Ctrl-D on an empty line, or a terminal that went away. */
  end: () => void;
}

type Keyboard = Pick<NodeJS.ReadStream, 'on' | 'off' | 'setEncoding' | 'resume' | 'pause'> & {
  setRawMode?: (mode: boolean) => unknown;
};

const refreshEvery = 1000;
/** Milliseconds after which an escape is the key, not the beginning of another. */
const escapeAfter = 100;
/** Milliseconds in which a process that is told to stop has stopped. */
const stopsWithin = 50;
const endOfInput = '\u0004';

export class Prompt implements Display {
  readonly #keyboard: Keyboard;
  readonly #output: Output;
  readonly #style: Style;
  readonly #activity: () => Activity | undefined;
  readonly #keys: Keys;
  readonly #editor: Interface;
  readonly #typed = new PassThrough();
  readonly #pastes = new Pastes();
  readonly #timer: NodeJS.Timeout;
  #isShown = false;
  #isClosed = false;
  /** Nothing can be typed any more. */
  #isOver = false;
  /** Rows that say what goes on, above the line that is shown. */
  #statusRows = 0;
  /** Rows below its first in which the editor believes the cursor. */
  #believed = 0;
  #since = { what: '', at: 0 };
  /** A question takes the line: what stands before the answer, and who waits for it. */
  #question: { before: string; draft: string; answer?: (line: string | NoLine) => void } | undefined;
  /** Stands before the line. */
  lead = '> ';

  constructor(keyboard: Keyboard, output: Output, style: Style, activity: () => Activity | undefined, keys: Keys) {
    this.#keyboard = keyboard;
    this.#output = output;
    this.#style = style;
    this.#activity = activity;
    this.#keys = keys;
    const raw = (mode: boolean): void => void keyboard.setRawMode?.(mode);
    // The editor turns the terminal's own line editing off and on by its input.
    Object.assign(this.#typed, { setRawMode: raw, isTTY: true });
    this.#editor = createInterface({
      input: this.#typed,
      output: asStream(output.err),
      terminal: true,
      prompt: '',
      escapeCodeTimeout: escapeAfter,
    });
    this.#editor
      .on('line', (line) => this.#entered(line))
      .on('SIGINT', keys.press)
      .on('SIGTSTP', this.#suspend);
    this.#editor.on('close', this.#editorClosed);
    this.#editor.on('history', (history: string[]) => void (this.#question !== undefined && history.shift()));
    this.#typed.on('keypress', (_: unknown, key?: { name?: string }) => void (key?.name === 'escape' && keys.press()));
    keyboard.setEncoding('utf8');
    keyboard.on('data', this.#data).on('end', this.#gone).on('error', this.#gone);
    output.err.write(pasteOn);
    this.#timer = setInterval(() => void (this.#statusRows > 0 && this.#refresh()), refreshEvery);
    this.#timer.unref();
    process.on('exit', this.#restore);
  }

  /** What is typed and not sent. */
  get draft(): string {
    return this.#editor.line;
  }

  /** A place to put questions: the line is theirs from `pause` to `resume`. */
  get terminal(): Terminal {
    const err: Writer = { ...this.#output.err, write: (text) => this.#ask(String(text)) };
    const input: TerminalInput = {
      line: (signal) => this.#answer(signal),
      isOpen: true,
      // A line that was begun is kept aside, so it is no answer.
      discardTyped: () => Promise.resolve(),
    };
    return { input, err, display: this };
  }

  lines(lines: string[]): void {
    if (lines.length > 0) this.#above(this.#output.err, `${lines.join('\n')}\n`);
    else this.#refresh();
  }

  /** Writes to standard output what was asked for. */
  answer(text: string): void {
    this.#above(this.#output.out, text.endsWith('\n') ? text : `${text}\n`);
  }

  clear(): void {
    if (this.draft === '') return;
    this.#editor.write(null, { ctrl: true, name: 'e' });
    this.#editor.write(null, { ctrl: true, name: 'u' });
  }

  pause(): void {
    const { draft } = this;
    this.clear();
    this.#erase();
    this.#question = { before: '', draft };
  }

  resume(): void {
    const { draft = '' } = this.#question ?? {};
    this.#erase();
    this.#question = undefined;
    this.#draw();
    this.clear();
    if (draft !== '') this.#editor.write(draft);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#erase();
    this.#isClosed = true;
    this.#isOver = true;
    this.#editor.off('close', this.#editorClosed);
    clearInterval(this.#timer);
    this.#keyboard.off('data', this.#data).off('end', this.#gone).off('error', this.#gone).pause();
    this.#editor.close();
    this.#restore();
    process.off('exit', this.#restore);
  }

  /** Ctrl-Z: everything of this job stops until it is brought back. Where nobody could do that, the system lets it go on. */
  readonly #suspend = (): void => {
    this.#erase();
    this.#restore();
    process.kill(0, 'SIGTSTP');
    setTimeout(() => {
      if (this.#isClosed) return;
      this.#keyboard.setRawMode?.(true);
      this.#output.err.write(pasteOn);
      this.#draw();
    }, stopsWithin);
  };

  readonly #restore = (): void => {
    this.#keyboard.setRawMode?.(false);
    this.#output.err.write(pasteOff);
  };

  readonly #data = (chunk: string): void => {
    if (chunk !== endOfInput) this.#typed.write(this.#pastes.take(chunk));
    else if (this.draft !== '') this.#typed.write(chunk);
    else if (this.#question === undefined) this.#keys.end();
    else this.#question.answer?.({ end: 'closed' });
  };

  /** It does so itself at Ctrl-D after something that leaves the line empty. */
  readonly #editorClosed = (): void => {
    this.#isOver = true;
    this.#gone();
  };

  readonly #gone = (): void => {
    this.#question?.answer?.({ end: 'closed' });
    this.#keys.end();
  };

  #entered(line: string): void {
    this.#isShown = false;
    this.#believed = 0;
    if (this.#question !== undefined) {
      this.#question.answer?.(line);
      return;
    }
    this.#takeAway(line);
    this.#keys.line(line);
    this.#draw();
  }

  /** What was entered goes with the row that said what goes on: it is shown again by whoever takes it. */
  #takeAway(line: string): void {
    const { err } = this.#output;
    const rows = Math.floor(widthOf(this.lead + line) / err.width()) + 1 + this.#statusRows;
    err.write(`\u001b[${rows}A\r\u001b[J`);
  }

  #ask(text: string): void {
    if (this.#question === undefined) return this.#above(this.#output.err, text);
    const whole = this.#question.before + text;
    const end = whole.lastIndexOf('\n') + 1;
    this.#erase();
    this.#output.err.write(whole.slice(0, end));
    this.#question.before = whole.slice(end);
  }

  #answer(signal: AbortSignal): Promise<string | NoLine> {
    return new Promise((resolve) => {
      const question = this.#question;
      if (question === undefined || signal.aborted) return resolve({ end: signal.aborted ? 'aborted' : 'closed' });
      const settle = (line: string | NoLine): void => {
        delete question.answer;
        signal.removeEventListener('abort', abort);
        if (typeof line === 'string') question.before = '';
        resolve(line);
      };
      const abort = (): void => settle({ end: 'aborted' });
      question.answer = settle;
      signal.addEventListener('abort', abort);
      this.#draw();
    });
  }

  #above(writer: Writer, text: string): void {
    this.#erase();
    writer.write(text);
    this.#draw();
  }

  #erase(): void {
    if (!this.#isShown) return;
    this.#believed = this.#editor.getCursorPos().rows;
    this.#isShown = false;
    this.#output.err.write(`${this.#believed === 0 ? '' : `\u001b[${this.#believed}A`}\r\u001b[J`);
  }

  #draw(): void {
    if (this.#isOver || (this.#question !== undefined && this.#question.answer === undefined)) return;
    this.#erase();
    const status = this.#question === undefined ? this.#status() : [];
    this.#statusRows = status.length;
    this.#editor.setPrompt(this.#question?.before ?? [...status, this.lead].join('\n'));
    // The editor goes up to where it believes its first row: it must find it there.
    this.#output.err.write('\n'.repeat(this.#believed));
    this.#editor.prompt(true);
    this.#isShown = true;
  }

  #refresh(): void {
    if (this.#isShown && this.#question === undefined) this.#draw();
  }

  /** A row that says what goes on, and for how long; one column stays free, so that it doesn't wrap. */
  #status(): string[] {
    const current = this.#activity();
    if (current === undefined) {
      this.#since = { what: '', at: 0 };
      return [];
    }
    const now = Date.now();
    if (current.what !== this.#since.what) this.#since = { what: current.what, at: now };
    const time = current.until === undefined ? duration(now - this.#since.at) : `${duration(current.until - now)} left`;
    const room = this.#output.err.width() - time.length - 6;
    return [this.#style.dim(`· ${clip(current.what, room)} (${time})`)];
  }
}

/** The editor wants a stream that knows its width. */
function asStream(writer: Writer): Writable & { columns: number } {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      writer.write(chunk);
      done();
    },
  });
  return Object.defineProperty(stream, 'columns', { get: () => writer.width() }) as Writable & { columns: number };
}
