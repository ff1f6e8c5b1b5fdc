/** What a patch asks for, as it stands in its text. Numbers of lines are those of the patch as it was sent, from 1. */

/** A line of a hunk: ` ` stands in the file and stays, `-` stands there and goes, `+` comes. */
export interface HunkLine {
  sign: ' ' | '-' | '+';
  text: string;
  line: number;
  /** Nothing of it stands in the patch, not even the sign: an empty line of the file, or one that sets hunks apart. */
  bare: boolean;
}

export interface Anchor {
  text: string;
  line: number;
}

export interface Hunk {
  /** Where it begins. */
  line: number;
  /** Lines of the file after which it stands, outermost first. */
  anchors: Anchor[];
  lines: HunkLine[];
  /** It ends where the file ends. */
  atEnd: boolean;
}

export type Operation =
  | { kind: 'add'; path: string; line: number; content: string[] }
  | { kind: 'delete'; path: string; line: number }
  | { kind: 'update'; path: string; line: number; target?: { path: string; line: number }; hunks: Hunk[] };

/** What is wrong, in words for the model, with the way out. */
export type Problem = { problem: string };

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}
