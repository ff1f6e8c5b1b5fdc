/** Starts what a command runs under, in advance where that is possible. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Connection, Egress, Outlet } from './egress/index.ts';
import { terminalEnvironment } from './environment.ts';
import { connect, disconnect, kill, Launch, Pipes, type Bound, type Bounds, type Input } from './process/index.ts';
import type { Sandbox } from './sandbox/index.ts';

export interface Started {
  launch: Launch;
  bounds: Bounds;
  /** What it may use before it is ended. */
  use: Bound | undefined;
  fingerprint: string;
  /** Its own way out, where there is one. */
  outlet?: Outlet | undefined;
}

export type Start = Started | { refused: string };

type Plan = Exclude<Awaited<ReturnType<Sandbox['plan']>>, { refused: string }>;

interface Place {
  /** Real path of the folder in which shells are started. */
  workspace: string;
  sandbox: Sandbox;
  /** Where commands have a network at all; only in a sandbox with a loopback of its own. */
  egress?: Egress;
  onConnection?: (connection: Connection) => void;
}

/** Milliseconds for which a look at the workspace holds: as long as it takes from there to the command's start. */
const trust = 5;

export class Starts {
  readonly #place: Place;
  readonly #pipes = new Pipes();
  #prepared: Promise<Start> | undefined;
  /** When the prepared one was last seen to fit. */
  #fitAt = -Infinity;
  #isClosed = false;

  constructor(place: Place) {
    this.#place = place;
  }

  async prepare(): Promise<void> {
    this.#prepared = this.#renewLater(this.#prepared);
    const start = await this.#prepared;
    if (!('launch' in start)) return;
    await start.launch.ready;
    if (start.launch.usable) start.launch.release();
  }

  async prime(): Promise<void> {
    this.#prepared = this.#renew(this.#prepared);
    await this.#prepared;
    this.#fitAt = performance.now();
  }

  /** The prepared launch if it is as tight as a fresh one would be and gives no input, as it does, else a fresh one. Nobody else gets the same. */
  async take(input: Input): Promise<Start> {
    if (input !== 'none') return this.#fresh(input);
    const prepared = this.#prepared;
    this.#prepared = undefined;
    const isFresh = performance.now() - this.#fitAt < trust;
    const start = isFresh ? await prepared : undefined;
    return start !== undefined && 'launch' in start && start.launch.usable ? start : this.#renew(prepared);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pipes.close();
    const prepared = this.#prepared;
    this.#prepared = undefined;
    await discard(await prepared);
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
    return this.#fresh('none');
  }

  async #fresh(input: Input): Promise<Start> {
    if (this.#isClosed) return { refused: 'the session is being closed' };
    let outlet: Outlet | undefined;
    try {
      outlet = await this.#outlet();
      const plan = await this.#place.sandbox.plan(undefined, outlet?.passage);
      if (!('refused' in plan)) return await this.#start(plan, input, outlet);
      outlet?.close();
      return plan;
    } catch (error) {
      outlet?.close();
      return { refused: failureText(this.#place, (error as Error).message) };
    }
  }

  async #outlet(): Promise<Outlet | undefined> {
    const { egress, sandbox, onConnection = () => undefined } = this.#place;
    return sandbox.name === 'bubblewrap' ? egress?.open(onConnection) : undefined;
  }

  async #fits(prepared: Start | undefined): Promise<boolean> {
    if (prepared === undefined || !('launch' in prepared) || !prepared.launch.usable) return false;
    try {
      const plan = await this.#place.sandbox.plan();
      return 'program' in plan && plan.fingerprint === prepared.fingerprint;
    } catch {
      return false; // what is wrong will be told by the fresh start
    }
  }

  async #start(plan: Plan, input: Input, outlet: Outlet | undefined): Promise<Started> {
    const wires = await connect(input, this.#pipes);
    const [name, value] = ['REINS_COMMAND', randomUUID()] as const;
    const marked = { ...plan.environment, ...(plan.enclosed ? {} : { [name]: value }) };
    const environment = wires.isTerminal ? terminalEnvironment(marked) : marked;
    try {
      const launch = new Launch({ ...plan, environment, folder: this.#place.workspace }, wires);
      const bounds: Bounds = plan.enclosed ? { enclosed: true } : { enclosed: false, mark: `${name}=${value}` };
      if (outlet !== undefined) void launch.exited.then(() => outlet.close());
      return { launch, bounds, use: plan.bound, fingerprint: plan.fingerprint, outlet };
    } catch (error) {
      disconnect(wires);
      throw error;
    }
  }
}

/** Why nothing could be started, with what is wrong with the place if that is it. */
export function failureText({ workspace, sandbox }: Place, reason: string): string {
  if (!existsSync(workspace)) return 'the workspace folder is gone';
  const what = sandbox.name === 'none' ? 'the shell' : 'the sandbox';
  return `${what} could not start: ${reason}`;
}

/** Ends what was started and gets no command. */
export async function discard(start: Start | undefined): Promise<void> {
  if (start === undefined || !('launch' in start)) return;
  start.launch.abandon();
  await kill(start.launch, start.bounds);
}
