/** The parts of a regular expression in the syntax of ripgrep (that of Rust's regex crate), and what can be wrong with one. */

/** A set of characters. */
export type ClassSet =
  | { kind: 'range'; from: number; to: number }
  /** `\d`, `\s`, `\w`. */
  | { kind: 'perl'; name: 'd' | 's' | 'w'; negated: boolean }
  /** `[:alpha:]`. */
  | { kind: 'ascii'; name: string; negated: boolean }
  /** `\p{Greek}`, `\p{scx=Greek}`. */
  | { kind: 'property'; name: string; negated: boolean; at: number; length: number }
  | { kind: 'union'; items: ClassSet[]; negated: boolean }
  | { kind: 'both' | 'without' | 'either'; left: ClassSet; right: ClassSet };

export type Assertion =
  | 'line-start'
  | 'line-end'
  | 'text-start'
  | 'text-end'
  | 'word'
  | 'not-word'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half';

export type Node =
  | { kind: 'empty' }
  /** An inline flag by itself, as `(?i)`. */
  | { kind: 'flags' }
  | { kind: 'literal'; character: number; fold: boolean }
  /** `.`; `all`: also for a line end. */
  | { kind: 'dot'; all: boolean; crlf: boolean }
  | { kind: 'class'; set: ClassSet; fold: boolean }
  | { kind: 'assertion'; assertion: Assertion; crlf: boolean }
  | { kind: 'repeat'; node: Node; least: number; most: number; greedy: boolean }
  | { kind: 'group'; node: Node }
  | { kind: 'concat'; nodes: Node[] }
  | { kind: 'alternatives'; nodes: Node[] };

/** What can help whoever wrote the pattern. `unsupported`: only ripgrep itself knows this. */
export type ProblemKind = 'escape' | 'look-around' | 'newline' | 'unknown-escape' | 'unsupported' | 'other';

export interface PatternProblem {
  reason: string;
  /** The first character of the place, and how many it has; -1 where no place can be named. */
  at: number;
  length: number;
  kind: ProblemKind;
}

/** Thrown inside the parser, caught at its door. */
export class PatternError extends Error {
  readonly problem: PatternProblem;

  constructor(reason: string, at: number, length = 1, kind: ProblemKind = 'other') {
    super(reason);
    this.problem = { reason, at, length, kind };
  }
}

export interface Flags {
  /** i, m, s, U, x, R. */
  fold: boolean;
  lines: boolean;
  all: boolean;
  swap: boolean;
  verbose: boolean;
  crlf: boolean;
}
