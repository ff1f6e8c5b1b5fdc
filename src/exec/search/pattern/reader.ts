/** Walks over the characters of a pattern, one code point a step. */
import { PatternError, type Flags } from './syntax.ts';

export class Reader {
  readonly characters: readonly string[];
  at = 0;
  flags: Flags;

  constructor(pattern: string, flags: Flags) {
    this.characters = Array.from(pattern);
    this.flags = flags;
  }

  get ended(): boolean {
    return this.at >= this.characters.length;
  }

  /** The character here; empty at the end. */
  get character(): string {
    return this.characters[this.at] ?? '';
  }

  get following(): string {
    return this.characters[this.at + 1] ?? '';
  }

  is(character: string): boolean {
    return this.character === character;
  }

  code(): number {
    return this.character.codePointAt(0) ?? 0;
  }

  /** Goes on by one; whether something is there. */
  bump(): boolean {
    this.at += 1;
    return !this.ended;
  }

  /** The same, and over what a verbose pattern leaves blank. */
  bumpAndSkip(): boolean {
    this.at += 1;
    this.skip();
    return !this.ended;
  }

  /** In a verbose pattern, white space and comments say nothing. */
  skip(): void {
    if (!this.flags.verbose) return;
    while (!this.ended) {
      if (isWhitespace(this.character)) this.at += 1;
      else if (this.character === '#') this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    while (!this.ended && this.character !== '\n') this.at += 1;
    if (!this.ended) this.at += 1;
  }

  /** The next character that a verbose pattern doesn't leave blank. */
  followingAfterSkip(): string {
    const here = this.at;
    this.bumpAndSkip();
    const { character } = this;
    this.at = here;
    return character;
  }

  takes(text: string): boolean {
    const characters = Array.from(text);
    if (!characters.every((character, index) => this.characters[this.at + index] === character)) return false;
    this.at += characters.length;
    return true;
  }

  /** A number within a repetition, with blanks around it. */
  decimal(): number | undefined {
    this.#skipWhitespace();
    const begin = this.at;
    while (/^[0-9]$/.test(this.character)) this.at += 1;
    const digits = this.characters.slice(begin, this.at).join('');
    const end = this.at;
    this.#skipWhitespace();
    if (digits === '') return undefined;
    const number = Number(digits);
    if (number > 0xffff_ffff) throw new PatternError('decimal literal invalid', begin, end - begin, 'escape');
    return number;
  }

  #skipWhitespace(): void {
    while (!this.ended && isWhitespace(this.character)) this.at += 1;
  }
}

function isWhitespace(character: string): boolean {
  return /^\p{White_Space}$/u.test(character);
}
