/** Globs as ripgrep reads them: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}`, a backslash before any of these. */

export type GlobToken =
  | { kind: 'text'; text: string }
  /** `?` and `*`. */
  | { kind: 'one' | 'some' }
  /** `**` before everything, at the end, and between folders. */
  | { kind: 'leading' | 'trailing' | 'between' }
  | { kind: 'class'; negated: boolean; ranges: [from: string, to: string][] }
  | { kind: 'choice'; options: GlobToken[][] };

export type GlobProblem = { problem: string };

/** `ignore`: as in ignore files, where a bracket that isn't closed stands for itself. `asked`: where that is an error. */
export type GlobDialect = 'ignore' | 'asked';

/** The parts of a glob. */
export function parseGlob(glob: string, dialect: GlobDialect): GlobToken[] | GlobProblem {
  return new GlobParser(Array.from(glob), dialect).parse();
}

class GlobParser {
  readonly #characters: readonly string[];
  readonly #dialect: GlobDialect;
  /** The options of the open choices; the first list is the glob itself. */
  readonly #branches: GlobToken[][] = [[]];
  /** For each open choice, which branch it began with. */
  readonly #choices: number[] = [];
  #at = 0;
  /** No later bracket is closed either. */
  #isUnclosed = false;

  constructor(characters: readonly string[], dialect: GlobDialect) {
    this.#characters = characters;
    this.#dialect = dialect;
  }

  parse(): GlobToken[] | GlobProblem {
    while (this.#at < this.#characters.length) {
      const problem = this.#step();
      if (problem !== undefined) return { problem };
    }
    if (this.#choices.length > 0) return { problem: 'a { isn’t closed' };
    return this.#branches[0] ?? [];
  }

  #next(): string | undefined {
    this.#at += 1;
    return this.#characters[this.#at - 1];
  }

  get #branch(): GlobToken[] {
    return this.#branches.at(-1) ?? [];
  }

  #step(): string | undefined {
    const character = this.#next() ?? '';
    if (character === '[' && !this.#isUnclosed) return this.#class();
    if (character === '}') return this.#close();
    if (character === '\\') return this.#escaped();
    if (character === '*') this.#branch.push(...this.#star());
    else if (character === '{') this.#open();
    else if (character === ',' && this.#choices.length > 0) this.#branches.push([]);
    else this.#branch.push(character === '?' ? { kind: 'one' } : { kind: 'text', text: character });
    return undefined;
  }

  #escaped(): string | undefined {
    const character = this.#next();
    if (character === undefined) return 'it ends with a single backslash';
    this.#branch.push({ kind: 'text', text: character });
    return undefined;
  }

  #open(): void {
    this.#choices.push(this.#branches.length);
    this.#branches.push([]);
  }

  #close(): string | undefined {
    const begin = this.#choices.pop();
    if (begin === undefined) return 'a } has no {';
    const options = this.#branches.splice(begin);
    this.#branch.push({ kind: 'choice', options });
    return undefined;
  }

  /** What a star, and the one that may follow it, stands for. */
  #star(): GlobToken[] {
    const before = this.#characters[this.#at - 2];
    if (this.#characters[this.#at] !== '*') return [{ kind: 'some' }];
    this.#at += 1;
    const next = this.#characters[this.#at];
    const endsHere = next === undefined || (this.#choices.length > 0 && (next === ',' || next === '}'));
    const isFirst = this.#branch.length === 0;
    // Beside anything but a slash, two stars are no more than one.
    const isBesideSlash = next === '/' || (isFirst ? next === undefined : endsHere && before === '/');
    if (!isBesideSlash || (!isFirst && before !== '/')) return [{ kind: 'some' }, { kind: 'some' }];
    if (next === '/') this.#at += 1;
    if (isFirst) return [{ kind: 'leading' }];
    const last = this.#branch.pop();
    if (last?.kind === 'leading' || last?.kind === 'trailing') return [last];
    return [{ kind: next === '/' ? 'between' : 'trailing' }];
  }

  #class(): string | undefined {
    const begin = this.#at;
    const negated = ['!', '^'].includes(this.#characters[this.#at] ?? '');
    if (negated) this.#at += 1;
    const ranges: [string, string][] = [];
    let isRange = false;
    for (let character = this.#next(); ; character = this.#next()) {
      if (character === undefined) return this.#unclosed(begin);
      if (character === ']' && ranges.length > 0) break;
      const last = ranges.at(-1);
      if (character === '-' && last !== undefined && !isRange) {
        isRange = true;
        continue;
      }
      if (!isRange || last === undefined) ranges.push([character, character]);
      else if (character < last[0]) return `the range ${last[0]}-${character} runs backwards`;
      else last[1] = character;
      isRange = false;
    }
    if (isRange) ranges.push(['-', '-']);
    this.#branch.push({ kind: 'class', negated, ranges });
    return undefined;
  }

  #unclosed(begin: number): string | undefined {
    if (this.#dialect === 'asked') return 'a [ isn’t closed';
    this.#at = begin;
    this.#isUnclosed = true;
    this.#branch.push({ kind: 'text', text: '[' });
    return undefined;
  }
}
