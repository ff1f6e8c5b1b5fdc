/** What the logic of a program gets. */
import type { Word } from '../invocation.ts';
import type { Report } from '../report.ts';
import type { Program } from '../table.ts';

export interface Call {
  report: Report;
  program: Program;
  /** For reasons, with its sub-command (`git log`). */
  name: string;
  /** What stands behind the program and its sub-command. */
  words: Word[];
  /** Goes on with another entry of the table. */
  apply: (program: Program, name: string, words: Word[]) => void;
}

export type Logic = (call: Call) => void;
