/** The settings in force: every value has one, with the defaults where nobody said otherwise. */
import type {
  Abilities,
  Check,
  EditFormat,
  EventData,
  Limits,
  Mode,
  ModelSettings,
  Rates,
  RetryPolicy,
  RouteCondition,
} from '../core/index.ts';
import type { FileSettings } from './schema.ts';

export type Effort = NonNullable<FileSettings['effort']>;
export type Thinking = NonNullable<FileSettings['thinking']>;

/** Milliseconds. */
export interface Timeouts {
  connect: number;
  firstByte: number;
  silence: number;
}

export interface Endpoint {
  /** Absent: the provider's own address. */
  baseUrl?: string;
  /** The environment variable that holds the key; absent: the provider's own. */
  keyVariable?: string;
  headers: { [name: string]: string };
}

/** What the user knows of a model. */
export interface ModelFacts {
  window?: number;
  maxOutput?: number;
  rates?: Rates;
  abilities?: Partial<Abilities>;
}

export interface ProviderSettings {
  wire?: string;
  /** The dialect of Chat Completions. */
  profile?: string;
  baseUrl?: string;
  /** How the key is sent; absent: as the wire does it. */
  auth?: 'bearer' | 'x-api-key' | 'x-goog-api-key' | 'api-key' | 'none';
  keyVariable?: string;
  /** Prints the key: a line for the shell, or a program and its arguments. */
  apiKeyCommand?: string | string[];
  headers?: { [name: string]: string };
  settings?: ModelSettings;
  models?: { [model: string]: ModelFacts & { settings?: ModelSettings } };
}

export type Phase = 'planning' | 'working' | 'summarising' | 'reviewing' | 'judging';
export type PhaseSettings = { model?: string } & Omit<ModelSettings, 'body'>;

export interface RouteSettings {
  /** `provider/model`. */
  model: string;
  when?: RouteCondition;
}

export interface InstructionSettings {
  enabled: boolean;
  /** Of all that are in force together. */
  bytes: number;
  /** Further names of instruction files. */
  names: string[];
}

export interface MemorySettings {
  enabled: boolean;
  /** What the model proposes counts without a person’s word. */
  autoAccept: boolean;
}

export interface MapSettings {
  /** As it is at the start it stands in the prompt. */
  prompt: boolean;
  /** The model can ask for one. */
  tool: boolean;
  tokens: number;
}

export interface DiagnosticSettings {
  syntax: boolean;
  /** `{file}` in a command stands for the file. */
  linters: { files: string; command: string }[];
  servers: { files: string; command: string; language: string }[];
  /** Milliseconds. */
  timeout: number;
}

/** A name that the proxy of commands serves, with a credential that it adds. */
export interface CredentialSettings {
  alias: string;
  to: string;
  /** `Authorization` when left out. */
  header?: string;
  /** `basic`: the user of a basic login whose password the variable holds. */
  value: { variable: string; prefix?: string; basic?: string };
  as?: 'npm' | 'git';
}

/** Sizes in bytes. */
export interface CheckpointSettings {
  enabled: boolean;
  fileBytes: number;
  ignoredBytes: number;
  storeBytes: number;
}

/** A rule as it is written. */
export type RuleSettings = NonNullable<FileSettings['rules']>[number];

/** What commands may reach and use beyond the usual; `memory` and `fileBytes` in bytes. */
export interface SandboxSettings {
  read: string[];
  write: string[];
  memory?: number;
  processes?: number;
  fileBytes?: number;
  openFiles?: number;
  cpuSeconds?: number;
}

export interface ReviewerSettings {
  /** `provider/model`. */
  model: string;
  /** Seconds for one question. */
  timeout?: number;
  /** Questions in one turn. */
  perTurn?: number;
}

export interface ApprovalSettings {
  /** Seconds; null: a question has all the time there is. */
  timeout: number | null;
  onAsk: 'deny' | 'wait';
  reviewer?: ReviewerSettings;
}

/** A check as it was asked for; what defines it is found when a run is set up. The time-out is in milliseconds. */
export type SettingsCheck = Omit<Check, 'definers'>;

