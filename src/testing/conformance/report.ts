/** What became of every recording, for people and for programs. */
import type { Difference } from './compare.ts';

export interface FileReport {
  /** Relative to the folder that was asked for. */
  file: string;
  /** Absent when it can't be told. */
  wire?: string;
  verdict: 'exact' | 'differing' | 'failed';
  /** How many replies the recording holds. */
  replies: number;
  /** What isn't as expected; each says in which reply, where there are several. */
  differences: Difference[];
  /** Why it failed. */
  reason?: string;
}

export interface Report {
  files: FileReport[];
  totals: { exact: number; differing: number; failed: number };
}

export function reportOf(files: FileReport[]): Report {
  const count = (verdict: FileReport['verdict']) => files.filter((file) => file.verdict === verdict).length;
  return { files, totals: { exact: count('exact'), differing: count('differing'), failed: count('failed') } };
}

/** One line a file, one more for each thing that differs, and the totals. Nothing in it can move a cursor. */
export function linesOf({ files, totals }: Report): string[] {
  const lines = files.flatMap(({ file, wire = 'unknown wire', verdict, differences, reason }) => [
    `${verdict.padEnd('differing'.length)}  ${file} (${wire})${reason === undefined ? '' : `: ${reason}`}`,
    ...differences.map(
      ({ what, at, expected, actual }) => `           ${what} at ${at}: expected ${expected}, decoded ${actual}`,
    ),
  ]);
  const sum = `${files.length} recordings: ${totals.exact} exact, ${totals.differing} differing, ${totals.failed} failed`;
  return [...lines, sum].map((line) => line.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1)));
}
