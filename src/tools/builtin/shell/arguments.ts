/** What a call of the shell asks for, once more than its schema says is known to hold. */

export interface ShellArguments {
  command: string;
  timeout?: number;
  /** It goes on as a job when the time is over; `kept`: also beyond the session. */
  background?: 'job' | 'kept';
  terminal?: boolean;
}

const longest = 600;
const usual = 120;
/** What a command in the background has before the call returns: time to fail at once. */
const usualInBackground = 1;

/** Seconds, within what a call may have. */
export function secondsOf({ timeout, background }: ShellArguments): number {
  return Math.min(Math.max(timeout ?? (background === undefined ? usual : usualInBackground), 1), longest);
}

/** Why nothing can be run; undefined where all is well. */
export function argumentProblem({ command, timeout, background, terminal }: ShellArguments): string | undefined {
  if (command.trim() === '') return 'There is no command.';
  if (command.includes('\0')) return 'A command can’t hold a NUL character.';
  if (timeout !== undefined && (timeout < 1 || timeout > longest)) {
    return `timeout: must be 1 to ${longest} seconds, got ${timeout}. What takes longer goes in the background.`;
  }
  const isAlone = terminal === true && background === undefined;
  return isAlone
    ? 'terminal: only a command in the background has one, since nobody could type to another.'
    : undefined;
}
