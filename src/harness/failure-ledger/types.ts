/** The record of a repository's agent failures (docs/ledger.md). */

/** Where a fix can be made, from the weakest to the strongest. */
export const rungs = ['chat', 'instructions', 'skill', 'hook', 'lint', 'test', 'structure'] as const;
export type Rung = (typeof rungs)[number];

/** A line of the file: a failure was seen. */
export interface Sighting {
  type: 'failure';
  id: string;
  /** ISO 8601. */
  at: string;
  symptom: string;
  session?: string;
  /** `provider/model`. */
  model?: string;
  /** How often in that session. */
  times?: number;
  /** A failure that it is the same as, although it reads otherwise. */
  recurs?: string;
}

/** A line of the file: something was done against a failure. */
export interface Fix {
  type: 'fix';
  id: string;
  at: string;
  /** Of the failure. */
  of: string;
  rung: Rung;
  /** The file that was changed, relative to the repository. */
  file?: string;
  /** A short piece of the fix, by which it is found in the file. */
  text?: string;
}

export type LedgerLine = Sighting | Fix;

/** A line before it has an id and a time. */
export type NewLine = Omit<Sighting, 'id' | 'at'> | Omit<Fix, 'id' | 'at'>;

export interface Failure {
  /** Of the first time that it was seen. */
  id: string;
  symptom: string;
  /** Open again where it was seen after its last fix. */
  state: 'open' | 'fixed';
  seen: Sighting[];
  /** `recurrences`: how often it was seen between this fix and the next. */
  fixes: (Fix & { recurrences: number })[];
}

export interface FailureLedger {
  file: string;
  failures: Failure[];
  /** Lines that say nothing that is understood. */
  damaged: number;
}

export interface Proposal {
  symptom: string;
  times: number;
  /** The ledger has it of this session already. */
  isKnown: boolean;
}

export interface RungRow {
  rung: Rung;
  fixes: number;
  /** Fixes after which the failure was seen again, and how often. */
  failed: number;
  recurrences: number;
}

export interface LedgerReport {
  file: string;
  damaged: number;
  rungs: RungRow[];
  open: Failure[];
  /** Failures whose fix did not hold, and the rung to try next where the last fix stands no higher. */
  recurred: { id: string; symptom: string; rung: Rung; next?: Rung }[];
  /** Lines of instruction files that no fix stands for. */
  unjustified: { file: string; line: number; text: string }[];
  /** Fixes whose text isn't in their file any more. */
  gone: { id: string; file: string; text: string }[];
}
