/** Reads a pattern as ripgrep does, and says in ripgrep's words what is wrong with it. */
import { readClass } from './classes.ts';
import { readEscape } from './escapes.ts';
import { Reader } from './reader.ts';
import { PatternError, type Flags, type Node, type PatternProblem } from './syntax.ts';

export interface PatternOptions {
  ignoreCase: boolean;
  crlf: boolean;
}

/** The deepest nesting of groups, as in ripgrep. */
const deepest = 250;
const missing = 'repetition operator missing expression';
const unclosedCount = 'unclosed counted repetition';
const noDecimal = 'repetition quantifier expects a valid decimal';

/** The parts of a pattern, or what is wrong with it. */
export function parsePattern(pattern: string, { ignoreCase, crlf }: PatternOptions): Node | PatternProblem {
  const flags = { fold: ignoreCase, lines: true, all: false, swap: false, verbose: false, crlf };
  try {
    return new PatternParser(new Reader(pattern, flags)).parse();
  } catch (error) {
    if (error instanceof PatternError) return error.problem;
    throw error;
  }
}

class PatternParser {
  readonly #reader: Reader;
  readonly #names = new Map<string, number>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  parse(): Node {
    const node = this.#alternatives(0);
    if (!this.#reader.ended) throw new PatternError('unopened group', this.#reader.at, 1, 'escape');
    return node;
  }

