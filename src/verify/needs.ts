/** What verification needs from elsewhere; the composition root meets it. */

export interface CheckRun {
  exit: number | null;
  timedOut: boolean;
  cancelled: boolean;
  notStarted?: string;
  head: string;
  tail: string;
  omitted: number;
  bytes: number;
  blob?: string;
  elapsed: number;
}

/** Runs the command of a check in the workspace, as the shell tool would. */
export interface Runner {
  run(
    request: { command: string; timeout: number; onOutput?: (delta: string) => void },
    signal: AbortSignal,
  ): Promise<CheckRun>;
}

/** Git through the one door that disarms it; rejects when the workspace is no repository. */
export interface Git {
  run(args: string[]): Promise<{ exit: number; stdout: Buffer; stderr: string }>;
}
