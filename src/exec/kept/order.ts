/** What a supervisor is told at its start, and what it can be asked. */
import type { JsonObject } from '../../core/index.ts';
import type { JobReport, Refusal } from '../jobs/index.ts';
import type { SandboxName, SandboxOptions } from '../sandbox/index.ts';

export interface KeptOrder {
  id: string;
  command: string;
  /** Real paths. */
  workspace: string;
  folder?: string;
  terminal: boolean;
  /** Milliseconds since the epoch at which it is ended. */
  until: number;
  environment: { [name: string]: string };
  secretNames: string[];
  /** Names of variables that are passed on although they hold secrets. */
  pass: string[];
  /** Folders that no command may see. */
  hide: string[];
  sandbox: SandboxName;
  grants?: SandboxOptions['grants'];
  limits?: SandboxOptions['limits'];
  filter?: KeptFilter;
}

/** What its output goes through: a module that exports `createFilter(data)`, which gives a `ByteFilter`. */
export interface KeptFilter {
  module: string;
  data: JsonObject;
}

/** Its first line: it runs, or why it doesn't. */
export type Begun = { begun: true } | { refused: string };

export type Question =
  | { do: 'look'; pattern?: { source: string; flags: string }; wait: number }
  | { do: 'type'; input: string }
  | { do: 'end' };

export type Answer = { report: JobReport } | { typed: true } | Refusal;
