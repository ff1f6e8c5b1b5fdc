/** A command and what came of it. */
import type { JobKind, Jobs } from './jobs/index.ts';

export interface CommandRequest {
  command: string;
  /** Milliseconds; holds always. */
  timeout: number;
  /** Real path of the folder to start in; the workspace when left out. Where it is gone, the nearest one above in the workspace. */
  folder?: string;
  /** What is to be done at the time limit: end it (default), or let it go on as a job. A command with this can be typed to. */
  goesOn?: JobKind;
  /** It gets a terminal of its own; only with `goesOn`. */
  terminal?: boolean;
  /** Where it goes on as a job, the outcome has nothing of what came so far: all of it is left for the first look. */
  untold?: boolean;
  /** Names the command for `release`, and the job that it may become. */
  call?: string;
  onOutput?: (delta: string) => void;
}

export interface CommandOutcome {
  /** Exit code of the shell; null when a signal ended it, it never started, or goes on. */
  exit: number | null;
  /** The signal that ended the shell itself. A program's own death by signal n is, as in every shell, the code 128 + n. */
  signal: string | null;
  timedOut: boolean;
  cancelled: boolean;
  /** The command never started, and why (the sandbox's own failure included). */
  notStarted?: string;
  /** First and last part of standard output and error, interleaved as they came, decoded; `omitted` bytes lie between. */
  head: string;
  tail: string;
  omitted: number;
  bytes: number;
  /** SHA-256 of the blob with what was kept of the output, when head and tail aren't all. */
  blob?: string;
  /** Bytes that were counted but not kept: what the blob doesn't hold, or, without a blob, what is omitted. */
  dropped: number;
  /** Milliseconds. */
  elapsed: number;
  /** What was ended (at the time limit, on cancel, because the command left it running or could not go on), in words. */
  ended?: string;
  sandboxed: boolean;
  /** What the sandbox's limits probably caused, and what became of the folder that was asked for, in words for the model. */
  hint?: string;
  /** Real path of the folder in which the next command is to start; absent when it can't be told where this one left the shell. */
  folder?: string;
  /** It goes on as this job; what came so far is in `head` and `tail`. */
  job?: string;
}

/** Runs commands in the workspace. `run` never rejects for what a command does. */
export interface Shell {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
  /** The commands that go on in the background. */
  readonly jobs: Jobs;
  /** Lets the command of a call that is being waited for go on as a job; its outcome comes at once then. Gives the job's id. Nobody can type to it. */
  release(call: string): string | { refused: string };
  /** Starts in advance what the next command needs, for that one command, and resolves when it waits. Never rejects: what fails here is told by `run`. */
  prepare(): Promise<void>;
  /** Makes sure that what was prepared still holds as tightly as a fresh start would, for a command that follows at once. Never rejects. */
  prime(): Promise<void>;
  /** Ends everything that was started and is still running, jobs included. */
  close(): Promise<void>;
}
