/** The shape of the table of programs: data only, so that it can be read, checked and extended without reading logic. */
import type { Effect } from '../../core/index.ts';

/**
 * What a word is to its program.
 * `text`: nothing outside of the program. `read`, `tree`: a path that is read, with all below it. `write`, `change`: a path that is
 * written, with all below it. `destroy`, `raze`: a path whose content goes, with all below it. `host`: a machine. `url`: an address on
 * the network. `remote`: `host:path` or a path that is read; `upload`: the same, written. `place`: a repository: an address,
 * `host:path`, a folder, or a name for one of these. `code`: a program in another language. `program`: a file that is run.
 * `made`: a name in the program's own store that is set (a branch, a package).
 * `script`: a command line for a shell. `command`: this and what follows is a command line without a shell.
 * `shell`: this and what follows is joined to a command line for a shell. `unknown`: can't be told.
 */
export type WordKind =
  | 'text'
  | 'read'
  | 'tree'
  | 'write'
  | 'change'
  | 'destroy'
  | 'raze'
  | 'host'
  | 'url'
  | 'remote'
  | 'upload'
  | 'place'
  | 'made'
  | 'code'
  | 'program'
  | 'script'
  | 'command'
  | 'shell'
  | 'unknown';

/** Options, separated by spaces: `-a --all`. `-#` is a dash and a number. */
export type Names = string;

/** One program, or one of its sub-commands. Without anything: a plain read that takes neither options nor words. */
export interface Program {
  /** What it does in any case; a plain read when left out. */
  effects?: readonly Effect[];
  /** Why it is no plain read, in words: `installs packages`. */
  why?: string;
  /** Hosts that it talks to when nothing else is said. */
  hosts?: readonly string[];
  /** Options without a value that change nothing of the effects. */
  flags?: Names;
  /** Options with a value, attached or as the next word, by what the value is. */
  values?: { readonly [kind in WordKind]?: Names };
  /** Options whose value may be left out and is always attached, by what the value is. */
  attached?: { readonly [kind in WordKind]?: Names };
  /** Options (without a value, unless they stand above, too) that add an effect. */
  acts?: { readonly [effect in Effect]?: Names };
  /** Options under which all paths count with what is below them. */
  recursive?: Names;
  /** What its words are, in order: `text ...read`, `...read write`; `...` stands for any number. None when left out. */
  words?: string;
  /** Its words when one of these options is given (separated by spaces); the first that fits. */
  wordsWith?: { readonly [options: Names]: string };
  /** `getopt`: as GNU programs do. `single`: long options with one dash, no clusters (`find`, `go`). `none`: dashes mean nothing. */
  style?: 'getopt' | 'single' | 'none';
  /** The first word that is no option ends the options. */
  stops?: boolean;
  /** Any option is fine: none of them acts, for certain. */
  anyOption?: boolean;
  /** No option or word of it acts, though logic takes its words apart. */
  isMild?: true;
  /** Sub-commands: the first word that is no option. */
  commands?: { readonly [name: string]: Program };
  /** What it is without a sub-command; a plain read when left out. */
  alone?: Program;
  /** What it is with a first word that is no sub-command; can't be told when left out. */
  other?: Program;
  /** Options that, as the only argument, print something and do nothing else. `--help --version` when left out. */
  helps?: Names;
  /** The same behind a sub-command; `--help` when left out. */
  commandHelps?: Names;
  /** With one of these options (separated by spaces) it is this instead, where this knows all that it is given and none of it acts. */
  looks?: { readonly [options: Names]: Program };
  /** The name of the logic (logic/index.ts) that takes its words apart where data can't say it. */
  logic?: string;
}

export type Programs = { readonly [name: string]: Program };
