/** Runs commands of the model (and of checks) in the workspace: bounded in time, output and reach. */
import type { CommandOutcome, CommandRequest, Shell } from './command.ts';
import { nextFolder, startFolder, type FolderParts } from './folder.ts';
import { createJobs, SessionJobs, type JobKeeper, type JobListener, type Jobs, type JobSlot } from './jobs/index.ts';
import type { Connection, Egress } from './egress/index.ts';
import type { BlobWriter, ByteFilter } from './needs.ts';
import type { OutputBudget } from './output/index.ts';
import type { Input } from './process/index.ts';
import { Running, type End, type Stop } from './running.ts';
import type { Sandbox } from './sandbox/index.ts';
import { discard, failureText, Starts, type Started } from './starts.ts';
import { endedText } from './words.ts';

const mebibyte = 1024 * 1024;

export interface OutputCaps {
  /** Most bytes of one command's output that its blobs take. */
  command: number;
  /** Most bytes that the blobs of all commands may take; what an earlier part of the session has used is to be taken off. */
  session: number;
  /** A command that prints more bytes is ended; 2 GiB when left out. */
  flood?: number;
}

export const defaultOutputCaps = {
  command: 64 * mebibyte,
  session: 1024 * mebibyte,
  flood: 2048 * mebibyte,
} satisfies OutputCaps;

/** Runs commands that outlive the process of Reins, and answers for them. */
export interface KeptCommands extends JobKeeper {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}

export interface ShellOptions extends JobListener {
  /** Real path of the folder in which commands run. */
  workspace: string;
  sandbox: Sandbox;
  blobs?: BlobWriter;
  /** Makes what the output of one command goes through before it is kept, shown or heard. */
  filter?: () => ByteFilter;
  caps?: OutputCaps;
  /** How many jobs the session had before: their ids are not given again. */
  earlierJobs?: number;
  /** Left out, no command can be kept. */
  kept?: KeptCommands;
  /** The way out for commands in the sandbox; closed with the shell. Left out, they have no network. */
  egress?: Egress;
  /** Called as each connection of a command ends, before the command's own end is told. */
  onConnection?: (connection: Connection) => void;
}

export function createShell(options: ShellOptions): Shell {
  return new WorkspaceShell(options);
}

/** A command in the foreground, and its place among the jobs where it may become one. */
interface Awaited {
  running: Running;
  slot: JobSlot | undefined;
}