export interface Settings {
  /** Its name; what it says is merged already. */
  profile: string;
  model?: string;
  mode: Mode;
  /** Exactly these tools; absent: all that there are. */
  tools?: string[];
  /** Rules of the loop that don't run. */
  loop: { leaveOut: ('plan' | 'stuck')[] };
  /** 'waived' by `--check none` only. */
  checks: SettingsCheck[] | 'waived';
  limits: Limits;
  retries: RetryPolicy;
  timeouts: Timeouts;
  effort?: Effort;
  thinking?: Thinking;
  temperature?: number;
  topP?: number;
  phases: { [P in Phase]?: PhaseSettings };
  allow: string[];
  ask: string[];
  deny: string[];
  /** In full; what belongs together in one is checked where rules are read. */
  rules: RuleSettings[];
  /** Files of other harnesses: absolute, from `~/`, or relative to the workspace. */
  importRules: string[];
  /** Shipped rules by name. */
  pack: { [name: string]: 'deny' | 'ask' | 'off' };
  files: { env: 'deny' | 'allow' };
  approvals: ApprovalSettings;
  /** `model`: what the model does best with. */
  edits: 'model' | EditFormat;
  instructions: InstructionSettings;
  memory: MemorySettings;
  style: string;
  /** Added to the prompt; `@NAME` stands for a file of the user's. */
  appendPrompt?: string;
  /** What the repository looks like at the start stands in the prompt. */
  preamble: boolean;
  map: MapSettings;
  diagnostics: DiagnosticSettings;
  checkpoints: CheckpointSettings;
  /** Names of variables that commands get although they look like secrets. */
  environment: { pass: string[] };
  /** Hosts whose pages may be fetched; `*` for all, none at all by default. */
  fetch: string[];
  /** What commands reach of the network; nothing by default. */
  egress: { hosts: string[]; credentials: CredentialSettings[] };
  sandbox: SandboxSettings;
  providers: { [name: string]: ProviderSettings };
  /** By `provider/model`. */
  models: { [name: string]: ModelFacts & ModelSettings };
  routes: RouteSettings[];
  endpoint: Endpoint;
  proxy?: string;
  rates: { [model: string]: Rates };
}

/** What the command line sets: like a settings file, and it alone can waive the checks. */
export type Overrides = Omit<FileSettings, 'checks' | '$schema'> & { checks?: FileSettings['checks'] | 'none' };

export type Layer = 'default' | 'user' | 'project' | 'profile' | 'environment' | 'command-line';

/** Where a value comes from: `file` and `line` for files, `variable` for the environment, `profile` for what a profile says. */
export interface Origin {
  layer: Layer;
  file?: string;
  /** From 1. */
  line?: number;
  variable?: string;
  /** The name of a profile; of a project's own the layer is `project`. */
  profile?: string;
}

export type Notice = EventData['notice'];

/** Milliseconds that a check may take when it doesn't say. */
export const checkTimeout = 600_000;

export const defaults = {
  profile: 'default',
  mode: 'ask',
  loop: { leaveOut: [] },
  checks: [],
  limits: { turns: 100, calls: 500, minutes: 60, cost: 5, outputTokens: 16_000 },
  retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
  timeouts: { connect: 10_000, firstByte: 600_000, silence: 360_000 },
  allow: [],
  ask: [],
  deny: [],
  rules: [],
  importRules: [],
  pack: {},
  files: { env: 'deny' },
  approvals: { timeout: null, onAsk: 'deny' },
  edits: 'model',
  instructions: { enabled: true, bytes: 32_768, names: [] },
  memory: { enabled: false, autoAccept: false },
  style: 'default',
  preamble: false,
  map: { prompt: false, tool: false, tokens: 1_024 },
  diagnostics: { syntax: true, linters: [], servers: [], timeout: 5_000 },
  checkpoints: { enabled: true, fileBytes: 1_048_576, ignoredBytes: 67_108_864, storeBytes: 2_147_483_648 },
  environment: { pass: [] },
  fetch: [],
  egress: { hosts: [], credentials: [] },
  sandbox: { read: [], write: [] },
  phases: {},
  providers: {},
  models: {},
  routes: [],
  endpoint: { headers: {} },
  rates: {},
} as const satisfies FileSettings;
