/** Commands that outlive the process of the session: each under a supervisor of its own, found again by its id. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import type { CommandOutcome, CommandRequest } from '../command.ts';
import {
  PatternSearch,
  type JobKeeper,
  type JobListener,
  type JobLook,
  type JobReport,
  type JobState,
  type Refusal,
} from '../jobs/index.ts';
import type { Environment } from '../needs.ts';
import type { SandboxName, SandboxOptions } from '../sandbox/index.ts';
import { readLines, sendLine } from './lines.ts';
import type { Answer, Begun, KeptFilter, KeptOrder, Question } from './order.ts';
import { reach } from './place.ts';
import {
  idsIn,
  isKeptId,
  isSupervised,
  makeFolder,
  newId,
  readEnd,
  readRecord,
  removeFolder,
  type KeptRecord,
} from './record.ts';

export interface KeptOptions {
  /** The folder of all kept jobs of this user; made when it is first needed. */
  jobs: string;
  /** Only those of this workspace (its real path) are seen; all of them when left out. */
  workspace?: string;
}

/** What a job is started with; without it, none can be. */
export interface KeptStart extends JobListener {
  sandbox: SandboxName;
  grants?: SandboxOptions['grants'];
  limits?: SandboxOptions['limits'];
  environment: Environment;
  secretNames: readonly string[];
  /** Names of variables that it gets although they hold secrets. */
  pass?: readonly string[];
  /** Folders that no command may see. */
  hide: readonly string[];
  /** What its output goes through before it is kept or shown. */
  filter?: () => Promise<KeptFilter>;
  /** Milliseconds that a job may live. */
  lifetime: number;
}

/** Kept jobs of one user that may run at once. */
const mostRunning = 10;
/** Milliseconds in which a supervisor must have started its job. */
const longestStart = 15_000;
/** Milliseconds after which a job that is over is forgotten. */
const remembered = 7 * 24 * 3_600_000;

export class KeptJobs implements JobKeeper {
  readonly #options: KeptOptions;
  readonly #start: KeptStart | undefined;

  constructor(options: KeptOptions, start?: KeptStart) {
    this.#options = options;
    this.#start = start;
  }

  has(id: string): boolean {
    return this.#record(id) !== undefined;
  }

  async list(): Promise<JobState[]> {
    return this.#ids().flatMap((id) => {
      const record = this.#record(id);
      return record === undefined ? [] : [stateOf(record, this.#folder(id))];
    });
  }

  async look(id: string, { pattern, wait }: JobLook, signal: AbortSignal): Promise<JobReport | Refusal> {
    const asked = pattern === undefined ? {} : { pattern: { source: pattern.source, flags: pattern.flags } };
    const answer = await this.#ask(id, { do: 'look', ...asked, wait }, signal);
    if (answer === undefined) return this.#last(id, pattern);
    return 'report' in answer ? { ...answer.report, ...this.#lifetime(id) } : unexpected(answer);
  }

  async type(id: string, input: string): Promise<null | Refusal> {
    const answer = await this.#ask(id, { do: 'type', input });
    if (answer === undefined) return { refused: `${id} has ended already.` };
    return 'typed' in answer ? null : unexpected(answer);
  }

  async end(id: string): Promise<JobReport | Refusal> {
    const answer = await this.#ask(id, { do: 'end' });
    if (answer === undefined) return this.#last(id, undefined);
    return 'report' in answer ? answer.report : unexpected(answer);
  }

  /** Starts one, and waits for as long as the request says for what it writes. */
  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    const began = performance.now();
    const sandboxed = this.#start !== undefined && this.#start.sandbox !== 'none';
    const empty = { exit: null, signal: null, timedOut: false, cancelled: false, head: '', tail: '' };
    const nothing = { ...empty, omitted: 0, bytes: 0, dropped: 0, elapsed: 0, sandboxed };
    const begun = await this.#begin(request);
    if ('refused' in begun) return { ...nothing, notStarted: begun.refused, elapsed: performance.now() - began };
    const { id } = begun;
    const report = await this.look(id, { wait: request.timeout }, signal);
    const elapsed = performance.now() - began;
    if ('refused' in report) return { ...nothing, job: id, elapsed, hint: report.refused };
    const { output, omitted, state, exit = null, signal: bySignal = null } = report;
    const shown = { head: output, omitted, bytes: Buffer.byteLength(output) + omitted };
    if (state === 'running') return { ...nothing, ...shown, job: id, elapsed };
    return { ...nothing, ...shown, exit, signal: bySignal, elapsed };
  }

