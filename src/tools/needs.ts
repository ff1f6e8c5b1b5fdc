/** What the tools need from elsewhere; the composition root meets it. */
import type { CommandAnalysis, Effect, Mode, Resource, Scope } from '../core/index.ts';

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
  /** Replaces the whole file in one step (temporary file, sync, rename), keeping mode and making parent folders; refused when its bytes aren't `expected` (null: must not exist) any more. A new file takes the mode and, where that may be, the owner of the file `like`. Gives the new hash. */
  write(realPath: string, bytes: Buffer, expected: string | null, like?: string): Promise<string | Refusal>;
  /** Removes a file whose bytes are still `expected`; refused, with nothing changed, when they aren't. */
  remove(realPath: string, expected: string): Promise<null | Refusal>;
  /** The path as people write it: relative to the workspace where it is inside. */
  display(realPath: string): string;
  /** Names in a folder, each folder's with a slash at its end; rejects where there is none to list. */
  list(realPath: string): Promise<string[]>;
}

export interface CommandRequest {
  command: string;
  /** Milliseconds; holds always. */
  timeout: number;
  /** Real path of the folder to start in; the workspace when left out. */
  folder?: string;
  /** What is to be done at the time limit: end it (default), or let it go on as a job. */
  goesOn?: JobKind;
  /** It gets a terminal of its own; only with `goesOn`. */
  terminal?: boolean;
  /** Names the command, and the job that it may become. */
  call?: string;
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
  /** Real path of the folder in which the command left the shell; absent when it can't be told. */
  folder?: string;
  /** It goes on as this job; what came so far is in `head` and `tail`. */
  job?: string;
}

/** Runs commands of the model in the workspace, in the sandbox where there is one. */
export interface Shell {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}

/** Takes a command line apart: what each part of it would do. Never rejects; what it can't tell is in what it gives. */
export interface CommandAnalyser {
  /** `folder`: real path of the one that it would start in. */
  analyse(command: string, folder: string): Promise<CommandAnalysis>;
}

/** `job`: ends with the process of the session. `kept`: outlives it, in a sandbox of its own, for a limited time. */
export type JobKind = 'job' | 'kept';

export interface JobState {
  /** Short and unique among all jobs of this user that can still be named: `job-1`, ... for a session's, longer for kept ones. */
  id: string;
  kind: JobKind;
  command: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  state: 'running' | 'exited' | 'ended' | 'lost';
  exit?: number | null;
  signal?: string | null;
  /** A kept job is ended then, in milliseconds since the epoch. */
  until?: number;
}

export interface JobReport extends JobState {
  /** What it wrote since the last look, decoded and harmless, head and tail where it was much; `omitted` bytes lie between. */
  output: string;
  omitted: number;
  /** The awaited pattern came. */
  matched?: boolean;
}

export interface JobLook {
  /** Waits until this stands in what it wrote since the last look, until it ends, or until the time is over. */
  pattern?: RegExp;
  /** Milliseconds to wait at most; 0 looks at once. */
  wait: number;
}

/** Commands that go on in the background. Refused: no such job, or it has ended already (for `type`). */
export interface Jobs {
  list(): Promise<JobState[]>;
  look(id: string, look: JobLook, signal: AbortSignal): Promise<JobReport | Refusal>;
  /** Types into it, as it is (a line feed where one is wanted). */
  type(id: string, input: string): Promise<null | Refusal>;
  /** Ends all of it. */
  end(id: string): Promise<JobReport | Refusal>;
}

export interface SearchRequest {
  /** A regular expression, in the syntax of ripgrep. */
  pattern: string;
  /** Real path of a file or folder. */
  path: string;
  /** A glob that a file's path must match; with `!` in front must not. */
  glob?: string;
  /** A type of ripgrep (`ts`, `py`, ...). */
  type?: string;
  ignoreCase?: boolean;
  /** Lines around each match. */
  context?: number;
  /** The pattern may span lines. */
  multiline?: boolean;
  /** What is told: matching lines, paths of files with a match, or matches counted by file. */
  output?: 'lines' | 'files' | 'counts';
  /** At most so many matches (lines), files or counts. */
  limit: number;
}

export interface Found {
  /** As people read them, sorted by path: `path:line:text` and `path-line-text` for context, paths, or `path:count`. */
  lines: string[];
  /** How many matches, files or counts there were in all, and files. */
  total: number;
  files: number;
  /** Why it isn't all, where it isn't (time, a folder that can't be read). */
  incomplete?: string;
}

