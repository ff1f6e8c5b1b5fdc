/** What the harness offers to those who embed it and to the surfaces. */
import type {
  Approver,
  CheckFinding,
  Damage,
  DefinerChange,
  Event,
  EventData,
  EventId,
  Items,
  Limits,
  Mode,
  ModelSettings,
  Notification,
  Outcomes,
  PlanDecision,
  Rule,
  StopReason,
  Usage,
  View,
  WorkItem,
} from '../core/index.ts';
import type { CallHook, Tool } from '../tools/index.ts';
import type { ReportParts } from './report-types.ts';

/** A scope contract. Paths are globs, relative to the workspace. */
export interface Contract {
  /** Nothing else may be changed. */
  allowed?: string[];
  /** Beats what is allowed. */
  forbidden?: string[];
  /** Shapes of calls that are asked about. */
  ask?: string[];
  /** Commands that accept the work, besides the checks. */
  acceptance?: string[];
  /** Minutes of running; a lower limit holds. */
  minutes?: number;
}

/** Settings given for one run: the strongest layer. */
export interface RunSettings {
  /** A profile by its name (docs/profiles.md): settings below all others that are given here. */
  profile?: string;
  /** A settings file, whose values stand below the others that are given here; relative to the process's folder. */
  settingsFrom?: string;
  /** Exactly these tools. */
  tools?: string[];
  /** `provider/model`, a bare model name, `script:FILE` to rehearse a scenario, or `replay:DIR` to play a recording back. */
  model?: string;
  /** How the models of this run work, over what the settings say of them. */
  effort?: ModelSettings['effort'];
  thinking?: ModelSettings['thinking'];
  temperature?: number;
  topP?: number;
  mode?: Mode;
  /** Commands that prove the work; 'waived' (`--check none`) completes without proof, and says so. */
  checks?: string[] | 'waived';
  /** What the run may change, and what accepts its work. */
  contract?: Contract;
  /** What a judge must find met before the run is completed. */
  goal?: string;
  /** What defines a check may be changed in this run: tests, scripts, configuration. */
  allowTestChanges?: boolean;
  /** Shapes (docs/rules.md) that pass or are refused in this run. */
  allow?: string[];
  deny?: string[];
  /** Where nobody is there to be asked: a question is a no (`deny`), or the run stops `waiting` for an answer (`wait`). */
  onAsk?: 'deny' | 'wait';
  limits?: Partial<Limits>;
  /** How the model is asked to write: `default`, `concise`, `explanatory`, or a file of the user's (docs/prompt.md). */
  style?: string;
  /** Whether the prompt shows what the repository looks like at the start. */
  preamble?: boolean;
  /** The map of the repository (docs/map.md): in the prompt, as a tool, and of how many tokens. */
  map?: { prompt?: boolean; tool?: boolean; tokens?: number };
  /** Added to the prompt of this run, at most 32 KiB. */
  appendPrompt?: string;
  /** Where the provider of the model is and what it is told; the user's own side only. */
  endpoint?: { baseUrl?: string; apiKey?: string; headers?: { [name: string]: string } };
}

/** A model server on this machine that answers. */
export interface LocalServer {
  provider: string;
  baseUrl: string;
  /** Names as the server gives them, as far as they are plain. */
  models: LocalModel[];
}

export interface LocalModel {
  name: string;
  /** Context window in tokens, where the server says. */
  window?: number;
}

export interface SessionOptions {
  /** The workspace folder; `workspace-missing` when it isn't one. A resumed session has its own; another one is refused. */
  workspace: string;
  /** Environment variables; the process's own by default. */
  env?: { [name: string]: string | undefined };
  settings?: RunSettings;
  /** Trust what the workspace's own settings name, for this session's runs in this process; nothing of it is remembered. */
  trust?: boolean;
  /** Asked where the workspace's own settings aren't trusted and name something that counts only then. A yes is remembered for this content. */
  confirmTrust?: (question: TrustQuestion) => Promise<boolean>;
  /**
   * Keep each exchange with a model as a cassette in this folder (docs/replay.md). A new session wants a folder without cassettes;
   * `cassette-unwritable` when one can't be written.
   */
  record?: string;
  /** Continue this session (an id, or a unique part of one or of a title), or the latest of the workspace. */
  resume?: string | { latest: true };
  /** What will be said first, where that is known: a map in the prompt is ranked by it, and a secret in it is refused before there is a session. */
  task?: string;
  /** More tools, made with `defineTool` of `reins/tools`. */
  tools?: readonly Tool[];
  /** Names of built-in tools (or of `tools`) that are meant to be replaced by a later one of the same name. */
  replaceTools?: readonly string[];
  /** Functions that may block or rewrite a call before its verdict, or append to its result (docs/tools.md). */
  hooks?: readonly CallHook[];
  /** Leave out the built-in tools. */
  builtinTools?: boolean;
  /** Replaces the default rules. */
  rules?: readonly Rule[];
  /** Who may allow a call; without one an ask is a denial that the model is told about. */
  approver?: Approver;
  /**
   * Asked for a model (`provider/model`) of the local servers that answer, when none is configured and no key is there. Without it,
   * or without an answer, none is taken.
   */
  chooseModel?: (servers: readonly LocalServer[]) => Promise<string | undefined>;
  onEvent?: (event: Event) => void;
  onNotification?: (notification: Notification) => void;
}

