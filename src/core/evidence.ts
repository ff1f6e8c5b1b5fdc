/** Evidence: what came of a check, and which position of the log it covers. */
import type { CallKey, EventId } from './identifiers.ts';

/** A bounded text in an event, and where the whole of it is when it was longer. */
export interface Excerpt {
  text: string;
  /** SHA-256 of the blob that holds everything that was kept. */
  blob?: string;
  /** Bytes of the whole output, also what was not kept. */
  bytes?: number;
}

/** What a failing check says of a place in a file, as far as its output tells. */
export interface CheckFinding {
  file?: string;
  /** From 1. */
  line?: number;
  column?: number;
  text: string;
}

/** How what defines a check was weakened. */
export type Weakening =
  | 'deleted'
  | 'skipped'
  | 'narrowed'
  | 'fewer-tests'
  | 'fewer-assertions'
  | 'forced-exit'
  | 'loosened';

/** Something that defines a check and isn't what it was when the task was given. */
export interface DefinerChange {
  /** Relative to the workspace; a part of a file by its name (`package.json#scripts`). */
  path: string;
  kind?: 'test' | 'configuration';
  /** Absent where it only differs. */
  how?: Weakening;
}

/** What a command of the model's own proves. */
export type ProofKind = 'tests' | 'types' | 'lint' | 'build';

export interface EvidenceData {
  /** What the model's own commands prove of its changes, where no check is there to do so. */
  'own-checks': {
    covers: EventId;
    proves: boolean;
    /** The commands that count: they passed after the last change and check what changed. */
    commands: { call: CallKey; command: string; kind: ProofKind }[];
    /** Why the others don't, or why nothing does. */
    why: string;
    redefined?: DefinerChange[];
  };
  evidence: {
    command: string;
    passed: boolean;
    exit: number | null;
    outcome: 'passed' | 'failed' | 'timed-out' | 'not-started' | 'cancelled';
    output: Excerpt;
    elapsed: number;
    /** The log position it covers: everything up to and including this event. */
    covers: EventId;
    /** Globs of the paths that it is about; absent: all. */
    paths?: string[];
    /** It keeps no run from completing. */
    advisory?: true;
    /** It was run after an edit, while the model still worked. */
    early?: true;
    /** What failed and where; absent where its output doesn't tell. */
    findings?: CheckFinding[];
    /** What the model is told of it; absent when it passed. */
    shown?: string;
    /** Files that define the check and aren't what they were at setup, and what was done to them. */
    definersChanged?: string[];
    redefined?: DefinerChange[];
  };
}
