/** Replaces secrets by placeholders: keyed hashes, the same for the same value. Nothing is kept that leads from one back to the other. */
import { createHmac, randomBytes } from 'node:crypto';
import { leastLength } from './ordinary.ts';
import { KnownValues, type KnownText } from './known.ts';
import { RedactionStream } from './stream.ts';
import { spellingsOf } from './spellings.ts';

/** A value that must not be seen, and what it is called: the name of its variable, say. */
export interface SecretValue {
  name: string;
  value: string;
}

export interface RedactorOptions {
  values: readonly SecretValue[];
  /** Gives 32 bytes when they are first needed; random ones when left out. */
  key?: () => Uint8Array;
}

/** Takes the pieces of a text or of bytes, and gives them on without secrets; what may be part of one waits for the next piece. */
export interface Filter<Piece> {
  write(piece: Piece): Piece;
  end(): Piece;
}

export interface Redactor {
  /**
   * Known values and shapes replaced. Lines stay lines; what is redacted already stays as it is. What is a secret only by where it
   * stands in one of the sources (a line of a key) is one in the text too.
   */
  redact(text: string, sources?: readonly string[]): string;
  /** Known values only: for what a model or a person wrote. */
  redactKnown(text: string): string;
  holdsKnown(text: string): boolean;
  /** For text as it comes; with `shapes: false` only known values are replaced. */
  text(options?: { shapes: boolean }): Filter<string>;
  /** For bytes as they come: values are found in UTF-8 and UTF-16, shapes in ASCII. */
  bytes(): Filter<Buffer>;
  /**
   * The text with each placeholder replaced by what it stands for in `present`, the present text of the same file. A problem where it
   * stands for nothing there, or for different things.
   */
  resolve(text: string, present: string): { text: string } | { problem: string };
  /** What a redactor that does the same is made from, for another process. */
  origin(): { values: readonly SecretValue[]; key: Uint8Array };
  /** Values that became known later. */
  learn(values: readonly SecretValue[]): void;
}

const placeholderPattern = /\[secret:[A-Za-z0-9_-]{1,40}:[0-9a-f]{8}\]/g;

/** The first placeholder in a text. */
export function placeholderIn(text: string): string | undefined {
  return text.match(placeholderPattern)?.[0];
}

export function createRedactor({ values, key = () => randomBytes(32) }: RedactorOptions): Redactor {
  return new KeyedRedactor(values, key);
}

class KeyedRedactor implements Redactor {
  readonly #makeKey: () => Uint8Array;
  #key: Uint8Array | undefined;
  readonly #values: SecretValue[] = [];
  readonly #spellings = new Map<string, string>();
  #known = new KnownValues([]);
  #knownBytes: KnownValues | undefined;

  constructor(values: readonly SecretValue[], key: () => Uint8Array) {
    this.#makeKey = key;
    this.learn(values);
  }

  learn(values: readonly SecretValue[]): void {
    const before = this.#spellings.size;
    for (const { name, value } of values) {
      const kind = name.replace(/[^A-Za-z0-9_]/g, '').slice(0, 40) || 'value';
      for (const spelling of spellingsOf(value))
        if (!this.#spellings.has(spelling)) this.#spellings.set(spelling, kind);
    }
    if (this.#spellings.size === before) return;
    this.#values.push(...values);
    this.#known = new KnownValues([...this.#spellings].map(([text, kind]) => ({ text, kind })));
    this.#knownBytes = undefined;
  }

  origin(): { values: readonly SecretValue[]; key: Uint8Array } {
    this.#key ??= this.#makeKey();
    return { values: this.#values, key: this.#key };
  }

  redact(text: string, sources: readonly string[] = []): string {
    const found = new Map<string, string>();
    const note = (secret: string, kind: string): string => {
      if (secret.length >= leastLength) found.set(secret, kind);
      return '';
    };
    for (const source of sources)
      whole(new RedactionStream({ known: this.#known, shapes: true, placeholder: note }), source);
    const known = new KnownValues([...found].map(([secret, kind]) => ({ text: secret, kind })));
    const first = known.isEmpty
      ? text
      : whole(new RedactionStream({ known, shapes: false, placeholder: this.#placeholder }), text);
    return whole(this.text(), first);
  }

  redactKnown(text: string): string {
    return this.#known.isEmpty ? text : whole(this.text({ shapes: false }), text);
  }

  holdsKnown(text: string): boolean {
    return this.#known.has(text);
  }

  text({ shapes } = { shapes: true }): Filter<string> {
    return new RedactionStream({ known: this.#known, shapes, placeholder: this.#placeholder });
  }

  bytes(): Filter<Buffer> {
    this.#knownBytes ??= new KnownValues([...this.#spellings].flatMap(([text, kind]) => inBytes(text, kind)));
    const placeholder = (secret: string, kind: string) => this.#placeholder(fromBytes(secret), kind);
    const stream = new RedactionStream({ known: this.#knownBytes, shapes: true, placeholder });
    return {
      write: (piece) => {
        const text = piece.toString('latin1');
        const shown = stream.write(text);
        return shown === text ? piece : Buffer.from(shown, 'latin1');
      },
      end: () => Buffer.from(stream.end(), 'latin1'),
    };
  }

  resolve(text: string, present: string): { text: string } | { problem: string } {
    if (placeholderIn(text) === undefined) return { text };
    const found = this.#hashesIn(present);
    let problem: string | undefined;
    const resolved = text.replace(placeholderPattern, (placeholder) => {
      // Where the file itself has these characters, they stand for themselves.
      if (present.includes(placeholder)) return placeholder;
      const secrets = found.get(hashIn(placeholder));
      const [secret] = secrets ?? [];
      if (secret !== undefined && secrets?.size === 1) return secret;
      problem ??= `${placeholder} stands for a secret that isn’t in this file now; a secret can only be kept where it is`;
      return placeholder;
    });
    return problem === undefined ? { text: resolved } : { problem };
  }

  #hashesIn(present: string): Map<string, Set<string>> {
    const hashes = new Map<string, Set<string>>();
    const note = (secret: string, kind: string): string => {
      const placeholder = this.#placeholder(secret, kind);
      const hash = hashIn(placeholder);
      hashes.set(hash, (hashes.get(hash) ?? new Set()).add(secret));
      return placeholder;
    };
    // The same way that replaces them, so that what overlaps is cut alike.
    for (const shapes of [true, false])
      whole(new RedactionStream({ known: this.#known, shapes, placeholder: note }), present);
    return hashes;
  }

  readonly #placeholder = (secret: string, kind: string): string => {
    this.#key ??= this.#makeKey();
    const hash = createHmac('sha256', this.#key).update(secret).digest('hex').slice(0, 8);
    return `[secret:${kind}:${hash}]`;
  };
}

function whole(stream: Filter<string>, text: string): string {
  return stream.write(text) + stream.end();
}

function hashIn(placeholder: string): string {
  return placeholder.slice(-9, -1);
}

/** A value as each encoding has it, one character a byte. */
function inBytes(text: string, kind: string): KnownText[] {
  const wide = Buffer.from(text, 'utf16le');
  const all = [Buffer.from(text), wide, Buffer.from(wide).swap16()];
  return all.map((bytes) => ({ text: bytes.toString('latin1'), kind }));
}

function fromBytes(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.includes(0) ? text.replaceAll('\0', '') : bytes.toString('utf8');
}