export interface FindRequest {
  /** A glob over paths, relative to `path`; without a slash it matches names at any depth. */
  glob: string;
  /** Real path of a folder. */
  path: string;
  limit: number;
}

/** Looks through the files of the workspace, with the ignore rules that Git has and those of `.ignore` files. */
export interface Searcher {
  search(request: SearchRequest, signal: AbortSignal): Promise<Found | Refusal>;
  find(request: FindRequest, signal: AbortSignal): Promise<Found | Refusal>;
}

export interface Page {
  /** Where it came from in the end. */
  url: string;
  /** Readable Markdown or plain text. */
  text: string;
  title?: string;
  mediaType: string;
  /** Bytes that were loaded; the rest beyond the limit was left out. */
  bytes: number;
  cut: boolean;
}

/** Loads pages of the hosts that were granted. Refused: a host that wasn't, a private address, a size, a time, a status. */
export interface Fetcher {
  fetch(url: string, signal: AbortSignal): Promise<Page | (Refusal & { transient?: true })>;
}

export interface MapRequest {
  query?: string;
  /** Relative to the workspace. */
  paths: readonly string[];
  tokens?: number;
}

/** Shows which symbols of the workspace matter. */
export interface Mapper {
  map(request: MapRequest, signal: AbortSignal): Promise<string>;
}

/** A change of notes: without `old` the note is added, without `note` what `old` stands for is removed. */
export interface NoteChange {
  scope: 'project' | 'user';
  old?: string;
  note?: string;
}

/** Notes that outlive the session. Refused: what doesn't fit, what holds a secret or gives orders. Gives what came of it, in words. */
export interface Notes {
  change(change: NoteChange): Promise<string | Refusal>;
}

/** Keeps secrets out of what is shown and kept. */
export interface Secrets {
  /** The text without them. What is a secret only by where it stands in one of the sources is one in the text too. */
  redact(text: string, sources: readonly string[]): string;
  /** The first placeholder of a secret in a text. */
  placeholderIn(text: string): string | undefined;
  /** The text with the secrets in the places of their placeholders, as far as the present text of the same file holds them. */
  resolve(text: string, present: string): { text: string } | { problem: string };
}

/** Large content outside the log, by SHA-256. */
export interface Blobs {
  put(bytes: Buffer): Promise<string>;
}

export interface Judgement {
  decision: 'allow' | 'ask' | 'deny';
  by: string;
  reason: string;
  /** The part of a command line that decided, as it is written. */
  part?: string;
  /** The shape that an "always" would grant. */
  shape?: string;
}

/** The policy of the run: floor, mode, rules, grants. */
export interface Policy {
  judge(call: { tool: string; arguments: { [key: string]: unknown }; effects: Effects }): Judgement;
  /** Remembers a shape for the session, or in the workspace for always. */
  grant(shape: string, scope: Exclude<Scope, 'once'>): Promise<void>;
  mode: Mode;
}

/** Keeps the workspace as it is, so that it can be brought back. */
export interface Checkpoints {
  /** Before a call that does more than read; gives the snapshot's id. Rejects when it can't be kept: the call is not run then. */
  before(effects: Effects): Promise<string | undefined>;
  /** Right after it. Rejects like `before`; what was done stays done. */
  after(effects: Effects): Promise<string | undefined>;
}

/** Looks for mistakes that a change has brought into a file. */
export interface Diagnostics {
  /** Remembers the files as they are before a call that writes them; real paths. Never rejects. */
  before(paths: readonly string[]): Promise<void>;
  /** New findings in them, in words for the model with the lines around them; empty without any. Within a time limit of its own; never rejects. */
  after(paths: readonly string[], signal: AbortSignal): Promise<string>;
}

/** What a call would do, and to what. */
export interface Effects {
  effects: Effect[];
  /** 'unknown' conflicts with everything. */
  resources: Resource[] | 'unknown';
  /** The command line taken apart, where the call is one. */
  analysis?: CommandAnalysis;
  /** The command line that would run, where the call is one: rules for commands look at it. */
  command?: string;
  /** The address that would be fetched, from hosts that the user has granted. */
  url?: string;
  /** All of it happens where the sandbox, if there is one, holds it. */
  confined?: boolean;
  /** A path that the call names leads where no call may go; why. Nothing lifts it. */
  refused?: string;
}

/** Words in a result that look like orders to the model (docs/content.md). */
export interface Suspicion {
  /** What it looks like: `override`, `role`, `exfiltration`, ... */
  kind: string;
  /** Line of the text, from 1. */
  line: number;
  /** The words, as they stand there. */
  quote: string;
}
