/** A command and what came of it. */

export interface CommandRequest {
  command: string;
  /** Milliseconds; holds always. */
  timeout: number;
  onOutput?: (delta: string) => void;
}

export interface CommandOutcome {
  /** Exit code of the shell; null when a signal ended it or it never started. */
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
  /** What was ended at the time limit, on cancel or because the command left it running, in words. */
  ended?: string;
  sandboxed: boolean;
  /** What the sandbox's limits probably caused, in words for the model. */
  hint?: string;
}

/** Runs commands in the workspace. `run` never rejects for what a command does. */
export interface Shell {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
  /** Starts in advance what the next command needs, for that one command, and resolves when it waits. Never rejects: what fails here is told by `run`. */
  prepare(): Promise<void>;
  /** Makes sure that what was prepared still holds as tightly as a fresh start would, for a command that follows at once. Never rejects. */
  prime(): Promise<void>;
  /** Ends everything that was started and is still running. */
  close(): Promise<void>;
}
