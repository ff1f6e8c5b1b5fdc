/** Evidence: what came of a check, and which position of the log it covers. */
import type { EventId } from './identifiers.ts';

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

export interface EvidenceData {
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
    /** Files that define the check and aren't what they were at setup. */
    definersChanged?: string[];
  };
}
