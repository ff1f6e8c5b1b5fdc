/** The output of a command that may go on for long, taken in portions: each is caught like the whole output of a command that ends. */
import { Capture, type Captured, type CaptureOptions } from './capture.ts';
import type { ByteFilter } from '../needs.ts';
import { heldAtEnd } from './decode.ts';

export interface FeedOptions extends CaptureOptions {
  /** Bytes after which it is a flood. */
  flood: number;
  onFlood: () => void;
  /** Everything goes through it before it is kept, shown or heard. */
  filter?: ByteFilter | undefined;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #listeners = new Set<(chunk: Buffer) => void>();
  #capture: Capture;
  /** What the next piece may complete: a character or an escape sequence is never torn between two portions. */
  #held: Buffer = Buffer.alloc(0);
  #bytes = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#capture = new Capture(options);
  }

  /** Takes a piece. A promise means: no more pieces until it resolves. */
  write(chunk: Buffer): void | Promise<void> {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    if (before <= this.#options.flood && this.#bytes > this.#options.flood) this.#options.onFlood();
    return this.#pass(this.#options.filter?.write(chunk) ?? chunk);
  }

  #pass(chunk: Buffer): void | Promise<void> {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const whole = all.length - heldAtEnd(all);
    this.#held = Buffer.from(all.subarray(whole));
    if (whole === 0) return undefined;
    const piece = all.subarray(0, whole);
    for (const listener of this.#listeners) listener(piece);
    return this.#capture.write(piece);
  }

  /** Hears what comes from now on, until the returned function is called. */
  listen(listener: (chunk: Buffer) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What came since the last time, decoded: its start and its end. The portion stays to be taken. */
  peek(): string[] {
    return this.#capture.peek();
  }

  /** What came since the last time. `end`: nothing more will come. */
  async take(end = false): Promise<Captured> {
    if (end) this.#release();
    const done = this.#capture;
    // Nobody watches any more what comes after a first portion.
    const { onOutput: _, ...options } = this.#options;
    this.#capture = new Capture(options);
    return done.finish();
  }

  #release(): void {
    const last = this.#options.filter?.end();
    if (last !== undefined && last.length > 0) void this.#pass(last);
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    if (rest.length === 0) return;
    for (const listener of this.#listeners) listener(rest);
    void this.#capture.write(rest);
  }
}
