/** A command line as a tree of plain data: what the analysis walks over, whichever parser made it. */

/** A piece of a word. `quoted`: no splitting into words and no patterns of names in it. */
export type Piece =
  | { kind: 'text'; text: string; quoted: boolean }
  /** `$name`, or with a value to fall back to: `${name:-operand}` and its like. */
  | { kind: 'variable'; name: string; quoted: boolean; operator?: FallbackOperator; operand?: Word }
  /** An expansion whose value can't be told; `words` lie in it. `evaluates`: its value is run as code or may be, and why. */
  | { kind: 'opaque'; quoted: boolean; words: Word[]; evaluates?: string; isNumber?: true; of?: Made }
  | { kind: 'substitution'; as: string; quoted: boolean; body: Statement[] }
  | { kind: 'arithmetic'; quoted: boolean; expression: Arithmetic }
  /** `@(a|b)` and its like: a pattern of names. */
  | { kind: 'pattern'; source: string };

/** The variable that an expansion is made of, and what is taken away from its value. */
export interface Made {
  name: string;
  trim?: string;
  operand?: Word;
}

export type FallbackOperator = '-' | ':-' | '=' | ':=' | '+' | ':+';

export interface Word {
  source: string;
  pieces: Piece[];
}

/** What an arithmetic expression refers to: bare names (whose values are evaluated in turn), those that it sets, and words in it. */
export interface Arithmetic {
  names: string[];
  sets: string[];
  words: Word[];
}

export interface Assignment {
  name: string;
  append?: true;
  value?: Word;
  /** Of an array. */
  elements?: Word[];
  index?: Arithmetic;
}

export interface TreeRedirection {
  /** As it is written, without the descriptor: `>`, `<<`, `>&`, ... */
  operator: string;
  target: Word;
  /** The text of a heredoc. */
  body?: Word;
}

export interface Statement {
  /** As it is written; empty for what holds other statements. */
  text: string;
  background?: true;
  /** `!` stands in front of it. */
  negated?: true;
  redirections: TreeRedirection[];
  command?: Command;
}

export type Command =
  | { kind: 'simple'; assignments: Assignment[]; words: Word[] }
  /** `export`, `declare`, ...: `words` are its arguments that set nothing. */
  | { kind: 'declaration'; program: Word; assignments: Assignment[]; words: Word[] }
  | { kind: 'chain'; operator: '&&' | '||' | '|' | '|&'; left: Statement; right: Statement }
  | { kind: 'group'; body: Statement[] }
  | { kind: 'subshell'; body: Statement[] }
  | { kind: 'if'; branches: { condition: Statement[]; body: Statement[] }[] }
  /** `words`: what a `for` or `select` goes through; left out: the arguments. */
  | { kind: 'loop'; variable?: string; words?: Word[]; head: Statement[]; expressions: Arithmetic[]; body: Statement[] }
  | { kind: 'case'; word: Word; items: { patterns: Word[]; body: Statement[] }[] }
  | { kind: 'function'; name: string; body: Statement }
  | { kind: 'arithmetic'; expression: Arithmetic; isLet?: true }
  /** `[[ ]]`. */
  | { kind: 'test'; words: Word[]; numeric: Arithmetic }
  | { kind: 'time'; statement?: Statement }
  | { kind: 'coproc'; statement: Statement };

/** What can't be taken apart, and why. */
export interface Unclear {
  unclear: string;
}
