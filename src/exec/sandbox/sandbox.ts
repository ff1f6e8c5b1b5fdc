/** What a sandbox is. Four ship: bubblewrap and Landlock (Linux), Seatbelt (macOS), and none. */

export type SandboxName = 'bubblewrap' | 'landlock' | 'seatbelt' | 'none';

/** How a supervised shell is started. */
export interface SandboxPlan {
  program: string;
  arguments: string[];
  environment: { [name: string]: string };
  /** Whether a namespace bounds the command, so that nothing of it outlives the program. */
  enclosed: boolean;
  /** The same for two plans only if a sandbox started by one is as tight as by the other. */
  fingerprint: string;
  /** What it may use before it is ended: bytes of memory, and processes. */
  bound?: { memory: number; processes: number };
}

/** How a command ended, as far as it is known. */
export interface CommandEnd {
  exit: number | null;
  signal: string | null;
}

/** What one sandbox has beside its profile, so that something of it leads outside. */
export interface Passage {
  /** Shown read-only, in the order given. */
  mounts: { source: string; place: string }[];
  /** In front of the program that runs inside. */
  before: string[];
  environment: { [name: string]: string };
}

/** Why there is no sandbox here. */
export type Obstacle =
  | 'not-asked-for'
  | 'unsupported'
  | 'not-installed'
  | 'namespaces-forbidden'
  | 'workspace'
  | 'breached'
  | 'failed';

export interface SandboxReport {
  sandbox: SandboxName;
  works: boolean;
  obstacle?: Obstacle;
  /** The obstacle in words, with the way out. */
  reason?: string;
  /** What was seen to be enforced, one sentence each. */
  enforced: string[];
  /** What a person should know about this workspace's protection. */
  notes: string[];
}

export interface Sandbox {
  readonly name: SandboxName;
  /** Tries it out, for real, once per process and profile. */
  probe(): Promise<SandboxReport>;
  /**
   * How to start the next supervised shell, or a shell with arguments of its own; `refused` when the workspace can't be protected. A
   * passage is for bubblewrap, and no part of the fingerprint.
   */
  plan(shellArguments?: readonly string[], passage?: Passage): Promise<SandboxPlan | { refused: string }>;
  /** A command begins. */
  began(): void;
  /** Undoes what a command could prepare against the world outside, and says so; call it after each command. `isLast`: none runs now. */
  inspect(isLast: boolean): string | undefined;
  /** What the sandbox's limits probably caused in a failed command, in words for the model. */
  explain(output: string, end: CommandEnd, hasPassage?: boolean): string | undefined;
  /** Removes what belongs to this sandbox alone. */
  close(): Promise<void>;
}