  /** Forgets jobs that were over long ago. */
  prune(now: number): void {
    for (const id of idsIn(this.#options.jobs)) {
      const record = readRecord(this.#folder(id));
      if (record !== undefined && !isSupervised(record) && now - record.until > remembered)
        removeFolder(this.#options.jobs, id);
    }
  }

  async #begin({ command, folder, terminal = false, call }: CommandRequest): Promise<{ id: string } | Refusal> {
    const { jobs, workspace } = this.#options;
    if (this.#start === undefined || workspace === undefined) return { refused: 'commands can’t be kept here' };
    if (command.includes('\0')) return { refused: 'it holds a NUL character' };
    this.prune(Date.now());
    const running = idsIn(jobs)
      .flatMap((id) => readRecord(this.#folder(id)) ?? [])
      .filter(isSupervised);
    if (running.length >= mostRunning) return { refused: `${mostRunning} kept jobs run already; end one first` };
    const { lifetime, sandbox, secretNames, pass = [], hide, grants, limits, filter, onJob } = this.#start;
    const id = newId();
    const place = makeFolder(jobs, id);
    const until = Date.now() + lifetime;
    const environment = definedOnly(this.#start.environment);
    const common = { id, command, workspace, terminal, until, environment, sandbox, grants, limits };
    const order = {
      ...common,
      ...(folder !== undefined && { folder }),
      secretNames: [...secretNames],
      pass: [...pass],
      hide: [...hide],
      ...(filter !== undefined && { filter: await filter() }),
    };
    const begun = await startSupervisor(place, order);
    if ('refused' in begun) {
      removeFolder(jobs, id);
      return begun;
    }
    onJob?.({ id, command, kept: true, ...(call !== undefined && { call }) });
    return { id };
  }

  /** What the supervisor says; undefined when there is none any more. */
  async #ask(id: string, question: Question, signal?: AbortSignal): Promise<Answer | undefined> {
    const record = this.#record(id);
    if (record === undefined) return { refused: `There is no kept job ${JSON.stringify(id)} here.` };
    const socket = isSupervised(record) ? await reach(this.#folder(id)) : undefined;
    return socket === undefined ? undefined : ask(socket, question, signal);
  }

  #last(id: string, pattern: RegExp | undefined): JobReport | Refusal {
    const record = this.#record(id);
    if (record === undefined) return { refused: `There is no kept job ${JSON.stringify(id)} here.` };
    const end = readEnd(this.#folder(id));
    const state = stateOf(record, this.#folder(id));
    const output = end?.output ?? '';
    const matched = pattern === undefined ? undefined : new PatternSearch(pattern).begin([output]);
    if (typeof matched === 'object') return matched;
    return { ...state, output, omitted: end?.omitted ?? 0, ...(matched !== undefined && { matched }) };
  }

  #lifetime(id: string): { until?: number } {
    const record = this.#record(id);
    return record === undefined ? {} : { until: record.until };
  }

  #folder(id: string): string {
    return join(this.#options.jobs, id);
  }

  #ids(): string[] {
    return idsIn(this.#options.jobs).filter((id) => this.has(id));
  }

  #record(id: string): KeptRecord | undefined {
    const record = isKeptId(id) ? readRecord(this.#folder(id)) : undefined;
    const { workspace } = this.#options;
    return workspace === undefined || record?.workspace === workspace ? record : undefined;
  }
}

function stateOf(record: KeptRecord, folder: string): JobState {
  const { id, command, startedAt, until } = record;
  const known = { id, kind: 'kept' as const, command, startedAt, until };
  const end = readEnd(folder);
  if (end === undefined) return { ...known, state: isSupervised(record) ? 'running' : 'lost' };
  const { state, exit = null, signal = null } = end;
  return { ...known, state, exit, signal };
}

function definedOnly(environment: Environment): { [name: string]: string } {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Detached, and with nothing of ours but its order: it must not end with us, nor hold us open. */
async function startSupervisor(folder: string, order: KeptOrder): Promise<Begun> {
  const { supervisorFile } = await import('./kept-supervisor.ts');
  const child = spawn(process.execPath, [supervisorFile], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: order.environment['PATH'] },
  });
  const { stdin, stdout } = child;
  stdin.on('error', () => undefined); // It ended before it read: told by its silence.
  stdin.end(JSON.stringify(order));
  const said = await new Promise<string>((resolve) => {
    let text = '';
    const late = setTimeout(() => resolve(''), longestStart);
    const done = (): void => {
      clearTimeout(late);
      resolve(text);
    };
    stdout.setEncoding('utf8');
    stdout.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) done();
    });
    child.once('exit', done);
    child.once('error', done);
  });
  stdout.destroy();
  child.unref();
  if (said !== '') return JSON.parse(said) as Begun;
  child.kill('SIGKILL');
  return { refused: 'its supervisor could not be started' };
}

function ask(socket: Socket, question: Question, signal: AbortSignal | undefined): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    readLines(socket, (message) => {
      resolve(message as Answer);
      socket.end();
    });
    socket.once('close', () => resolve(undefined));
    signal?.addEventListener('abort', () => socket.destroy(), { once: true });
    if (signal?.aborted === true) socket.destroy();
    else sendLine(socket, question);
  });
}

function unexpected(answer: Answer): Refusal {
  return 'refused' in answer ? answer : { refused: 'its supervisor gave no usable answer' };
}
