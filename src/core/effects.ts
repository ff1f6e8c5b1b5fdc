/** What a call would do, as far as it can be told before it is done. */

export type Effect = 'read' | 'write' | 'execute' | 'network' | 'destroy' | 'cannot-tell';

/** A path that a part of a command touches. */
export interface TouchedPath {
  access: 'read' | 'write' | 'destroy';
  /** Absolute; real (links resolved as far as it exists) where the analysis could look. A pattern of the shell (`*.ts`) stays one. */
  path: string;
  /** All that is below it, too. */
  recursive?: boolean;
}

/** A path that a part may touch: a text that the line names for it, or what is left where a variable is empty. */
export interface GuessedPath extends TouchedPath {
  because: 'named' | 'empty';
}

/** One simple command of a command line, wherever in it that stands. */
export interface CommandPart {
  /** As it is written in the line. */
  text: string;
  /** Program and arguments as the program would get them; null for a word that can't be told. */
  words: (string | null)[];
  effects: Effect[];
  paths: TouchedPath[];
  /** Where a word can't be told: paths that it may be, as far as the line names them. */
  guesses?: GuessedPath[];
  /** Hosts that it would talk to, as far as they are named: `name` or `name:port`. */
  hosts: string[];
  /** What it stands in, from the outside in: `sh -c`, `$(...)`, `xargs`, ... */
  inside: string[];
  /** The program that it is piped from, where it is (`curl` in `curl x | sh`). */
  pipedFrom?: string;
  /** Programs whose output it runs as code, however that got there: a pipe, a substitution, a variable, a file. */
  codeFrom?: string[];
  /** Why it is no plain read, in words. */
  reason?: string;
}

/** A command line, taken apart. */
export interface CommandAnalysis {
  parts: CommandPart[];
  /** Why the whole line can't be told apart (it isn't valid, two grammars differ, the analysis failed); then `parts` may be incomplete. */
  unclear?: string;
}
