/** Finds known values in text, many at once, in a time that doesn't grow with their number (Wu and Manber, 1994, TR-94-17). */

import { dividers } from './shapes.ts';

export interface KnownText {
  text: string;
  /** What its placeholder is called. */
  kind: string;
}

export interface Span {
  start: number;
  end: number;
  kind: string;
}

const block = 2;
const tableSize = 1 << 16;

export class KnownValues {
  readonly #values: readonly KnownText[];
  readonly #window: number;
  readonly #shifts: Uint8Array;
  readonly #buckets = new Map<string, KnownText[]>();
  readonly #plain: Beginnings;
  /** Values with dividers in them: text can't be taken apart there then. */
  readonly #divided: Beginnings;

  constructor(values: readonly KnownText[]) {
    this.#values = values;
    this.#plain = new Beginnings(values.filter(({ text }) => !dividers.test(text)));
    this.#divided = new Beginnings(values.filter(({ text }) => dividers.test(text)));
    this.#window = Math.min(64, ...values.map(({ text }) => text.length));
    // Without values nothing is looked up: most texts have none of their own.
    const size = values.length === 0 ? 0 : tableSize;
    this.#shifts = new Uint8Array(size).fill(Math.max(1, this.#window - block + 1));
    for (const value of values) this.#add(value);
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** All occurrences that begin at `from` or later, in rising order, those that overlap too. */
  find(text: string, from: number): Span[] {
    const spans: Span[] = [];
    if (this.isEmpty) return spans;
    const shifts = this.#shifts;
    const last = text.length - 1;
    let at = from + this.#window - 1;
    while (at <= last) {
      const hash = hashAt(text, at);
      const shift = shifts[hash] ?? 1;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - this.#window + 1;
      for (const { text: value, kind } of this.#buckets.get(text.slice(start, at + 1)) ?? []) {
        if (text.startsWith(value, start)) spans.push({ start, end: start + value.length, kind });
      }
      at += 1;
    }
    return spans;
  }

  has(text: string): boolean {
    return this.find(text, 0).length > 0;
  }

  /** Where at the end, from `from` on, a value may have begun that isn't there whole yet; the text's length where none has. */
  pending(text: string, from: number): number {
    // Those without a divider can only have begun behind the last one.
    const plain = this.#plain.pending(text, from);
    return Math.min(plain, this.#divided.pending(text, 0));
  }

  #add(value: KnownText): void {
    const { text } = value;
    for (let at = block - 1; at < this.#window; at += 1) {
      const hash = hashAt(text, at);
      this.#shifts[hash] = Math.min(this.#shifts[hash] ?? 0, this.#window - 1 - at);
    }
    const begin = text.slice(0, this.#window);
    this.#buckets.set(begin, [...(this.#buckets.get(begin) ?? []), value]);
  }
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 8) ^ text.charCodeAt(at)) & (tableSize - 1);
}

/** Values by their first character. */
class Beginnings {
  readonly #byFirst = new Map<string, string[]>();
  #longest = 0;

  constructor(values: readonly KnownText[]) {
    for (const { text } of values) {
      const first = text[0] ?? '';
      this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), text]);
      this.#longest = Math.max(this.#longest, text.length);
    }
  }

  pending(text: string, from: number): number {
    for (let at = Math.max(from, text.length - this.#longest + 1); at < text.length; at += 1) {
      const values = this.#byFirst.get(text[at] ?? '');
      if (values === undefined) continue;
      const begun = text.slice(at);
      if (values.some((value) => value.length > begun.length && value.startsWith(begun))) return at;
    }
    return text.length;
  }
}
