/** What a report (docs/report.md) says beyond the outcome. */
import type { AsidePurpose, Mode, Outcome, Usage } from '../core/index.ts';

export interface ChangedFile {
  path: string;
  /** `none`: it changed, and is again as it was. */
  change: 'created' | 'modified' | 'deleted' | 'none';
  /** Lines, where they can be told. */
  added?: number;
  removed?: number;
  /** It already differed from the commit before the run, so the lines are not of this session alone. */
  alsoBefore?: true;
}

interface NamedCall {
  /** Of `reins log`; 0 where the log no longer says it. */
  turn: number;
  tool: string;
  /** Its command, its path, or whatever says most of it. */
  what: string;
}

export interface DeniedCall extends NamedCall {
  /** The rule, mode, hook or person that refused it. */
  by: string;
  reason: string;
}

export interface SkippedCall extends NamedCall {
  outcome: Outcome;
  reason: string;
}

export interface SpendingRow {
  /** `provider/model`. */
  model: string;
  purpose: 'conversation' | 'reviewer' | AsidePurpose;
  requests: number;
  /** Tokens, as far as they were reported. */
  usage: Usage;
  /** Dollars; absent where something of it has no price. */
  cost?: number;
  /** The part of the cost that nobody reported. */
  estimated?: number;
}

export interface ReportParts {
  /** Of this form. */
  version: number;
  workspace: string;
  task: string;
  /** Milliseconds since the epoch; `running` without the time between runs and of waiting for a person. */
  startedAt: number;
  endedAt: number;
  running: number;
  mode?: Mode;
  /** `provider/model` of the setup. */
  model?: string;
  /** Over the whole session; an undo counts as a change. */
  changed: ChangedFile[];
  /** Required and advisory checks that never ran. */
  unrun: string[];
  denials: DeniedCall[];
  /** Calls that didn't run, or not to their end: cut, cancelled, interrupted, over a limit. */
  skipped: SkippedCall[];
  /** How many more there were than are listed, by the name of the list. */
  more: { [list: string]: number };
  /** What `usage` and `cost` are the sums of. */
  spending: SpendingRow[];
  /** Takes back what the last run did; absent where there is nothing that could be. */
  undo?: { command: string; turns: number[] };
}
