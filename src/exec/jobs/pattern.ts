/** Looks for a pattern in output while it comes, within bounds: whatever the pattern is, it can't hold up the process for long. */
import { createContext, Script, type Context } from 'node:vm';
import { LiveDecoder } from '../output/index.ts';

/**
 * Milliseconds that one look may take: a pattern that tries too many ways is interrupted then. They pass also where a busy machine lets
 * this process wait, so the first limit is followed by one more look with more time.
 */
const timeLimits = [100, 1000];
/** Characters of earlier output that a match may begin in. */
const overlap = 8192;
/** Characters that are looked through at once. */
const window = 256 * 1024;

const search = new Script('pattern.test(text)');

export type Match = boolean | { refused: string };

export class PatternSearch {
  readonly #context: Context;
  readonly #decoder = new LiveDecoder();
  /** What was looked through already, as far as a match may begin in it, and what wasn't yet. */
  #text = '';

  constructor(pattern: RegExp) {
    // Without the flags by which a pattern remembers where it was.
    const plain = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
    this.#context = createContext({ pattern: plain, text: '' });
  }

  /** What came before the wait began: one text, or the start and the end of one. */
  begin(texts: readonly string[]): Match {
    this.#text = texts.at(-1)?.slice(-overlap) ?? '';
    for (const text of texts) {
      const found = this.#test(text);
      if (found !== false) return found;
    }
    return false;
  }

  /** Takes a piece of what comes. */
  push(chunk: Buffer): void {
    this.#text += this.#decoder.push(chunk);
  }

  /** Whether there is so much unseen that it must be looked through before more comes. */
  get isFull(): boolean {
    return this.#text.length > window;
  }

  /** Whether the pattern stands in what came. `end`: nothing more will come. */
  pass(end = false): Match {
    if (end) this.#text += this.#decoder.end();
    const found = this.#test(this.#text);
    this.#text = this.#text.slice(-overlap);
    return found;
  }

  #test(text: string): Match {
    this.#context['text'] = text;
    try {
      for (const timeout of timeLimits) {
        const found = this.#look(timeout);
        if (found !== undefined) return found;
      }
      return { refused: 'The pattern takes too long to be looked for; use a simpler one.' };
    } catch (error) {
      return { refused: `The pattern can’t be used: ${(error as Error).message}.` };
    } finally {
      this.#context['text'] = '';
    }
  }

  /** Undefined when the time was over first. */
  #look(timeout: number): boolean | undefined {
    try {
      return search.runInContext(this.#context, { timeout }) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
  }
}
