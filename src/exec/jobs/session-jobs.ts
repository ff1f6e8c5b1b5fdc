/** The jobs of a session: they end with the process that runs it. */
import type { CommandEnd } from '../sandbox/index.ts';
import type { Running } from '../running.ts';
import { Job } from './job.ts';
import type { JobKeeper, JobListener, JobLook, JobReport, JobState, Refusal } from './keeper.ts';

/** Jobs that may run at once. */
const mostRunning = 20;
/** Jobs that are remembered after their end. */
const mostEnded = 100;
/** Milliseconds between two looks at what a running job could prepare against the world outside its sandbox. */
const betweenInspections = 1000;

/** A place among the running jobs, kept for a command that may become one. */
export interface JobSlot {
  /** The id that it has or would have as a job. */
  readonly id: string;
  /** From now on it is a job. */
  adopt(running: Running): void;
  /** It won't become one. */
  free(): void;
}

export interface SessionJobsOptions extends JobListener {
  /** Undoes what a command could prepare against the world outside, and says so. */
  inspect: () => string | undefined;
  /** What the sandbox's limits probably caused in a failed command. */
  explain: (output: string, end: CommandEnd, hasPassage: boolean) => string | undefined;
  /** Jobs that the session had before: their ids are not given again. */
  earlier?: number | undefined;
}

export class SessionJobs implements JobKeeper {
  readonly #options: SessionJobsOptions;
  readonly #jobs = new Map<string, Job>();
  #count: number;
  #reserved = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: SessionJobsOptions) {
    this.#options = options;
    this.#count = options.earlier ?? 0;
  }

  /** A place for one more, or why there is none. */
  reserve(): JobSlot | Refusal {
    if (this.#running.length + this.#reserved >= mostRunning) {
      return { refused: `${mostRunning} jobs run already, and there may be no more; end one first` };
    }
    this.#reserved += 1;
    let id: string | undefined;
    const name = (): string => (id ??= `job-${(this.#count += 1)}`);
    const free = (): void => {
      this.#reserved -= 1;
    };
    return {
      get id() {
        return name();
      },
      adopt: (running) => {
        free();
        this.#adopt(name(), running);
      },
      free,
    };
  }

  has(id: string): boolean {
    return this.#jobs.has(id);
  }

  async list(): Promise<JobState[]> {
    return [...this.#jobs.values()].map(({ state }) => state);
  }

  async look(id: string, look: JobLook, signal: AbortSignal): Promise<JobReport | Refusal> {
    return this.#jobs.get(id)?.look(look, signal) ?? gone(id);
  }

  async type(id: string, input: string): Promise<null | Refusal> {
    const job = this.#jobs.get(id);
    return job === undefined ? gone(id) : job.type(input);
  }

  async end(id: string): Promise<JobReport | Refusal> {
    return this.#jobs.get(id)?.end() ?? gone(id);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((job) => job.close()));
    clearInterval(this.#watch);
  }

  get isBusy(): boolean {
    return this.#running.length > 0;
  }

  get #running(): Job[] {
    return [...this.#jobs.values()].filter(({ isRunning }) => isRunning);
  }

  #adopt(id: string, running: Running): void {
    const { inspect, explain, onJob, onJobEnd } = this.#options;
    const { command, call } = running.order;
    onJob?.({ id, ...(call !== undefined && { call }), command, kept: false });
    const job = new Job({ id, running, inspect, explain, onEnd: (end) => onJobEnd?.(end) });
    this.#jobs.set(id, job);
    this.#watch ??= setInterval(() => this.#inspect(), betweenInspections).unref();
    void job.over.then(() => this.#forget());
  }

  /** What is done after each command in the foreground is done again and again while others run beside the session. */
  #inspect(): void {
    const said = this.#options.inspect();
    if (said !== undefined) for (const job of this.#running) job.note(said);
  }

  #forget(): void {
    const ended = [...this.#jobs.values()].filter(({ isRunning }) => !isRunning);
    for (const { id } of ended.slice(0, -mostEnded)) this.#jobs.delete(id);
    if (this.#running.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

function gone(id: string): Refusal {
  return { refused: `There is no job ${id} any more.` };
}
