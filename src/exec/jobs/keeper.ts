/** What a job is, for whoever asks about it, and who keeps it. */

/** `job`: ends with the process of the session. `kept`: outlives it, in a sandbox of its own, for a limited time. */
export type JobKind = 'job' | 'kept';

export type Refusal = { refused: string };

export interface JobState {
  /** Short and unique among all jobs that can be named: `job-1`, ... for a session's. */
  id: string;
  kind: JobKind;
  command: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** `lost`: it is gone, and nobody saw how. */
  state: 'running' | 'exited' | 'ended' | 'lost';
  exit?: number | null;
  signal?: string | null;
  /** A kept job is ended then, in milliseconds since the epoch. */
  until?: number;
}

export interface JobReport extends JobState {
  /**
   * What it wrote since the last look, decoded and harmless. Of more than is kept in memory start and end, and a line between that says
   * how much was left out and which blob holds it. Its last lines, in brackets, say what else is to be known of its end.
   */
  output: string;
  /** Bytes that are left out. */
  omitted: number;
  /** The awaited pattern came. */
  matched?: boolean;
}

export interface JobLook {
  /** Waits until this stands in what it wrote since the last look, until it ends, or until the time is over. */
  pattern?: RegExp;
  /** Milliseconds to wait at most; 0 looks at once. */
  wait: number;
  /** An abort means that nobody hears the answer: what came waits for the next look. Otherwise it is told all the same. */
  untoldOnAbort?: boolean;
}

/** Commands that go on in the background. Refused: there is no such job, or it can't be done with it (any more). */
export interface Jobs {
  list(): Promise<JobState[]>;
  /** An abort of `signal` ends the wait. */
  look(id: string, look: JobLook, signal: AbortSignal): Promise<JobReport | Refusal>;
  /** Types into it, as it is (a line feed where one is wanted). A U+0004 at the end ends its input, as it does on a terminal. */
  type(id: string, input: string): Promise<null | Refusal>;
  /** Ends all of it. */
  end(id: string): Promise<JobReport | Refusal>;
}

/** Jobs of one kind. */
export interface JobKeeper extends Jobs {
  has(id: string): boolean | Promise<boolean>;
}

/** A job has begun. `call`: the one whose command it is. */
export interface JobStart {
  id: string;
  call?: string;
  command: string;
  kept: boolean;
}

/** A job is over. `session`: it was ended together with the session's process. */
export interface JobEnd {
  id: string;
  how: 'exited' | 'ended' | 'session';
  exit: number | null;
  signal?: string;
}

/** Told at once, in order. Listeners must not throw. */
export interface JobListener {
  onJob?: (job: JobStart) => void;
  onJobEnd?: (end: JobEnd) => void;
}