  /** Up to the end of the group or of the pattern. */
  #alternatives(depth: number): Node {
    const reader = this.#reader;
    if (depth > deepest) throw new PatternError('the groups of the pattern lie too deep in each other', reader.at);
    const nodes: Node[] = [];
    let concat: Node[] = [];
    for (reader.skip(); !reader.ended && !reader.is(')'); reader.skip()) {
      if (reader.is('|')) {
        nodes.push({ kind: 'concat', nodes: concat });
        concat = [];
        reader.bump();
      } else this.#part(concat, depth);
    }
    nodes.push({ kind: 'concat', nodes: concat });
    return { kind: 'alternatives', nodes };
  }

  #part(concat: Node[], depth: number): void {
    const reader = this.#reader;
    switch (reader.character) {
      case '(':
        concat.push(this.#group(depth));
        return;
      case '[':
        concat.push({ kind: 'class', set: readClass(reader), fold: reader.flags.fold });
        return;
      case '?':
      case '*':
      case '+':
        concat.push(this.#repeated(concat));
        return;
      case '{':
        concat.push(this.#counted(concat));
        return;
      default:
        concat.push(this.#primitive());
    }
  }

  #primitive(): Node {
    const reader = this.#reader;
    const { fold, all, lines, crlf } = reader.flags;
    if (reader.is('\\')) {
      const escape = readEscape(reader);
      if (escape.kind === 'literal') return { ...escape, fold };
      if (escape.kind === 'assertion') return { ...escape, crlf };
      return { kind: 'class', set: escape.set, fold };
    }
    const { character } = reader;
    const code = reader.code();
    reader.bump();
    if (character === '.') return { kind: 'dot', all, crlf };
    if (character === '^') return { kind: 'assertion', assertion: lines ? 'line-start' : 'text-start', crlf };
    if (character === '$') return { kind: 'assertion', assertion: lines ? 'line-end' : 'text-end', crlf };
    return { kind: 'literal', character: code, fold };
  }

  #group(depth: number): Node {
    const reader = this.#reader;
    const begin = reader.at;
    const unclosed = () => new PatternError('unclosed group', begin, 1, 'escape');
    const outside = reader.flags;
    reader.bumpAndSkip();
    for (const prefix of ['?=', '?!', '?<=', '?<!'])
      if (reader.takes(prefix))
        throw new PatternError(
          'look-around, including look-ahead and look-behind, is not supported',
          begin,
          reader.at - begin,
          'look-around',
        );
    if (reader.takes('?P<') || reader.takes('?<')) this.#name();
    else if (reader.takes('?')) {
      if (reader.ended) throw unclosed();
      const first = reader.at;
      const flags = this.#flags();
      const isWhole = reader.is(')');
      if (isWhole && reader.at === first) throw new PatternError(missing, first - 1, 1, 'escape');
      reader.bump();
      reader.flags = flags;
      if (isWhole) return { kind: 'flags' };
    }
    const node = this.#alternatives(depth + 1);
    if (reader.ended) throw unclosed();
    reader.bump();
    reader.flags = outside;
    return { kind: 'group', node };
  }

  #name(): void {
    const reader = this.#reader;
    const begin = reader.at;
    let name = '';
    while (!reader.is('>')) {
      if (reader.ended) throw new PatternError('unclosed capture group name', begin);
      const allowed = name === '' ? /^[_\p{Alphabetic}]$/u : /^[_.[\]\p{Alphabetic}\p{N}]$/u;
      if (!allowed.test(reader.character)) throw new PatternError('invalid capture group character', reader.at);
      name += reader.character;
      reader.bump();
    }
    if (name === '') throw new PatternError('empty capture group name', begin);
    if (this.#names.has(name)) throw new PatternError('duplicate capture group name', begin, Array.from(name).length);
    this.#names.set(name, begin);
    reader.bump();
  }

  /** Flags up to the colon or the bracket. */
  #flags(): Flags {
    const reader = this.#reader;
    const flags = { ...reader.flags };
    const seen = new Set<string>();
    let isOn = true;
    for (; !reader.is(':') && !reader.is(')'); reader.bump()) {
      const { character } = reader;
      if (reader.ended) throw new PatternError('expected flag but got end of regex', reader.at);
      if (character === '-') {
        if (!isOn) throw new PatternError('flag negation operator repeated', reader.at);
        isOn = false;
      } else if (!'imsUuRx'.includes(character)) throw new PatternError('unrecognized flag', reader.at);
      else if (seen.has(character)) throw new PatternError('duplicate flag', reader.at);
      else this.#set(flags, character, isOn);
      seen.add(character);
    }
    if (reader.characters[reader.at - 1] === '-')
      throw new PatternError('dangling flag negation operator', reader.at - 1);
    return flags;
  }

  #set(flags: Flags, letter: string, isOn: boolean): void {
    const names = { i: 'fold', m: 'lines', s: 'all', U: 'swap', x: 'verbose', R: 'crlf' } as const;
    if (letter !== 'u') flags[names[letter as keyof typeof names]] = isOn;
    else if (!isOn)
      throw new PatternError('only ripgrep knows (?-u), and it isn’t here', this.#reader.at, 1, 'unsupported');
  }

  /** What a repetition stands behind. */
  #repeatable(concat: Node[]): Node {
    const node = concat.pop();
    if (node === undefined || node.kind === 'empty' || node.kind === 'flags')
      throw new PatternError(missing, this.#reader.at, 1, 'escape');
    return node;
  }

  #repeated(concat: Node[]): Node {
    const node = this.#repeatable(concat);
    const { character } = this.#reader;
    this.#reader.bump();
    return this.#repeat(node, character === '+' ? 1 : 0, character === '?' ? 1 : Infinity);
  }

  #repeat(node: Node, least: number, most: number): Node {
    const isLazy = this.#reader.is('?');
    if (isLazy) this.#reader.bump();
    return { kind: 'repeat', node, least, most, greedy: isLazy === this.#reader.flags.swap };
  }

  #counted(concat: Node[]): Node {
    const reader = this.#reader;
    const node = this.#repeatable(concat);
    const begin = reader.at;
    const unclosed = () => new PatternError(unclosedCount, begin, 1, 'escape');
    if (!reader.bumpAndSkip()) throw unclosed();
    const least = reader.decimal();
    if (reader.ended && least !== undefined) throw unclosed();
    if (least === undefined) throw new PatternError(noDecimal, reader.at, 1, 'escape');
    let most = least;
    if (reader.is(',')) {
      if (!reader.bumpAndSkip()) throw unclosed();
      if (reader.is('}')) most = Infinity;
      else {
        const last = reader.decimal();
        if (last === undefined) throw new PatternError(noDecimal, reader.at, 1, 'escape');
        most = last;
      }
    }
    if (!reader.is('}')) throw unclosed();
    if (least > most)
      throw new PatternError(
        'invalid repetition count range, the start must be <= the end',
        begin,
        reader.at + 1 - begin,
        'escape',
      );
    reader.bump();
    return this.#repeat(node, least, most);
  }
}
