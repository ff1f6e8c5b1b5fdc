/** What a call about a job asks for. */

export interface JobArguments {
  id?: string;
  input?: string;
  wait?: string;
  timeout?: number;
  end?: boolean;
}

const longest = 600;
/** Seconds that a wait for a pattern takes at most, and what an answer to typed input gets. */
const usualWait = 30;
const usualAnswer = 1;
/** Characters of a pattern. */
const longestPattern = 1_000;

/** Seconds to wait; 0 looks at once. */
export function secondsOf({ input, wait, timeout, end }: JobArguments): number {
  if (end === true) return 0;
  const usual = wait !== undefined ? usualWait : input !== undefined ? usualAnswer : 0;
  return Math.min(Math.max(timeout ?? usual, 0), longest);
}

/** The pattern to wait for: `^` and `$` stand for the start and end of a line. */
export function patternOf({ wait }: JobArguments): RegExp | undefined | { refused: string } {
  if (wait === undefined) return undefined;
  if (wait.length > longestPattern) return { refused: `wait: must have at most ${longestPattern} characters` };
  try {
    return new RegExp(wait, 'mu');
  } catch {
    return looser(wait);
  }
}

/** Why the arguments don't go together; undefined where they do. */
export function argumentProblem({ id, input, wait, timeout, end }: JobArguments): string | undefined {
  if (timeout !== undefined && (timeout < 0 || timeout > longest)) {
    return `timeout: must be 0 to ${longest} seconds, got ${timeout}.`;
  }
  if (id === undefined) {
    const needsJob = input !== undefined || wait !== undefined || timeout !== undefined || end !== undefined;
    return needsJob ? 'id: is missing; which job is meant?' : undefined;
  }
  const both = end === true && (input !== undefined || wait !== undefined);
  return both ? 'end: goes with neither input nor wait; first type, then end it.' : undefined;
}

/** Without the strictness that takes every needless backslash for a mistake. */
function looser(wait: string): RegExp | { refused: string } {
  try {
    return new RegExp(wait, 'm');
  } catch (error) {
    return { refused: `wait: ${(error as Error).message}` };
  }
}
