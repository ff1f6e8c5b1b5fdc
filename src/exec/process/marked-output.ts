/** Output that ends with a mark: passes on what can't be the mark, and knows when the mark has come. */
export class MarkedOutput {
  readonly #mark: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(mark: Buffer) {
    this.#mark = mark;
  }

  /** What of it can be passed on: all but an end that may be the beginning of the mark. */
  pass(chunk: Buffer): Buffer {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const first = this.#mark[0] ?? 0;
    for (let at = Math.max(0, all.length - this.#mark.length); at < all.length; at += 1) {
      at = all.indexOf(first, at);
      if (at < 0) break;
      if (this.#mark.subarray(0, all.length - at).equals(all.subarray(at))) return this.#hold(all, at);
    }
    return this.#hold(all, all.length);
  }

  /** The whole mark is the last that came. */
  get isReached(): boolean {
    return this.#held.equals(this.#mark);
  }

  /** What was held back and is no mark, when nothing more comes. */
  rest(): Buffer {
    return this.isReached ? Buffer.alloc(0) : this.#held;
  }

  #hold(all: Buffer, from: number): Buffer {
    this.#held = all.subarray(from);
    return all.subarray(0, from);
  }
}
