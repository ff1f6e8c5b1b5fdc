/**
 * The part of Starlark that files of rules use: calls at the top level with literals as arguments, and names for literals. What
 * computes (functions, loops, loads) is told by its line and passed over.
 */

export type Value = string | number | boolean | null | Value[];

export interface Call {
  line: number;
  name: string;
  /** The call as it is written. */
  text: string;
  named: { [name: string]: Value };
  /** Arguments without a name. */
  plain: Value[];
}

export interface Unread {
  line: number;
  text: string;
  why: string;
}

interface Token {
  kind: 'name' | 'text' | 'number' | 'sign' | 'end';
  text: string;
  at: number;
}

export function readStarlark(source: string): { calls: Call[]; unread: Unread[] } {
  return new Reader(source).read();
}

class Reader {
  readonly #source: string;
  readonly #names = new Map<string, Value>();
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): { calls: Call[]; unread: Unread[] } {
    const calls: Call[] = [];
    const unread: Unread[] = [];
    for (;;) {
      const at = this.#skipBlanks();
      if (at >= this.#source.length) return { calls, unread };
      try {
        const call = this.#statement();
        if (call !== undefined) calls.push(call);
      } catch (error) {
        this.#at = at;
        this.#skipStatement();
        const text = this.#source.slice(at, this.#at).trim();
        unread.push({ line: this.#lineOf(at), text, why: (error as Error).message });
      }
    }
  }

  /** `name = value` or `name(...)`. */
  #statement(): Call | undefined {
    const name = this.#next();
    if (name.kind !== 'name') throw new Error(`a statement can’t begin with ${shown(name)}`);
    if (computing.has(name.text)) throw new Error(`\`${name.text}\` computes; only literals are read`);
    const sign = this.#next();
    if (sign.text === '=') {
      this.#names.set(name.text, this.#value());
      return undefined;
    }
    if (sign.text !== '(') throw new Error(`${shown(sign)} after \`${name.text}\` is no call`);
    const named: Call['named'] = {};
    const plain: Value[] = [];
    while (this.#peek().text !== ')') {
      const argument = this.#argumentName();
      if (argument === undefined) plain.push(this.#value());
      else named[argument] = this.#value();
      if (this.#peek().text === ')') break;
      this.#expect(',');
    }
    this.#expect(')');
    const text = this.#source.slice(name.at, this.#at);
    return { line: this.#lineOf(name.at), name: name.text, text, named, plain };
  }

  #argumentName(): string | undefined {
    const start = this.#at;
    const name = this.#next();
    if (name.kind === 'name' && this.#peek().text === '=') {
      this.#next();
      return name.text;
    }
    this.#at = start;
    return undefined;
  }

  /** Literals, one after another with `+` between them. */
  #value(): Value {
    let value = this.#literal();
    while (this.#source.charAt(this.#skipBlanks()) === '+') {
      this.#next();
      const more = this.#literal();
      if (typeof value === 'string' && typeof more === 'string') value += more;
      else if (Array.isArray(value) && Array.isArray(more)) value = [...value, ...more];
      else throw new Error('`+` joins texts or lists');
    }
    return value;
  }

  #literal(): Value {
    const token = this.#next();
    if (token.kind === 'text') return token.text;
    if (token.kind === 'number') return Number(token.text);
    if (token.text === '[' || token.text === '(') return this.#list(token.text === '[' ? ']' : ')');
    if (token.kind !== 'name') throw new Error(`${shown(token)} is no literal`);
    if (token.text === 'None') return null;
    if (token.text === 'True' || token.text === 'False') return token.text === 'True';
    const value = this.#names.get(token.text);
    if (value === undefined) throw new Error(`\`${token.text}\` is no literal`);
    return value;
  }

  #list(end: string): Value[] {
    const items: Value[] = [];
    while (this.#peek().text !== end) {
      items.push(this.#value());
      if (this.#peek().text === end) break;
      this.#expect(',');
    }
    this.#expect(end);
    return items;
  }

  #expect(text: string): void {
    const token = this.#next();
    if (token.text !== text || token.kind === 'text') throw new Error(`${shown(token)} where \`${text}\` was expected`);
  }

  #peek(): Token {
    const start = this.#at;
    const token = this.#next();
    this.#at = start;
    return token;
  }

  #next(): Token {
    const at = this.#skipBlanks();
    if (at >= this.#source.length) return { kind: 'end', text: '', at };
    const quote = /r?("""|'''|"|')/y;
    quote.lastIndex = at;
    const opened = quote.exec(this.#source);
    if (opened !== null) return this.#text(at, opened[1] ?? '"', opened[0].startsWith('r'));
    const word = /([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?)|[^]/y;
    word.lastIndex = at;
    const [text = '', name, number] = word.exec(this.#source) ?? [];
    this.#at = at + text.length;
    const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : 'sign';
    return { kind, text, at };
  }

  /** Where the next token begins. */
  #skipBlanks(): number {
    const blanks = /(?:[\s;]|\\\n|#[^\n]*)*/y;
    blanks.lastIndex = this.#at;
    blanks.test(this.#source);
    this.#at = blanks.lastIndex;
    return this.#at;
  }

  #text(at: number, quote: string, isRaw: boolean): Token {
    const start = at + quote.length + (isRaw ? 1 : 0);
    let text = '';
    for (let index = start; index < this.#source.length; index += 1) {
      const character = this.#source.charAt(index);
      if (this.#source.startsWith(quote, index)) {
        this.#at = index + quote.length;
        return { kind: 'text', text, at };
      }
      if (character === '\n' && quote.length === 1) break;
      if (character !== '\\' || isRaw) {
        text += character;
        continue;
      }
      index += 1;
      const escaped = this.#source.charAt(index);
      text += escapes[escaped] ?? `\\${escaped}`;
    }
    throw new Error('a text isn’t closed');
  }

  /** To the end of what began here: the end of a line that has no open bracket, indented lines that follow included. */
  #skipStatement(): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const start = this.#at;
      const line = /[^\n]*\n?/y;
      line.lastIndex = start;
      line.test(this.#source);
      const text = this.#source.slice(start, line.lastIndex).replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#.*/g, '');
      depth += (text.match(/[([{]/g) ?? []).length - (text.match(/[)\]}]/g) ?? []).length;
      this.#at = line.lastIndex;
      if (depth <= 0 && !/^[ \t]+\S/.test(this.#source.slice(this.#at))) return;
    }
  }

  #lineOf(at: number): number {
    return this.#source.slice(0, at).split('\n').length;
  }
}

const computing = new Set(['def', 'for', 'while', 'if', 'elif', 'else', 'load', 'return', 'lambda', 'pass', 'not']);
const escapes: { [character: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '\n': '',
};

function shown({ kind, text }: Token): string {
  return kind === 'end' ? 'the end of the file' : `\`${text.slice(0, 40)}\``;
}
