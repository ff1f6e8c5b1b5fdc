/** One started supervisor: it takes one command and ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { MarkedOutput } from './marked-output.ts';
import { ShellChannel } from './shell-channel.ts';
import { endMark, lastWord, shellReady } from './supervisor.ts';
import { plainName } from './table.ts';
import { letGo, type Wires } from './wires.ts';

/** Characters of reports and of diagnostics that are kept; an honest supervisor sends far less. */
const reportLimit = 16_384;
const diagnosticsLimit = 4_096;

export interface LaunchPlan {
  program: string;
  arguments: string[];
  environment: { [name: string]: string };
  folder: string;
}

/** How a supervisor ended. */
export interface Ending {
  /** The program couldn't be started or ended before the command was begun, and what it said. */
  notStarted?: string;
  exit: number | null;
  signal: string | null;
  /** Names of processes that the command left running in its namespace. */
  left: string[];
}

export class Launch {
  readonly pid: number | undefined;
  /** Standard output and error of the command, in one stream. */
  readonly output: Socket;
  /** What is typed goes here; undefined where the command has no input. */
  readonly input: Socket | undefined;
  readonly isTerminal: boolean;
  /** What the command's shell says of its folders. */
  readonly shell: ShellChannel;
  /** Resolves when the supervisor is gone; its output may still be open where others hold it. */
  readonly exited: Promise<void>;
  /** Resolves when the supervisor is gone and all that it and the command said has been read. */
  readonly closed: Promise<void>;
  /** Resolves when the shell waits for its command, or is gone. */
  readonly ready: Promise<void>;
  /** Resolves when the command is over, has left nothing running and its output is here; or else when the supervisor is gone. */
  readonly over: Promise<void>;
  readonly #mark: string = randomUUID();
  readonly #marked = new MarkedOutput(endMark(this.#mark));
  #settleOver: () => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #control: Socket;
  readonly #channel: Socket;
  readonly #diagnosis: Socket;
  #report = '';
  #diagnostics = '';
  #failure: string | undefined;
  #handedOver = false;