/** A question that waits for an answer, by its id. */
export type OpenQuestion = { id: EventId } & EventData['ask'];

/** Settings of a workspace, or a profile of it, that wait for the user's trust. Texts are the repository's own: to be made printable. */
export interface TrustQuestion {
  file: string;
  /** It is about this profile of the workspace, not about its settings. */
  profile?: string;
  /** What counts only once trusted, each as `key value`. */
  leftOut: string[];
  /** All of the file. */
  content: string;
  /** Something was trusted here before, since when (ISO 8601), and what differs as a unified diff; empty where it isn't kept any more. */
  changed?: { since?: string; difference: string };
}

/** What came of a check when it ran last. */
export interface CheckResult {
  command: string;
  passed: boolean;
  outcome: EventData['evidence']['outcome'];
  exit: number | null;
  /** Milliseconds. */
  elapsed: number;
  /** The event up to which it covers what happened, and whether nothing of its paths has changed since. */
  covers: EventId;
  fresh: boolean;
  /** Globs of the paths that it is about; absent: all. */
  paths?: string[];
  /** It keeps no run from completing. */
  advisory?: true;
  /** SHA-256 of the blob with its whole output, where the log holds only a part. */
  blob?: string;
  /** What failed and where, as far as its output tells. */
  findings?: CheckFinding[];
  /** What defines it and was changed in the run, and what was done to it. */
  definersChanged?: string[];
  redefined?: DefinerChange[];
}

/** How a run ended, for people and programs alike; the last line of `--json` is this. */
export interface RunOutcome {
  outcome: StopReason;
  /** The exit code that belongs to it (docs/loop.md). */
  exit: number;
  code?: string;
  detail: string;
  /** What can be done about an end by a provider or an error (docs/errors.md). */
  wayOut?: string;
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
  /** The part of the cost that no provider reported. */
  estimated?: number;
  changed: string[];
  /** The last evidence of each check. */
  evidence: CheckResult[];
  /** What the model’s own commands prove, where no check is set up for what changed. */
  ownChecks?: Pick<EventData['own-checks'], 'proves' | 'commands' | 'why' | 'redefined'>;
  /** What the judge said last of the run’s goal. */
  judgement?: Pick<EventData['judgement'], 'goal' | 'ruling' | 'reason'>;
  /** Paths that changed and that no required check covers, where there are any. */
  unchecked?: string[];
  /** Checks were waived by `--check none`. */
  checksWaived: boolean;
  denials: { tool: string; by: string; reason: string }[];
  /** The plan of mode plan, once it is reviewed: what was decided, and in which mode the session goes on. */
  plan?: { file: string; decision?: PlanDecision; mode?: Mode };
  /** Questions that wait for an answer, where there are any. */
  questions?: OpenQuestion[];
  resumable: boolean;
  /** The file with the report (docs/report.md); absent where it could not be written. */
  report?: string;
}

/** All that a run leaves to be known, for people and programs alike. */
export interface RunReport extends Omit<RunOutcome, 'changed' | 'denials' | 'report'>, ReportParts {}

/** One session, held for driving. */
export interface Session {
  readonly id: string;
  readonly folder: string;
  readonly view: View;
  /** Things that a person should know before the first request (untrusted settings, damage, no sandbox), each with a code. */
  readonly notices: EventData['notice'][];
  /** Records an input, with images (the bytes of PNG, JPEG, GIF or WebP files). Rejects with `usage-arguments` for what can't be said. */
  say(text: string, from?: 'user' | 'steer' | 'follow-up', images?: readonly Uint8Array[]): Promise<void>;
  /**
   * Goes on with another model (`provider/model`) from the next request on, also in the middle of a run; `by` says in the log who
   * wanted it. Rejects with `model-unknown`, `key-missing` and `rate-missing`, and nothing has changed then.
   */
  switchModel(name: string, by?: string): Promise<void>;
  /**
   * Has older turns give way to a summary now, which looks at `focus` above all (docs/compaction.md). Gives what was recorded; undefined
   * where nothing would be gained, or when it was cancelled meanwhile. Rejects with `usage-arguments` for a focus that is too long.
   */
  compact(focus?: string): Promise<EventData['compaction'] | undefined>;
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
  /** All that has come of it so far (docs/report.md); `run` leaves the same as `report.json` in the folder. */
  report(): Promise<RunReport>;
  /**
   * Ends everything that was started and lets go of the lock. With `dropUnused` a new session in which nothing was said leaves
   * nothing behind.
   */
  close(options?: { dropUnused?: boolean }): Promise<{ isUnused: boolean }>;
}

export interface SessionSummary {
  id: string;
  /** What a person calls it, else the first line of its task. */
  title: string;
  /** A person gave the title. */
  named: boolean;
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
