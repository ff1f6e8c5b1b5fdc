/** What the tools need from elsewhere; the composition root meets it. */
import type { Mode, Resource } from '../core/index.ts';

export interface FileState {
  /** The real path (links resolved), absolute. */
  path: string;
  bytes: Buffer;
  /** SHA-256 of the bytes. */
  hash: string;
}

export type Refusal = { refused: string };

/** Files of the workspace, by real path. Values, not exceptions, for what the model may learn from. */
export interface Files {
  /** The real, absolute path of a workspace-relative or absolute path, links resolved; refused when it leads outside or loops. */
  resolve(path: string, access: 'read' | 'write'): Promise<string | Refusal>;
  /** The file's present bytes; null when there is none; refused with the reason when it isn't a readable regular file. */
  read(realPath: string): Promise<FileState | null | Refusal>;
  /** Replaces the whole file in one step (temporary file, sync, rename), keeping mode and making parent folders; refused when its bytes aren't `expected` (null: must not exist) any more. Gives the new hash. */
  write(realPath: string, bytes: Buffer, expected: string | null): Promise<string | Refusal>;
  /** The path as people write it: relative to the workspace where it is inside. */
  display(realPath: string): string;
  /** Names in a folder, for "did you mean" only. */
  list(realPath: string): Promise<string[]>;
}

export interface CommandRequest {
  command: string;
  /** Milliseconds; holds always. */
  timeout: number;
  onOutput?: (delta: string) => void;
}

export interface CommandOutcome {
  exit: number | null;
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
  /** Bytes that were counted but not kept (beyond the caps). */
  dropped: number;
  elapsed: number;
  /** What was ended at the time limit or on cancel, in words. */
  ended?: string;
  sandboxed: boolean;
  /** What the sandbox's limits probably caused, in words for the model (no network, read-only place). */
  hint?: string;
}

/** Runs commands of the model in the workspace, in the sandbox where there is one. */
export interface Shell {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}

/** Large content outside the log, by SHA-256. */
export interface Blobs {
  put(bytes: Buffer): Promise<string>;
}

export interface Judgement {
  decision: 'allow' | 'ask' | 'deny';
  by: string;
  reason: string;
  /** The shape that an "always" would grant. */
  shape?: string;
}

/** The policy of the run: floor, mode, rules, grants. */
export interface Policy {
  judge(call: { tool: string; arguments: { [key: string]: unknown }; effects: Effects }): Judgement;
  /** Remembers an "always" for a shape. */
  grant(shape: string): Promise<void>;
  mode: Mode;
}

export type Effect = 'read' | 'write' | 'execute' | 'network' | 'destroy' | 'cannot-tell';

/** What a call would do, and to what. */
export interface Effects {
  effects: Effect[];
  /** 'unknown' conflicts with everything. */
  resources: Resource[] | 'unknown';
  /** The command line that would run, where the call is one: rules for commands look at it. */
  command?: string;
  /** All of it happens where the sandbox, if there is one, holds it. */
  confined?: boolean;
  /** A path that the call names leads where no call may go; why. Nothing lifts it. */
  refused?: string;
}
