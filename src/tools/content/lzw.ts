/** The compression of GIF (GIF89a specification, appendix F): codes of growing width, each for a row of indices. */

const mostCodes = 4096;

/** The indices that the data holds, at most so many, and how many there were. `size` is the width of an index in bits. */
export function decodeLzw(data: Buffer, size: number, length: number): { indices: Buffer; filled: number } {
  const indices = Buffer.alloc(length);
  if (size < 1 || size > 8) return { indices, filled: 0 };
  const codes = new CodeReader(data);
  const table = new CodeTable(size);
  let filled = 0;
  while (filled < length) {
    const code = codes.take(table.width);
    if (code === undefined) break;
    if (code === table.clear) {
      table.reset();
      continue;
    }
    const row = table.spell(code);
    if (row === undefined) break;
    filled += Buffer.from(row.buffer, row.byteOffset, Math.min(row.length, length - filled)).copy(indices, filled);
  }
  return { indices, filled };
}

/** Takes codes from bytes, lowest bit first. */
class CodeReader {
  private readonly data: Buffer;
  private at = 0;
  private held = 0;
  private bits = 0;

  constructor(data: Buffer) {
    this.data = data;
  }

  take(width: number): number | undefined {
    while (this.bits < width) {
      const byte = this.data[this.at++];
      if (byte === undefined) return undefined;
      this.held |= byte << this.bits;
      this.bits += 8;
    }
    const code = this.held & (2 ** width - 1);
    this.held >>>= width;
    this.bits -= width;
    return code;
  }
}

/** What the codes stand for: an earlier row and one index more. Each code that is read makes a new one. */
class CodeTable {
  readonly clear: number;
  /** Bits of the next code. */
  width = 0;
  private readonly size: number;
  private readonly earlier = new Int16Array(mostCodes);
  private readonly index = new Uint8Array(mostCodes);
  private readonly spelled = new Uint8Array(mostCodes + 1);
  private next = 0;
  private before = -1;
  private first = 0;

  constructor(size: number) {
    this.size = size;
    this.clear = 2 ** size;
    for (let code = 0; code < this.clear; code++) this.index[code] = code;
    this.reset();
  }

  reset(): void {
    this.width = this.size + 1;
    this.next = this.clear + 2;
    this.before = -1;
  }

  /** The row of a code, valid until the next call; undefined for the end and for a code that there can't be. */
  spell(code: number): Uint8Array | undefined {
    const isNew = code === this.next;
    if (code === this.clear + 1 || code > this.next || (isNew && this.before === -1)) return undefined;
    // Spelled from its end: a new code is the row before and that row's first index.
    let from = this.spelled.length;
    if (isNew) this.spelled[--from] = this.first;
    let at = isNew ? this.before : code;
    for (; at > this.clear; at = this.earlier[at] ?? 0) this.spelled[--from] = this.index[at] ?? 0;
    this.first = at;
    this.spelled[--from] = at;
    this.learn(code);
    return this.spelled.subarray(from);
  }

  private learn(code: number): void {
    if (this.before !== -1 && this.next < mostCodes) {
      this.earlier[this.next] = this.before;
      this.index[this.next] = this.first;
      this.next += 1;
      if (this.next === 2 ** this.width && this.width < 12) this.width += 1;
    }
    this.before = code;
  }
}
