/** Rules as settings write them: data, one meaning each. */
import type { Effect } from '../core/index.ts';

/**
 * A rule about calls: it holds for a call (of a command line: for a part of it) that fits everything that it names. `command` is a
 * prefix pattern by words: `*` alone stands for any number of words, within a word for any characters; without `*` at its end
 * nothing may follow.
 */
export interface CallRule {
  /** Said with each verdict of it. */
  name?: string;
  effect: 'allow' | 'ask' | 'deny';
  /** A tool, by name; any when left out. */
  tool?: string;
  command?: string;
  /** A glob for the paths that are touched: relative to the workspace, absolute, or from `~/`. */
  paths?: string;
  /** With `paths`: which access it is about; any when left out. */
  access?: 'read' | 'write';
  /** `name`, `*.name`, `*`, each also with `:port`. */
  hosts?: string[];
  /** Calls with this effect. */
  risk?: Effect;
  /** A program that the part is piped from (`curl` in `curl x | sh`), as a list. */
  pipedFrom?: string[];
  /** Programs whose output the part runs as code, through a pipe or a substitution (`curl` in `bash <(curl x)`), as a list. */
  codeFrom?: string[];
  /** For the model and the person: why, and the way out. */
  reason?: string;
  /** Command lines, or calls as JSON, that it must and must not fit; a rule whose own examples fail isn't loaded. */
  examples?: { match?: string[]; differ?: string[] };
}

/** At most so many tokens, as the provider reports them (input and output), in one run. */
export interface TokenRule {
  kind: 'token-budget';
  tokens: number;
}

/** A change to a file that was last read more than so many turns ago wants a fresh read first. */
export interface StaleReadRule {
  kind: 'stale-read';
  turns: number;
}

export type RuleSetting = CallRule | TokenRule | StaleReadRule;
