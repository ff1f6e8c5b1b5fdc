/** What the parts of the scenario runner hand to each other. */
import type { Damage, Event, RunOutcome } from '../../src/harness/index.ts';
import type { ModelServer, RecordedRequest, Scenario } from '../../src/testing/index.ts';
import type { Tree } from './scenario-files.ts';
import type { Case, Output, RunSpec, Variant } from './scenario-schema.ts';
import type { WireName } from './scenario-wires.ts';

/** One test: a case, one of its variants, one output. */
export interface LoadedCase {
  title: string;
  folder: string;
  through: Case['through'];
  output: Output;
  wire: WireName;
  needs: readonly string[];
  scenario: Scenario;
  /** As written: `${name}` not filled in. */
  parts: Variant;
  values: Values;
  /** The parts with these values filled in. */
  filled(values: Values): Variant;
  script: Script;
}

export type Values = { [name: string]: string };

export interface CaseGroup {
  title: string;
  through: Case['through'];
  cases: LoadedCase[];
  skips: { [name: string]: string };
}

/** What a case's script.ts may export: deeds between and during runs, and checks after them, by name. */
export interface Script {
  deeds?: { [name: string]: Step };
  checks?: { [name: string]: Step };
}

export type Step = (place: Place, runs: readonly Ran[]) => void | Promise<void>;

/** A throw-away place for one case; see scenario-place.ts. Paths are real. */
export interface Place {
  /** Holds all others, and stands in the environment of all that runs here. */
  root: string;
  workspace: string;
  home: string;
  environment: { [name: string]: string };
  server: ModelServer;
  values: Values;
  /** What was there before the first run. */
  before: Trees;
  look(): Trees;
  /** Has the settings lead to a provider at another address. */
  lead(baseUrl: string): void;
  close(): Promise<void>;
}

export interface Trees {
  workspace: Tree;
  home: Tree;
  /** Beside workspace and home, without what belongs to Reins; temporary files that were left behind included. */
  outside: Tree;
}

/** A run that is over. */
export interface Ran {
  spec: RunSpec;
  exit: number | null;
  signal: NodeJS.Signals | null;
  /** Absent where only text was written, or nothing. */
  outcome?: Partial<RunOutcome> | undefined;
  /** What a program wrote. */
  out: string;
  err: string;
  /** The session, if one was made, and what was recorded in this run. */
  session?: string;
  items: (Event | Damage)[];
  /** What the provider received in this run. */
  requests: RecordedRequest[];
  elapsed: number;
  /** Processes of the place that were alive when the run was over. */
  alive: string[];
  /** Deeds that were never done, since what they waited for never came. */
  undone: string[];
}
