/** Lines of a piece by their number, asked for in growing order. */
export class ByteLines {
  readonly #piece: Buffer;
  #line = 0;
  #start = 0;

  constructor(piece: Buffer) {
    this.#piece = piece;
  }

  /** Where a line begins; the length of the piece where there is no such line. */
  startOf(line: number): number {
    for (; this.#line < line; this.#line += 1) {
      const end = this.#piece.indexOf(10, this.#start);
      if (end < 0) return this.#piece.length;
      this.#start = end + 1;
    }
    return this.#start;
  }

  /** Lines from one to another, with what ends them. */
  of(first: number, last: number): Buffer {
    const start = this.startOf(first);
    let end = start;
    for (let line = first; line <= last && end < this.#piece.length; line++) {
      const found = this.#piece.indexOf(10, end);
      end = found < 0 ? this.#piece.length : found + 1;
    }
    return this.#piece.subarray(start, end);
  }
}
