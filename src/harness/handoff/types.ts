/** What the next session or person needs to know (docs/report.md#handoff). */
import type { DefinerChange, EventId } from '../../core/index.ts';
import type { ChangedFile } from '../report-types.ts';
import type { CheckResult } from '../types.ts';

/** Something that was tried and came to nothing. */
export interface Attempt {
  /** `failed`: it never passed; `passed-later`: the same passed in the end; `taken-back`: it was undone. */
  kind: 'failed' | 'passed-later' | 'taken-back';
  tool: string;
  what: string;
  times: number;
  /** Of `reins log`. */
  turns: number[];
  /** What it answered when it failed last. */
  said: string;
}

export interface OpenCheck {
  command: string;
  state: 'failing' | 'stale' | 'not-run';
  advisory?: true;
  /** What failed, as far as its output tells. */
  findings?: string[];
}

export type RiskKind =
  | 'unproven'
  | 'check-changed'
  | 'denied'
  | 'interrupted'
  | 'unseen-change'
  | 'not-alone'
  | 'damaged-log';

export interface Risk {
  kind: RiskKind;
  text: string;
}

export interface Handoff {
  /** Of this form. */
  version: number;
  session: string;
  title: string;
  workspace: string;
  /** The last event, in milliseconds since the epoch. */
  at: number;
  /** How it ended last (a stop of docs/cli.md), or `running` or `interrupted`. */
  state: string;
  code?: string;
  detail?: string;
  /** What persons asked for, in their words and their order. */
  asked: string[];
  done: { changed: ChangedFile[]; plan: string[]; proven: string[] };
  open: {
    plan: string[];
    questions: { id: EventId; question: string }[];
    checks: OpenCheck[];
    /** Paths that changed and that no required check covers. */
    unchecked: string[];
    /** Background commands that went on. */
    jobs: string[];
  };
  attempts: Attempt[];
  risks: Risk[];
  /** What is to be done next, most pressing first. */
  next: string[];
  evidence: CheckResult[];
  redefined: DefinerChange[];
  /** The last words of the model: what it says of its work, and no evidence of it. */
  said?: string;
  undo?: string;
  /** How many more there were than are listed, by the name of the list. */
  more: { [list: string]: number };
}
