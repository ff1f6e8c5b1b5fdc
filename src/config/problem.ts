/** What is wrong in a settings file, and where. */
export interface Problem {
  /** From 1. */
  line: number;
  column: number;
  /** With dots: `limits.turns`; empty for the file as a whole. */
  key: string;
  text: string;
  /** Only the user's own file may have this key. */
  untrusted?: true;
}
