/** The standing part of a run: what its requests have in common and what it may use. Frozen for the run. */
import type { JsonObject, ToolSpec } from './messages.ts';

export type Mode = 'plan' | 'ask' | 'edit' | 'auto' | 'unsafe';

/** Dollars for a million tokens of each kind, and where and when the figures were read. */
export interface Rates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWriteHour?: number;
  /** ISO date of the rate card. */
  dated: string;
  source: string;
}

/** Limits of a session; null lifts one. */
export interface Limits {
  turns: number | null;
  calls: number | null;
  /** Minutes of running; waiting for a person doesn't count. */
  minutes: number | null;
  /** Dollars; holds only on a model with a rate. */
  cost: number | null;
  /** Output tokens offered to one turn. */
  outputTokens: number;
}

export interface RetryPolicy {
  attempts: number;
  minutes: number;
  /** Tries for a stream that broke and for a host that can't be reached. */
  brokenStream: number;
  /** First pause in milliseconds; it doubles up to a minute, jittered. */
  firstPause: number;
}

/** What defines a check: a file (or a part of it) whose change in a run makes the evidence worthless. */
export interface Definer {
  path: string;
  /** SHA-256 of what defines the check, null where the file didn't exist at setup. */
  hash: string | null;
}

export interface Check {
  command: string;
  from: 'command-line' | 'user' | 'project';
  /** Milliseconds. */
  timeout: number;
  definers: Definer[];
}

export interface SetupData {
  reins: string;
  provider: string;
  wire: string;
  model: string;
  /** Effort, thinking and sampling, as the wire takes them. */
  settings: JsonObject;
  /** The layers of the system prompt, most stable first; each ends a cacheable part. */
  system: string[];
  tools: ToolSpec[];
  mode: Mode;
  limits: Limits;
  retries: RetryPolicy;
  /** Checks frozen for the run; 'waived' by `--check none`. */
  checks: Check[] | 'waived';
  /** Context window in tokens, and whether that is an assumption about an unknown model. */
  window: number;
  rates?: Rates;
}
