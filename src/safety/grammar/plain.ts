/**
 * Lines that mean the same to every shell and every grammar: plain words and plain quotes, in lists and pipes, with redirections. Most
 * lines are of this kind, and none of them needs a parser to be loaded for it.
 */
import type { Piece, Statement, TreeRedirection, Word } from './tree.ts';

const reservedWords = new Set(
  'if then elif else fi for in while until do done case esac select function time coproc export declare local readonly typeset nameref let'.split(
    ' ',
  ),
);
const bare = /[\w./:@%+,=^-]+(?:~+[\w./:@%+,=^-]*)*/y;
const singleQuoted = /'([^'\0-\x1f\x7f]*)'/y;
const doubleQuoted = /"([^"$`\\!\0-\x1f\x7f]*)"/y;
const copied = /&([0-9])(?=[ \t;|]|&&|$)/y;
const operatorAt = /&&|\|\|(?!\|)|\|(?![|&])|;(?!;)/y;
const redirectionAt = />>|>(?![&|(>])|<(?![<&>(])|>(?=&[0-9])|<(?=&[0-9])/y;

class NotPlain extends Error {}

/** The tree of a plain line; undefined for any other. */
export function plainLine(line: string): Statement[] | undefined {
  try {
    return new Reader(line).line();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class Reader {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  line(): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      statements.push(this.#list());
      if (this.#operator() === undefined) break;
      this.#blanks();
      if (this.#at === this.#line.length) break;
    }
    if (this.#at < this.#line.length) throw new NotPlain();
    return statements;
  }

  /** Up to `;` or the end. */
  #list(): Statement {
    let left = this.#pipe();
    for (;;) {
      const operator = this.#peek();
      if (operator !== '&&' && operator !== '||') return left;
      this.#operator();
      left = chained(operator, left, this.#pipe());
    }
  }

  #pipe(): Statement {
    let left = this.#command();
    while (this.#peek() === '|') {
      this.#operator();
      left = chained('|', left, this.#command());
    }
    return left;
  }

  #command(): Statement {
    this.#blanks();
    const start = this.#at;
    let end = start;
    const words: Word[] = [];
    const redirections: TreeRedirection[] = [];
    for (;;) {
      this.#blanks();
      if (this.#at === this.#line.length || this.#peek() !== undefined) break;
      const direct = this.#match(redirectionAt);
      if (direct !== undefined) this.#redirect(direct[0], redirections);
      else this.#wordOrDescriptor(words, redirections);
      end = this.#at;
    }
    const [program] = words;
    if (program === undefined || !isProgram(program)) throw new NotPlain();
    const text = this.#line.slice(start, end);
    return { text, redirections, command: { kind: 'simple', assignments: [], words } };
  }

  /** A number right before a redirection says which descriptor is meant. */
  #wordOrDescriptor(words: Word[], redirections: TreeRedirection[]): void {
    const word = this.#word();
    const direct = /^[0-9]+$/.test(word.source) ? this.#match(redirectionAt) : undefined;
    if (direct === undefined) words.push(word);
    else this.#redirect(direct[0], redirections);
  }

  #redirect(operator: string, redirections: TreeRedirection[]): void {
    const copy = this.#match(copied);
    if (copy !== undefined) {
      const target: Word = { source: copy[1] ?? '', pieces: [{ kind: 'text', text: copy[1] ?? '', quoted: false }] };
      redirections.push({ operator: `${operator}&`, target });
      return;
    }
    this.#blanks();
    redirections.push({ operator, target: this.#word() });
  }

  #word(): Word {
    const start = this.#at;
    const pieces: Piece[] = [];
    for (;;) {
      const text = this.#match(bare);
      const quoted = this.#match(singleQuoted) ?? this.#match(doubleQuoted);
      if (text !== undefined) pieces.push({ kind: 'text', text: text[0], quoted: false });
      if (quoted !== undefined) pieces.push({ kind: 'text', text: quoted[1] ?? '', quoted: true });
      if (text === undefined && quoted === undefined) break;
    }
    if (pieces.length === 0) throw new NotPlain();
    return { source: this.#line.slice(start, this.#at), pieces };
  }

  #blanks(): void {
    while (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t') this.#at += 1;
  }

  #peek(): string | undefined {
    const before = this.#at;
    const operator = this.#operator();
    this.#at = before;
    return operator;
  }

  #operator(): string | undefined {
    this.#blanks();
    return this.#match(operatorAt)?.[0];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }
}

function chained(operator: '&&' | '||' | '|', left: Statement, right: Statement): Statement {
  return { text: '', redirections: [], command: { kind: 'chain', operator, left, right } };
}

/** No assignment, no word of the grammar. */
function isProgram({ source, pieces: [first] }: Word): boolean {
  if (first?.kind !== 'text' || (first.quoted && source.length === 2)) return false;
  return !source.includes('=') && !reservedWords.has(source);
}