  /** Throws when there are no file descriptors left for it; the wires are the caller's to close then. */
  constructor(plan: LaunchPlan, wires: Wires) {
    const child = spawn(plan.program, plan.arguments, {
      cwd: plan.folder,
      env: plan.environment,
      // A session of its own: no terminal to read from or to be stopped by, and one group to end.
      detached: true,
      stdio: [wires.input, wires.output, 'pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.pid = child.pid;
    // First of all: a failure to start is told by an event, which nobody may miss.
    this.exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', (error) => {
        this.#failure = error.message;
        resolve();
      });
    });
    // Every pipe of a child is a socket in Node, whatever its type declares.
    const streams = (child.stdio ?? []) as (Socket | null | undefined)[];
    const [input, output, diagnosis, control, channel] = streams;
    const reader = wires.reader ?? output;
    // Without free file descriptors Node makes no pipes either.
    if (!reader || !diagnosis || !control || !channel) throw new Error('too many files are open');
    letGo(wires);
    this.output = reader;
    this.input = wires.writer ?? input ?? undefined;
    this.isTerminal = wires.isTerminal;
    this.#control = control;
    this.#channel = channel;
    this.#diagnosis = diagnosis;
    this.shell = new ShellChannel(channel);
    const isRead = new Promise<void>((resolve) => reader.once('close', () => resolve()));
    const isTold = new Promise<void>((resolve) => diagnosis.once('close', () => resolve()));
    this.closed = Promise.all([this.exited, isRead, isTold]).then(() => undefined);
    this.ready = Promise.race([this.shell.ready, this.exited]);
    const isOver = new Promise<void>((resolve) => {
      this.#settleOver = resolve;
    });
    this.over = Promise.race([isOver, this.exited]);
    this.#collect();
  }

  #collect(): void {
    this.#diagnosis.on('data', (chunk: Buffer) => {
      this.#diagnostics = (this.#diagnostics + chunk.toString('latin1')).slice(0, diagnosticsLimit);
    });
    this.#control.on('data', (chunk: Buffer) => {
      this.#report = (this.#report + chunk.toString('latin1')).slice(0, reportLimit);
      if (this.isOver) this.#settleOver();
    });
    // The other end may be gone at any moment; how the supervisor ended is told by its exit.
    for (const stream of this.#streams) stream.on('error', () => {});
  }

  get #streams(): Socket[] {
    const own = [this.output, this.#control, this.#channel, this.#diagnosis];
    return this.input === undefined || this.input === this.output ? own : [...own, this.input];
  }

  /** What of a piece of output is the command's own and can be passed on. */
  pass(chunk: Buffer): Buffer {
    const own = this.#marked.pass(chunk);
    if (this.isOver) this.#settleOver();
    return own;
  }

  /** The last of the output, when nothing more comes. */
  rest(): Buffer {
    return this.#marked.rest();
  }

  /** The command is over in the ordinary way, and there is nothing of it to wait for. A signal is only told by the supervisor's end. */
  get isOver(): boolean {
    return this.#marked.isReached && this.#report.includes('\nalone\n') && (this.#reported ?? 128) < 128;
  }

  /** The exit code that the supervisor has reported. */
  get #reported(): number | undefined {
    const [, code] = /^done (\d+)$/m.exec(this.#report) ?? [];
    return code === undefined ? undefined : Number(code);
  }

  /** The process that ends the command together with Reins, where no namespace does. */
  get watch(): number | undefined {
    const [, pid] = /^watch (\d+)$/m.exec(this.#report) ?? [];
    return pid === undefined ? undefined : Number(pid);
  }

  /** Whether it can still take a command. */
  get usable(): boolean {
    return !this.#handedOver && this.alive && this.#failure === undefined;
  }

  get alive(): boolean {
    return this.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Gives it its one command, and the real path of the folder to start in. */
  handOver(command: string, folder: string): void {
    this.#handedOver = true;
    this.hold();
    this.shell.handOver(command, folder);
    // Left open: the supervisor's end of it tells that Reins is alive.
    this.#control.write(`${this.#mark}\n`);
  }

  /** Stops reading: what can't be ended may hold the streams open for ever. */
  abandon(): void {
    if (!this.#control.destroyed) this.#control.write(lastWord);
    for (const stream of this.#streams) stream.destroy();
  }

  /** Keeps the process of Reins from ending as long as this one runs. */
  hold(): void {
    for (const handle of [this.#child, ...this.#streams]) handle.ref();
  }

  /** Lets the process of Reins end although this one runs: it ends with it. */
  release(): void {
    for (const handle of [this.#child, ...this.#streams]) handle.unref();
  }

  /** How it ended; call it once it is over or has exited. */
  get ending(): Ending {
    if (this.isOver) return { exit: this.#reported ?? null, signal: null, left: [] };
    const lines = this.#report.split('\n');
    const { exitCode: exit, signalCode: signal } = this.#child;
    if (!this.shell.isReady) return { notStarted: this.#reason(), exit: null, signal: null, left: [] };
    const left = lines.filter((line) => line.startsWith('left ')).map((line) => plainName(line.slice(5)));
    if (!this.shell.hasBegun && exit === 125) return { notStarted: this.#reason(), exit: null, signal: null, left };
    const isReported = lines.some((line) => line.startsWith('done '));
    const bySignal = !isReported || (this.#diagnostics.split(shellReady)[1] ?? '') !== '';
    const ended = signal ?? (bySignal ? signalOf(exit) : null);
    return { exit: ended === null ? exit : null, signal: ended, left };
  }

  #reason(): string {
    const said = this.#failure ?? this.#diagnostics.replace(shellReady, '').trim();
    if (said !== '') return said.slice(0, 1000);
    const { exitCode, signalCode } = this.#child;
    return signalCode === null ? `it ended with code ${exitCode}` : `it was ended by ${signalCode}`;
  }
}

/** The signal that a shell's exit code stands for. */
function signalOf(code: number | null): string | null {
  const number = (code ?? 0) - 128;
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? null;
}
