/** Runs commands of the model (and of checks) in the workspace: bounded in time, output and reach. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { drained, firstOf, read, type Stop } from './await-command.ts';
import type { CommandOutcome, CommandRequest, Shell } from './command.ts';
import type { BlobWriter } from './needs.ts';
import { Capture, type Captured, type OutputBudget } from './output/index.ts';
import { endLaunch, endLeftovers, kill, Launch, type Bounds, type Ended } from './process/index.ts';
import type { Sandbox } from './sandbox/index.ts';

const mebibyte = 1024 * 1024;

export interface OutputCaps {
  /** Most bytes of one command's output that a blob takes. */
  command: number;
  /** Most bytes that the blobs of all commands may take; what an earlier part of the session has used is to be taken off. */
  session: number;
}

export const defaultOutputCaps: OutputCaps = { command: 64 * mebibyte, session: 1024 * mebibyte };

export interface ShellOptions {
  /** Real path of the folder in which commands run. */
  workspace: string;
  sandbox: Sandbox;
  blobs?: BlobWriter;
  caps?: OutputCaps;
}

const closing = 'the session is being closed';

/** Milliseconds for which a look at the workspace holds: as long as it takes from there to the command's start. */
const trust = 5;

interface Started {
  launch: Launch;
  bounds: Bounds;
  fingerprint: string;
}

type Start = Started | { refused: string };

export function createShell(options: ShellOptions): Shell {
  return new WorkspaceShell(options);
}

