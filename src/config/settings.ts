/** The settings in force: every value has one, with the defaults where nobody said otherwise. */
import type { Check, EventData, Limits, Mode, Rates, RetryPolicy } from '../core/index.ts';
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
  /** The environment variable that holds the key. */
  keyVariable: string;
  headers: { [name: string]: string };
}

/** A check as it was asked for; what defines it is found when a run is set up. The time-out is in milliseconds. */
export type SettingsCheck = Pick<Check, 'command' | 'timeout' | 'from'>;

export interface Settings {
  model?: string;
  mode: Mode;
  /** 'waived' by `--check none` only. */
  checks: SettingsCheck[] | 'waived';
  limits: Limits;
  retries: RetryPolicy;
  timeouts: Timeouts;
  effort?: Effort;
  thinking?: Thinking;
  temperature?: number;
  allow: string[];
  ask: string[];
  deny: string[];
  endpoint: Endpoint;
  proxy?: string;
  rates: { [model: string]: Rates };
}

/** What the command line sets: like a settings file, and it alone can waive the checks. */
export type Overrides = Omit<FileSettings, 'checks' | '$schema'> & { checks?: FileSettings['checks'] | 'none' };

export type Layer = 'default' | 'user' | 'project' | 'environment' | 'command-line';

/** Where a value comes from: `file` and `line` for files, `variable` for the environment. */
export interface Origin {
  layer: Layer;
  file?: string;
  /** From 1. */
  line?: number;
  variable?: string;
}

export type Notice = EventData['notice'];

/** Milliseconds that a check may take when it doesn't say. */
export const checkTimeout = 600_000;

export const defaults = {
  mode: 'ask',
  checks: [],
  limits: { turns: 100, calls: 500, minutes: 60, cost: 5, outputTokens: 16_000 },
  retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
  timeouts: { connect: 10_000, firstByte: 600_000, silence: 360_000 },
  allow: [],
  ask: [],
  deny: [],
  endpoint: { keyVariable: 'ANTHROPIC_API_KEY', headers: {} },
  rates: {},
} as const satisfies FileSettings;
