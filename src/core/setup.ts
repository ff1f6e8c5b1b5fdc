/** The standing part of a run: what its requests have in common and what it may use. Frozen for the run. */
import type { SetupInstructions } from './instructions.ts';
import type { JsonObject, ToolSpec } from './messages.ts';

export type Mode = 'plan' | 'ask' | 'edit' | 'auto' | 'unsafe';

/** Dollars for a million tokens of each kind, and where and when the figures were read. */
export interface Rates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWriteHour?: number;
  /** What a request costs whose whole input is larger than so many tokens. */
  above?: { tokens: number; input: number; output: number; cacheRead: number; cacheWrite: number };
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
  /** Tokens of one run, input and output, as providers report them; absent: as many as it takes. */
  tokens?: number;
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
  /** What defines it by convention: a test that was there, and settings that are there or appear. Absent: nothing is known. */
  watches?: { tests: string[]; configuration: string[] };
  /** Globs of the paths that need it, with exceptions by `!`; absent: all. */
  paths?: string[];
  /** When it runs: after each edit and at the stop, or at the end, once every other check has passed; absent: at the stop. */
  when?: 'each-edit' | 'end';
  /** It never keeps a run from completing. */
  advisory?: boolean;
}

type Unsent = 'auth' | 'quota' | 'overflow' | 'content' | 'protocol';
/** What went wrong with a provider. `wait`: a limit that passes, mostly at a time that the provider names. */
export type FailureClass = 'retryable' | 'wait' | 'broken-stream' | 'unreachable' | 'cancelled' | Unsent;

/** What a request is for. */
export type Role = 'work' | 'plan' | 'summary' | 'reviewer' | 'judge';

/** Effort, thinking and sampling, in neutral words; a wire casts them to what it knows and leaves out what it doesn't. */
export interface ModelSettings {
  effort?: 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** A number is a budget of tokens. */
  thinking?: 'off' | 'adaptive' | number;
  temperature?: number;
  topP?: number;
  /** Further keys of the body, for this provider only, as they are. */
  body?: JsonObject;
}

/** How a model edits files: exact replacement, a patch, lines named by their tags, or only whole files. */
export type EditFormat = 'replace' | 'patch' | 'tagged' | 'whole';

/** What a model can do, as far as a wire must know. */
export interface Abilities {
  images: boolean;
  /** The efforts that it can be told; empty where it can't. */
  efforts: string[];
  /** How it is told to think: by a budget of tokens, by itself, either, or not at all. */
  thinking: 'none' | 'budget' | 'adaptive' | 'either';
  /** The least budget of thinking in tokens, where it can't be switched off. */
  leastThinking?: number;
  /** Whether it takes temperature and top-p. */
  sampling: boolean;
  /** Whether the harness may speak in the middle of the conversation with a voice of its own. */
  systemMessages: boolean;
  /** Whether tools that are deferred can be found by the wire’s own means. Absent in older logs. */
  toolSearch?: boolean;
  /** The edit format that it does best with. */
  edits: EditFormat;
}

/** Whom a request goes to, and what it may hold and cost there. */
export interface Target {
  provider: string;
  wire: string;
  model: string;
  /** The vendor's dialect of the wire, where it has several (docs/wires.md). */
  profile?: string;
  settings: ModelSettings;
  abilities: Abilities;
  /** Context window in tokens. */
  window: number;
  /** The most output tokens of one reply. */
  maxOutput: number;
  rates?: Rates;
}

/** When a route is taken; all that is given must hold. Without a failure, role, effort or cost it is taken after any failure that another model may not have. */
export interface RouteCondition {
  /** The model before it failed in one of these ways, and no further try is due. */
  failure?: FailureClass[];
  /** With `failure`: after this many failed tries already. */
  tries?: number;
  role?: Role;
  /** The effort that is set for the model of the setup. */
  effort?: string[];
  /** The session has spent this much, in dollars. */
  costAbove?: number;
}

export interface Route extends Target {
  when: RouteCondition;
}

/** Which paths a run may change: globs, relative to the workspace. */
export interface PathScope {
  /** Nothing else may be changed; absent: everything. */
  allowed?: string[];
  /** Beats what is allowed. */
  forbidden?: string[];
}

export interface SetupData extends Target {
  reins: string;
  /** The profile of the run, and the SHA-256 of its file where it has one; absent in older logs. */
  runProfile?: { name: string; source: 'shipped' | 'user' | 'project'; file?: string; hash?: string };
  /** The layers of the system prompt, most stable first; each ends a cacheable part. */
  system: string[];
  /** What each layer is, in the same order; absent in older logs. */
  layers?: string[];
  /** The instruction files whose texts are in the prompt; absent in older logs. */
  instructions?: SetupInstructions;
  tools: ToolSpec[];
  mode: Mode;
  /** In mode plan, where a plan can be written: what the model knows its file by, the one that it may write. */
  planFile?: string;
  limits: Limits;
  retries: RetryPolicy;
  /** Checks frozen for the run; 'waived' by `--check none`. */
  checks: Check[] | 'waived';
  /** What defines a check may be changed in this run (`--allow-test-changes`). */
  allowTestChanges?: boolean;
  /** Which paths the run may change. */
  scope?: PathScope;
  /** What a judge must find met before the run is completed. */
  goal?: string;
  /** Other models, in the order in which they are considered. */
  routes?: Route[];
  /** The setup only changes the model in the middle of a run: what is counted for the run goes on. */
  switched?: { from: string; by: string };
}
