/** What the grammar hands to the table of programs, and what the table says of it. */
import type { Effect, GuessedPath, TouchedPath } from '../../core/index.ts';

/** A word of a simple command. */
export interface Word {
  /** As it is written. */
  source: string;
  /** As the program gets it; null where that can't be told (an expansion of something unknown). */
  text: string | null;
  /** What it begins with for certain, where `text` is null (`--output=` of `--output=$x`). */
  prefix?: string;
  /** Where `text` is null: texts that the line itself names for it. */
  may?: readonly string[];
  /** Programs whose output is in it. */
  from?: readonly string[];
  /** Those of them whose output stands where a command or a statement begins, and would be run were the word code. */
  leads?: readonly string[];
  /** Programs whose output the file holds that it names (`<(...)`). */
  fileFrom?: readonly string[];
  /** What stands in that file, where the line says it (`<(echo x)`). */
  fileText?: string;
  /** Where `text` is null: what it is if the variable that it begins with is empty. */
  bare?: string;
  /** It is a pattern that the shell fills in with names of files: it may become several words, also ones that begin with a dash. */
  isPattern?: boolean;
  /** Where `text` is null: it may become several words, or none (`$x` without quotes, `"$@"`). */
  isSeveral?: boolean;
  /** Where `text` is null: none of the words that it becomes is an option, whatever it is. */
  isNoOption?: boolean;
}

export interface Redirection {
  /** `>`, `>>`, `<`, `<>`, `>|`, `&>`: of `<<`, `<<<` and copies of descriptors there is no file. */
  operator: string;
  target: Word;
}

/** `of`: the programs whose output it holds. */
export type Input = (
  | { from: 'pipe'; program: string | null }
  | { from: 'text'; text: string | null }
  | { from: 'elsewhere' }
) & { of?: readonly string[] };

/** One simple command as it stands in a line. */
export interface Invocation {
  /** The program first; at least one, unless there are only assignments and redirections. */
  words: Word[];
  assignments: { name: string; value: Word }[];
  redirections: Redirection[];
  /** What it reads from: the program before it in a pipe, a text that is known, something else. */
  input: Input;
  /** The folder that it runs in: absolute; null where that can't be told (`cd $x`). */
  folder: string | null;
}

/** What is known of the place in which a command line would run. */
export interface Place {
  /** Real, absolute. */
  folder: string;
  workspace: string;
  home: string;
  /** Of Git at a folder: aliases, and whether its settings make plain commands run programs (fsmonitor, filters, external diffs, hooks of reads). */
  git: (folder: string) => GitFacts;
  /** Scripts of a package at a folder (package.json), by name; undefined where there is none. */
  scripts: (folder: string) => { readonly [name: string]: string } | undefined;
}

export interface GitFacts {
  aliases: { readonly [name: string]: string };
  /** What reading commands would run, in words; undefined for nothing. */
  runs?: string;
  /** Objects may be missing, and are fetched when they are read. */
  fetches?: true;
}

export interface Script {
  text: string | null;
  as: string;
  folder?: string | null;
  /** Its arguments (`$1`, ...), where it gets some. */
  given?: Word[];
}

/** What a simple command would do by itself. What it runs beside itself is taken apart in turn and counts as well. */
export interface Findings {
  effects: Effect[];
  paths: TouchedPath[];
  /** Paths that words may be that can't be told. */
  guesses: GuessedPath[];
  hosts: string[];
  /** Why it is no plain read, or can't be told. */
  reason?: string;
  /** Command lines that it runs without a shell (`env`, `xargs`, `find -exec`), and in which folder where that is another one. */
  runs: { words: Word[]; as: string; folder?: string | null }[];
  /** Words that are code. */
  code: Word[];
  /** Words that name files, or addresses, that it runs. */
  programs: Word[];
  /** It runs what it reads. */
  runsInput?: true;
  /** Words that can't be told and name what it writes. */
  written: Word[];
  /** Text that it runs as a shell would (`sh -c`, `eval`, an npm script, a Git alias with `!`); null where the text can't be told. */
  scripts: Script[];
}
