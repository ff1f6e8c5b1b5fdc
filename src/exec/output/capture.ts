/** Keeps of a command's output what is shown, writes the rest to a blob, and counts what is more than both may hold. */
import type { BlobSink, BlobWriter } from '../needs.ts';
import { LiveDecoder, showable, unfinishedAtEnd, unfinishedAtStart } from './decode.ts';

/**
 * Bytes kept in memory of the start and of the end. A result shows at most 25,000 characters, a character has at most 4
 * bytes: however a tool divides its result between start and end, each of the two alone holds enough.
 */
const headSize = 100_000;
const tailSize = 100_000;

/** Pieces of recent output that are kept as they came. */
const mostPieces = 256;

/** Characters of live output that are passed on; a watcher can't read more, and decoding a gigabyte for nobody costs seconds. */
const liveLimit = 256 * 1024;

/** Bytes that blobs may still take: those of a session, shared by all its commands, or those of one command. */
export interface OutputBudget {
  left: number;
}

export interface CaptureOptions {
  blobs?: BlobWriter | undefined;
  session: OutputBudget;
  command: OutputBudget;
  onOutput?: ((delta: string) => void) | undefined;
}

export interface Captured {
  head: string;
  tail: string;
  omitted: number;
  bytes: number;
  blob?: string;
  dropped: number;
}

export class Capture {
  readonly #options: CaptureOptions;
  #head: Buffer | undefined;
  /** Everything so far, while it fits into head and tail together; afterwards at least the end of it. */
  #recent: Buffer[] = [];
  #recentBytes = 0;
  #bytes = 0;
  #sink: BlobSink | undefined;
  #stored = 0;
  #lost = false;
  /** The last piece on its way to the blob. */
  #pending: Promise<void> | undefined;
  readonly #decoder = new LiveDecoder();
  #live = 0;

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  /** Takes a piece. A promise means: no more pieces until it resolves. */
  write(chunk: Buffer): void | Promise<void> {
    this.#bytes += chunk.length;
    this.#show(chunk);
    this.#remember(chunk);
    if (this.#head !== undefined) return this.#store(chunk);
    return this.#bytes > headSize + tailSize ? this.#overflow() : undefined;
  }

  /** What is kept so far, decoded: all of it, or its start and its end. */
  peek(): string[] {
    const recent = Buffer.concat(this.#recent);
    return this.#head === undefined ? [showable(recent)] : [showable(this.#head), showable(recent)];
  }

  /** What was caught; call it once, after the last piece. */
  async finish(): Promise<Captured> {
    await this.#pending;
    this.#pass(this.#decoder.end());
    if (this.#head === undefined) {
      const head = showable(Buffer.concat(this.#recent));
      return { head, tail: '', omitted: 0, bytes: this.#bytes, dropped: 0 };
    }
    const head = this.#head.subarray(0, headSize - unfinishedAtEnd(this.#head));
    const end = Buffer.concat(this.#recent).subarray(-tailSize);
    const tail = end.subarray(unfinishedAtStart(end));
    const omitted = this.#bytes - head.length - tail.length;
    const shown = { head: showable(head), tail: showable(tail), omitted, bytes: this.#bytes };
    const blob = await this.#finishBlob();
    if (blob === undefined) return { ...shown, dropped: omitted };
    return { ...shown, blob, dropped: this.#bytes - this.#stored };
  }

  /** The output no longer fits: from here on it is head, tail and blob. */
  #overflow(): void | Promise<void> {
    const all = Buffer.concat(this.#recent);
    this.#head = Buffer.from(all.subarray(0, headSize));
    return this.#store(all);
  }

  #remember(chunk: Buffer): void {
    this.#recent.push(chunk);
    this.#recentBytes += chunk.length;
    if (this.#head !== undefined) this.#forget();
    // Output byte by byte would otherwise cost a hundred times its size.
    if (this.#recent.length > mostPieces) this.#recent = [Buffer.concat(this.#recent)];
  }

  /** Drops what has become older than the tail. */
  #forget(): void {
    for (let [first] = this.#recent; first && this.#recentBytes - first.length >= tailSize; [first] = this.#recent) {
      this.#recent.shift();
      this.#recentBytes -= first.length;
    }
  }

  /** One piece after the other: Node goes on reading at the end of a process, whether it was asked to pause or not. */
  #store(chunk: Buffer): void | Promise<void> {
    const written = this.#pending === undefined ? this.#put(chunk) : this.#pending.then(() => this.#put(chunk));
    if (written === undefined) return undefined;
    const settled = written.then(() => {
      if (this.#pending === settled) this.#pending = undefined;
    });
    this.#pending = settled;
    return settled;
  }

  #put(chunk: Buffer): void | Promise<void> {
    const { blobs, session, command } = this.#options;
    if (blobs === undefined || this.#lost) return;
    const room = Math.min(command.left, session.left);
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    this.#account(part.length);
    try {
      if (this.#sink !== undefined) return this.#guard(this.#sink.write(part));
      return this.#guard(this.#open(blobs, part));
    } catch {
      return this.#lose();
    }
  }

  #account(bytes: number): void {
    this.#stored += bytes;
    this.#options.command.left -= bytes;
    this.#options.session.left -= bytes;
  }

  async #open(blobs: BlobWriter, first: Buffer): Promise<void> {
    this.#sink = await blobs.open();
    await this.#sink.write(first);
  }

  #guard(written: void | Promise<void>): void | Promise<void> {
    return written instanceof Promise ? written.catch(() => this.#lose()) : undefined;
  }

  /** A blob that can't be written (a full disk, say) must not end the command: its bytes count as dropped. */
  async #lose(): Promise<void> {
    this.#lost = true;
    this.#account(-this.#stored);
    const sink = this.#sink;
    this.#sink = undefined;
    try {
      await sink?.abandon();
    } catch {
      // The blob is given up already; whoever wrote it clears what remains at its next start.
    }
  }

  async #finishBlob(): Promise<string | undefined> {
    try {
      return await this.#sink?.finish();
    } catch {
      await this.#lose();
      return undefined;
    }
  }

  #show(chunk: Buffer): void {
    if (this.#options.onOutput === undefined || this.#live > liveLimit) return;
    this.#pass(this.#decoder.push(chunk));
  }

  #pass(text: string): void {
    if (this.#options.onOutput === undefined || text === '' || this.#live > liveLimit) return;
    this.#live += text.length;
    const over = this.#live > liveLimit;
    this.#options.onOutput(over ? `${text}\n[more output follows and isn’t shown live]\n` : text);
  }
}
