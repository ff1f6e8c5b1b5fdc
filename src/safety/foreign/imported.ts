/** What came of reading another harness's rules. */
import type { CallRule } from '../rule.ts';

export interface Imported {
  rules: ImportedRule[];
  /** What has no counterpart here, and why; whoever reads it should not feel safe by it. */
  leftOut: LeftOut[];
}

export interface ImportedRule {
  /** Line of the file, from 1. */
  line: number;
  rule: CallRule;
}

export interface LeftOut {
  line: number;
  /** The rule as it is written there. */
  what: string;
  why: string;
}