class WorkspaceShell implements Shell {
  readonly jobs: Jobs;
  readonly #options: ShellOptions;
  readonly #caps: Required<OutputCaps>;
  readonly #session: OutputBudget;
  readonly #starts: Starts;
  readonly #sessionJobs: SessionJobs;
  /** Those that are waited for. */
  readonly #awaited = new Set<Awaited>();
  /** Those that nobody waits for any more and that may not be gone yet. */
  readonly #ending = new Set<Running>();
  /** Commands whose outcome isn't known yet; jobs don't count. */
  #active = 0;
  #isClosed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#caps = { ...defaultOutputCaps, ...options.caps };
    this.#session = { left: this.#caps.session };
    this.#starts = new Starts(options);
    const { sandbox, onJob, onJobEnd, earlierJobs: earlier, kept } = options;
    this.#sessionJobs = new SessionJobs({
      ...(onJob && { onJob }),
      ...(onJobEnd && { onJobEnd }),
      earlier,
      inspect: () => sandbox.inspect(false),
      explain: (output, end, hasPassage) => sandbox.explain(output, end, hasPassage),
    });
    this.jobs = createJobs([this.#sessionJobs, ...(kept === undefined ? [] : [kept])]);
  }

  async prepare(): Promise<void> {
    // A command that runs could change what the set-up of a second sandbox looks at.
    if (this.#active === 0) await this.#starts.prepare();
  }

  async prime(): Promise<void> {
    if (this.#active === 0) await this.#starts.prime();
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    const { kept } = this.#options;
    if (request.goesOn === 'kept' && kept !== undefined) return kept.run(request, signal);
    const began = performance.now();
    const fail: Fail = (notStarted, cancelled = false) => ({
      ...nothing(performance.now() - began, this.#sandboxed),
      notStarted,
      cancelled,
    });
    const unfit = unfitReason(request);
    if (unfit !== undefined) return fail(unfit);
    const slot = request.goesOn === undefined ? undefined : this.#sessionJobs.reserve();
    if (slot !== undefined && 'refused' in slot) return fail(slot.refused);
    const first = await this.#attempt(request, slot, signal, fail);
    // The sandbox's set-up names files that may vanish meanwhile; nothing of the command has run, so once more is safe.
    const isFinal = first.notStarted === undefined || first.cancelled || this.#isClosed;
    const outcome = isFinal ? first : await this.#attempt(request, slot, signal, fail);
    if (outcome.job === undefined) slot?.free();
    return outcome;
  }

  release(call: string): string | { refused: string } {
    const found = [...this.#awaited].find(({ running }) => running.order.call === call);
    if (found === undefined) return { refused: 'No command of this call is being waited for.' };
    found.slot ??= this.#place();
    if (found.slot === undefined) return { refused: 'As many jobs run already as there may be.' };
    found.running.interrupt('released');
    return found.slot.id;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starts.close();
    const running = [...[...this.#awaited].map((one) => one.running), ...this.#ending];
    await Promise.all([this.#sessionJobs.close(), ...running.map((one) => one.kill())]);
    await this.#options.egress?.close();
  }

  get #sandboxed(): boolean {
    return this.#options.sandbox.name !== 'none';
  }

  async #attempt(
    request: CommandRequest,
    slot: JobSlot | undefined,
    signal: AbortSignal,
    fail: Fail,
  ): Promise<CommandOutcome> {
    const start = await this.#starts.take(inputFor(request));
    if ('refused' in start) return fail(start.refused, signal.aborted);
    if (signal.aborted || this.#isClosed) {
      await discard(start);
      if (!signal.aborted) return fail('the session is being closed');
      return fail('it was cancelled before it started', true);
    }
    return this.#drive(start, request, slot, signal);
  }

  async #drive(
    start: Started,
    request: CommandRequest,
    slot: JobSlot | undefined,
    signal: AbortSignal,
  ): Promise<CommandOutcome> {
    const { blobs, workspace, filter } = this.#options;
    const { command, flood } = this.#caps;
    const { onOutput } = request;
    const budgets = { session: this.#session, command: { left: command } };
    const running = new Running(start, request, { blobs, ...budgets, flood, onOutput, filter: filter?.() });
    const awaited: Awaited = { running, slot };
    this.#awaited.add(awaited);
    this.#active += 1;
    const asked = request.folder ?? workspace;
    const folders: FolderParts = { workspace, sandboxed: this.#sandboxed, asked };
    this.#options.sandbox.began();
    running.begin(startFolder(folders));
    const stop = await running.stop(signal);
    this.#awaited.delete(awaited);
    const place = awaited.slot;
    if (place !== undefined && (stop === 'released' || (stop === 'time' && request.goesOn !== undefined))) {
      this.#active -= 1;
      return this.#goOn(running, place, folders);
    }
    if (place !== slot) place?.free();
    this.#ending.add(running);
    const end = await running.conclude(stop);
    this.#active -= 1;
    if (!running.launch.alive) this.#ending.delete(running);
    else void running.launch.exited.then(() => this.#ending.delete(running));
    return this.#outcome(running, stop, end, folders);
  }

  /** What came so far; the rest is the job's. */
  async #goOn(running: Running, slot: JobSlot, folders: FolderParts): Promise<CommandOutcome> {
    const portion = running.order.untold === true ? undefined : running.feed.take();
    const { id } = slot;
    slot.adopt(running);
    const outcome = { ...nothing(performance.now() - running.began, this.#sandboxed), ...(await portion), job: id };
    const { folder, notes } = nextFolder(folders, running.launch.shell.started, undefined);
    return {
      ...outcome,
      ...(folder !== undefined && { folder }),
      ...hint([this.#inspect(), ...notes]),
    };
  }

  #outcome(running: Running, stop: Stop, end: End, folders: FolderParts): CommandOutcome {
    const { sandbox } = this.#options;
    const { exit, signal, notStarted, captured } = end;
    const removed = this.#inspect();
    const refused = running.disconnect();
    const outcome: CommandOutcome = {
      ...nothing(performance.now() - running.began, this.#sandboxed),
      ...captured,
      exit,
      signal,
      timedOut: stop === 'time',
      cancelled: stop === 'cancel',
    };
    if (notStarted !== undefined) return { ...outcome, notStarted: failureText(this.#options, notStarted) };
    const ended = endedText(stop, end.ended, running.limits);
    const text = `${captured.head}\n${captured.tail}`;
    const how = { exit, signal };
    const cause = refused ?? (exit === 0 ? undefined : sandbox.explain(text, how, running.isConnected));
    const { started, left } = running.launch.shell;
    const { folder, notes } = nextFolder(folders, started, left);
    return {
      ...outcome,
      ...(ended !== undefined && { ended }),
      ...(folder !== undefined && { folder }),
      ...hint([cause, removed, ...notes]),
    };
  }

  #inspect(): string | undefined {
    return this.#options.sandbox.inspect(this.#active === 0 && !this.#sessionJobs.isBusy);
  }

  #place(): JobSlot | undefined {
    const slot = this.#sessionJobs.reserve();
    return 'refused' in slot ? undefined : slot;
  }
}

type Fail = (notStarted: string, cancelled?: boolean) => CommandOutcome;

/** Why a request can't be met at all. */
function unfitReason({ command, goesOn, terminal }: CommandRequest): string | undefined {
  if (command.includes('\0')) return 'it holds a NUL character';
  if (goesOn === 'kept') return 'commands can’t be kept beyond the session here';
  return terminal === true && goesOn === undefined
    ? 'only a command that may go on as a job gets a terminal'
    : undefined;
}

/** Whoever only waits for a command can't type: it gets the end of the input at once. */
function inputFor({ goesOn, terminal }: CommandRequest): Input {
  if (goesOn === undefined) return 'none';
  return terminal === true ? 'terminal' : 'pipe';
}

function hint(parts: (string | undefined)[]): { hint?: string } {
  const words = parts.filter((part) => part !== undefined).join(' ');
  return words === '' ? {} : { hint: words };
}

function nothing(elapsed: number, sandboxed: boolean): CommandOutcome {
  return {
    exit: null,
    signal: null,
    timedOut: false,
    cancelled: false,
    head: '',
    tail: '',
    omitted: 0,
    bytes: 0,
    dropped: 0,
    elapsed,
    sandboxed,
  };
}