class WorkspaceShell implements Shell {
  readonly #options: ShellOptions;
  readonly #caps: OutputCaps;
  readonly #budget: OutputBudget;
  readonly #running = new Set<Started>();
  /** Commands whose outcome is awaited. */
  #active = 0;
  #prepared: Promise<Start> | undefined;
  /** When the prepared one was last seen to fit. */
  #fitAt = -Infinity;
  #isClosed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#caps = options.caps ?? defaultOutputCaps;
    this.#budget = { left: this.#caps.session };
  }

  async prepare(): Promise<void> {
    // A command that runs could change what the set-up of a second sandbox looks at.
    if (this.#active > 0) return;
    this.#prepared = this.#renewLater(this.#prepared);
    const start = await this.#prepared;
    if (!('launch' in start)) return;
    await start.launch.ready;
    start.launch.idle();
  }

  async prime(): Promise<void> {
    if (this.#active > 0) return;
    this.#prepared = this.#renew(this.#prepared);
    await this.#prepared;
    this.#fitAt = performance.now();
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    const started = performance.now();
    const fail = (notStarted: string, cancelled = false): CommandOutcome => ({
      ...nothing(performance.now() - started, this.#options.sandbox.name !== 'none'),
      notStarted,
      cancelled,
    });
    const first = await this.#attempt(request, signal, fail);
    // The sandbox's set-up names files that may vanish meanwhile; nothing of the command has run, so once more is safe.
    if (first.notStarted === undefined || first.cancelled || this.#isClosed) return first;
    return this.#attempt(request, signal, fail);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const prepared = this.#prepared;
    this.#prepared = undefined;
    await discard(await prepared);
    await Promise.all([...this.#running].map(({ launch, bounds }) => kill(launch, bounds)));
  }

  async #attempt(
    request: CommandRequest,
    signal: AbortSignal,
    fail: (notStarted: string, cancelled?: boolean) => CommandOutcome,
  ): Promise<CommandOutcome> {
    if (request.command.includes('\0')) return fail('it holds a NUL character');
    const start = await this.#take();
    if ('refused' in start) return fail(start.refused, signal.aborted);
    if (signal.aborted || this.#isClosed) {
      await discard(start);
      return fail(signal.aborted ? 'it was cancelled before it started' : closing, signal.aborted);
    }
    return this.#drive(start, request, signal);
  }

  /** The prepared launch if it is as tight as a fresh one would be, else a fresh one. Nobody else gets the same. */
  async #take(): Promise<Start> {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    const isFresh = performance.now() - this.#fitAt < trust;
    const start = isFresh ? await prepared : undefined;
    return start !== undefined && 'launch' in start && start.launch.usable ? start : this.#renew(prepared);
  }

  /** After what is being done now: starting a process takes a millisecond, in which a request could be on its way already. */
  async #renewLater(waiting: Promise<Start> | undefined): Promise<Start> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#renew(waiting);
  }

  async #renew(waiting: Promise<Start> | undefined): Promise<Start> {
    const prepared = await waiting;
    if (prepared !== undefined && (await this.#fits(prepared))) return prepared;
    await discard(prepared);
    if (this.#isClosed) return { refused: closing };
    try {
      return await this.#start();
    } catch (error) {
      return { refused: this.#failed((error as Error).message) };
    }
  }

  async #fits(prepared: Start | undefined): Promise<boolean> {
    if (prepared === undefined || !('launch' in prepared) || !prepared.launch.usable) return false;
    try {
      const plan = await this.#options.sandbox.plan();
      return 'program' in plan && plan.fingerprint === prepared.fingerprint;
    } catch {
      return false; // what is wrong will be told by the fresh start
    }
  }

  async #start(): Promise<Start> {
    const plan = await this.#options.sandbox.plan();
    if ('refused' in plan) return plan;
    const mark = `REINS_COMMAND=${randomUUID()}`;
    const [name = '', value = ''] = mark.split('=');
    const environment = plan.enclosed ? plan.environment : { ...plan.environment, [name]: value };
    const launch = new Launch({ ...plan, environment, folder: this.#options.workspace });
    return {
      launch,
      fingerprint: plan.fingerprint,
      bounds: plan.enclosed ? { enclosed: true } : { enclosed: false, mark },
    };
  }

  async #drive(start: Started, request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    const began = performance.now();
    const { launch } = start;
    const { sandbox, blobs } = this.#options;
    const capture = new Capture({
      blobs,
      budget: this.#budget,
      commandCap: this.#caps.command,
      onOutput: request.onOutput,
    });
    read(launch, capture);
    this.#running.add(start);
    this.#active += 1;
    launch.handOver(request.command);
    const stop = await firstOf(launch, request.timeout, signal);
    const ended = await this.#conclude(start, stop);
    this.#active -= 1;
    const last = launch.rest();
    if (last.length > 0) await capture.write(last);
    const captured = await capture.finish();
    const { exit, signal: bySignal, left, notStarted } = launch.ending;
    const all: Ended = { names: [...new Set([...left, ...ended.names])], survivors: ended.survivors };
    const removed = sandbox.inspect();
    const outcome: CommandOutcome = {
      exit: stop === 'exit' ? exit : null,
      signal: bySignal,
      timedOut: stop === 'time',
      cancelled: stop === 'cancel',
      ...captured,
      elapsed: performance.now() - began,
      sandboxed: sandbox.name !== 'none',
    };
    if (notStarted !== undefined && stop === 'exit') return { ...outcome, notStarted: this.#failed(notStarted) };
    return { ...outcome, ...explanation(stop, request, all), ...hint(sandbox, outcome, captured, removed) };
  }

  /** Waits until nothing of a command is left that matters: all of it is ended, but for a sandbox that is already alone. */
  async #conclude(start: Started, stop: Stop): Promise<Ended> {
    const { launch, bounds } = start;
    const forget = (): void => {
      launch.abandon();
      this.#running.delete(start);
    };
    if (stop === 'exit' && launch.isOver) {
      void launch.exited.then(forget);
      return { names: [], survivors: [] };
    }
    const ended = stop === 'exit' ? await endLeftovers(launch, bounds) : await endLaunch(launch, bounds);
    await drained(launch);
    forget();
    return ended;
  }

  #failed(reason: string): string {
    if (!existsSync(this.#options.workspace)) return 'the workspace folder is gone';
    const what = this.#options.sandbox.name === 'none' ? 'the shell' : 'the sandbox';
    return `${what} could not start: ${reason}`;
  }
}

async function discard(start: Start | undefined): Promise<void> {
  if (start === undefined || !('launch' in start)) return;
  start.launch.abandon();
  await kill(start.launch, start.bounds);
}

function explanation(stop: Stop, request: CommandRequest, ended: Ended): { ended?: string } {
  const names = ended.names.join(', ');
  const survivors = ended.survivors.length > 0 ? ` Could not be ended: ${ended.survivors.join(', ')}.` : '';
  if (stop === 'exit') {
    if (ended.names.length === 0) return {};
    return {
      ended: `The command left processes running in the background; they were ended with it: ${names}.${survivors}`,
    };
  }
  const when = stop === 'time' ? `At the time limit of ${request.timeout / 1000} s` : 'On cancel';
  const what = names === '' ? 'the command was ended' : `everything that the command had started was ended: ${names}`;
  return { ended: `${when} ${what}.${survivors}` };
}

function hint(
  sandbox: Sandbox,
  outcome: CommandOutcome,
  captured: Captured,
  removed: string | undefined,
): { hint?: string } {
  const cause = outcome.exit === 0 ? undefined : sandbox.explain(`${captured.head}\n${captured.tail}`);
  const words = [cause, removed].filter((part) => part !== undefined).join(' ');
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
