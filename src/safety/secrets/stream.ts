/** Text that comes in pieces: what leaves is what would leave if it had come as one. */
import { boundary, findSecrets } from './find.ts';
import type { KnownValues, Span } from './known.ts';
import { longestContext } from './shapes.ts';

/** Characters that wait for what follows them, at most: a text that is one long chain of secrets is cut there. */
const mostHeld = 131_072;

export type Placeholder = (secret: string, kind: string) => string;

export interface StreamOptions {
  known: KnownValues;
  shapes: boolean;
  placeholder: Placeholder;
}

export class RedactionStream {
  readonly #options: StreamOptions;
  #context = '';
  #held = '';
  #unseen = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  write(piece: string): string {
    this.#held += piece;
    this.#unseen += piece.length;
    // Small pieces behind much that waits are looked at together, so that the work stays in proportion to the text.
    return this.#unseen * 8 < this.#held.length ? '' : this.#advance(false);
  }

  /** The last of it. */
  end(): string {
    return this.#advance(true);
  }

  #advance(isLast: boolean): string {
    this.#unseen = 0;
    const { known, shapes } = this.#options;
    const from = this.#context.length;
    const text = this.#context + this.#held;
    const { spans, open } = findSecrets(text, from, known, shapes);
    let until = text.length;
    if (!isLast) {
      until = uncrossed(spans, Math.min(boundary(text, from, known, shapes), open ?? until));
      if (text.length - until > mostHeld) until = text.length - longestContext;
    }
    until = Math.max(from, until);
    const shown = this.#replace(text, from, until, spans);
    this.#context = text.slice(Math.max(0, until - longestContext - 1), until);
    this.#held = text.slice(until);
    return shown;
  }

  #replace(text: string, from: number, until: number, spans: readonly Span[]): string {
    if (spans.length === 0) return text.slice(from, until);
    const parts: string[] = [];
    let at = from;
    for (const { start, end, kind } of spans) {
      const [first, last] = [Math.max(start, at), Math.min(end, until)];
      if (first >= last) continue;
      parts.push(text.slice(at, first), this.#options.placeholder(text.slice(first, last), kind));
      at = last;
    }
    parts.push(text.slice(at, until));
    return parts.join('');
  }
}

/** The last place up to `place` that no secret lies across. */
function uncrossed(spans: readonly Span[], place: number): number {
  let free = place;
  for (const { start, end } of spans.toReversed()) if (start < free && end > free) free = start;
  return free;
}
