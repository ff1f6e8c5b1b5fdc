/** What the harness offers to those who embed it and to the surfaces. */
import type {
  Approver,
  Damage,
  Event,
  EventData,
  Items,
  Limits,
  Mode,
  Notification,
  Outcomes,
  Rule,
  StopReason,
  Usage,
  View,
  WorkItem,
} from '../core/index.ts';
import type { CallHook, Tool } from '../tools/index.ts';

/** Settings given for one run: the strongest layer. */
export interface RunSettings {
  /** `provider/model`, a bare model name, or `script:FILE` to rehearse a scenario. */
  model?: string;
  mode?: Mode;
  /** Commands that prove the work; 'waived' (`--check none`) completes without proof, and says so. */
  checks?: string[] | 'waived';
  /** Shapes (docs/tools.md) that pass or are refused in this run. */
  allow?: string[];
  deny?: string[];
  limits?: Partial<Limits>;
  /** Where the provider is and what it is told; the user's own side only. */
  endpoint?: { baseUrl?: string; apiKey?: string; headers?: { [name: string]: string } };
}

export interface SessionOptions {
  /** The workspace folder; `workspace-missing` when it isn't one. A resumed session has its own; another one is refused. */
  workspace: string;
  /** Environment variables; the process's own by default. */
  env?: { [name: string]: string | undefined };
  settings?: RunSettings;
  /** Trust what the workspace's own settings name (recorded for this content). */
  trust?: boolean;
  /** Continue this session (an id, or a unique beginning of one), or the latest of the workspace. */
  resume?: string | { latest: true };
  /** More tools, made with `defineTool` of `reins/tools`. */
  tools?: readonly Tool[];
  /** Functions that may block or rewrite a call before its verdict, or append to its result (docs/tools.md). */
  hooks?: readonly CallHook[];
  /** Leave out the built-in tools. */
  builtinTools?: boolean;
  /** Replaces the default rules. */
  rules?: readonly Rule[];
  /** Who may allow a call; without one an ask is a denial that the model is told about. */
  approver?: Approver;
  onEvent?: (event: Event) => void;
  onNotification?: (notification: Notification) => void;
}

/** How a run ended, for people and programs alike; the last line of `--json` is this. */
export interface RunOutcome {
  outcome: StopReason;
  /** The exit code that belongs to it (docs/loop.md). */
  exit: number;
  code?: string;
  detail: string;
  /** The model's last words, when it ended on its own. */
  answer?: string;
  session: string;
  /** Path of the log, and the hash of its last line for `reins log --verify`. */
  log: string;
  head: string;
  turns: number;
  calls: number;
  usage: Usage;
  /** Dollars; absent when something that was spent has no price. */
  cost?: number;
  changed: string[];
  evidence: { command: string; passed: boolean; outcome: EventData['evidence']['outcome'] }[];
  /** Checks were waived by `--check none`. */
  checksWaived: boolean;
  denials: { tool: string; by: string; reason: string }[];
  resumable: boolean;
}

/** One session, held for driving. */
export interface Session {
  readonly id: string;
  readonly folder: string;
  readonly view: View;
  /** Things that a person should know before the first request (untrusted settings, damage, no sandbox), each with a code. */
  readonly notices: EventData['notice'][];
  /** Records an input. */
  say(text: string, from?: 'user' | 'steer' | 'follow-up'): Promise<void>;
  /** Drives the session to a stop or a wait. */
  run(): Promise<RunOutcome>;
  /** Pull instead of push: the next work item, and its outcome. */
  step(): Promise<WorkItem>;
  settle<K extends keyof Outcomes>(item: Items[K], outcome: Outcomes[K]): Promise<void>;
  /** Records a cancel; what runs is ended at once. */
  cancel(by: string, signal?: 'SIGINT' | 'SIGTERM'): Promise<void>;
  /** Unified diff of what changed in the workspace since its commit, for people; empty without Git. */
  diff(): Promise<string>;
  outcome(): RunOutcome;
  /** Ends everything that was started and lets go of the lock. */
  close(): Promise<void>;
}

export interface SessionSummary {
  id: string;
  workspace: string;
  task: string;
  startedAt: number;
  lastAt: number;
  /** How it ended last, or 'running' or 'interrupted'. */
  state: string;
  damaged: boolean;
}

export interface Verification {
  problems: { line: number; what: string }[];
  /** SHA-256 of the last line; null for an empty log. */
  head: string | null;
  lines: number;
  given?: { line: number; after: number } | null;
}

/** A session for readers: nothing is written, no lock is taken. */
export interface SessionReader {
  id: string;
  folder: string;
  items(): Iterable<Event | Damage>;
  /** Every item so far and then each new one as it is appended. */
  follow(signal: AbortSignal): AsyncIterable<Event | Damage>;
  /** The exact bytes of request N (from 1, in the order of the log). */
  request(n: number): Promise<Uint8Array>;
  /** Chain, fingerprints and blobs; with a hash also whether and where the log holds it (null: nowhere). */
  verify(hash?: string): Promise<Verification>;
}
