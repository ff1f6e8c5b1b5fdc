/** One command that goes on in the background of the session. */
import type { Captured } from '../output/index.ts';
import type { CommandEnd } from '../sandbox/index.ts';
import type { End, Running } from '../running.ts';
import { endedText } from '../words.ts';
import type { JobEnd, JobLook, JobReport, JobState, Refusal } from './keeper.ts';
import { portionText } from './report.ts';
import { typeInto } from './typing.ts';
import { waitFor } from './wait.ts';

export interface JobParts {
  id: string;
  running: Running;
  /** What the sandbox has to say when a command is over, and of a failure, by its output. */
  inspect: () => string | undefined;
  explain: (output: string, end: CommandEnd, hasPassage: boolean) => string | undefined;
  onEnd: (end: JobEnd) => void;
}

export class Job {
  readonly id: string;
  /** Resolves when all of it is over. */
  readonly over: Promise<void>;
  readonly #running: Running;
  readonly #startedAt: number;
  #ended: { state: 'exited' | 'ended'; exit: number | null; signal: string | null } | undefined;
  /** It is the session's end that ends it. */
  #isClosing = false;
  /** What is still to be said about it. */
  #notes: string[] = [];
  /** The last of its output, until it is told. */
  #last: Captured | undefined;

  constructor(parts: JobParts) {
    const { id, running } = parts;
    this.id = id;
    this.#running = running;
    this.#startedAt = Math.round(Date.now() - (performance.now() - running.began));
    running.launch.release();
    this.over = this.#follow(parts);
  }

  get isRunning(): boolean {
    return this.#ended === undefined;
  }

  get state(): JobState {
    const { command } = this.#running.order;
    const known = { id: this.id, kind: 'job' as const, command, startedAt: this.#startedAt };
    return this.#ended === undefined ? { ...known, state: 'running' } : { ...known, ...this.#ended };
  }

  async look(look: JobLook, signal: AbortSignal): Promise<JobReport | Refusal> {
    const { feed } = this.#running;
    const texts = this.#last === undefined ? feed.peek() : [this.#last.head, this.#last.tail];
    const { isRunning, over } = this;
    const listen = (listener: (chunk: Buffer) => void) => feed.listen(listener);
    const matched = await waitFor({ isRunning, over, texts, listen }, look, signal);
    if (typeof matched !== 'boolean') return matched;
    // As it is now: what comes after this belongs to the next look.
    const { state } = this;
    if (signal.aborted && look.untoldOnAbort === true) return { ...state, output: '', omitted: 0 };
    const portion = portionText(await this.#take(), this.#notes.splice(0));
    return { ...state, ...portion, ...(look.pattern !== undefined && { matched }) };
  }

  async type(input: string): Promise<null | Refusal> {
    if (!this.isRunning) return { refused: `${this.id} has ended already.` };
    return typeInto(this.#running.launch, this.id, input);
  }

  /** Ends all of it, with a moment to clean up. */
  async end(): Promise<JobReport | Refusal> {
    this.#running.interrupt('ended');
    await this.over;
    return this.look({ wait: 0 }, new AbortController().signal);
  }

  /** Ends all of it at once, because the session does. */
  async close(): Promise<void> {
    if (!this.isRunning) return;
    this.#isClosing = true;
    await this.#running.kill();
    await this.over;
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  async #take(): Promise<Captured> {
    const last = this.#last;
    this.#last = undefined;
    return last ?? this.#running.feed.take();
  }

  async #follow({ inspect, explain, onEnd }: JobParts): Promise<void> {
    const stop = await this.#running.goOn();
    const end: End = await this.#running.conclude(stop);
    const { exit, signal, captured } = end;
    this.#last = captured;
    const refused = this.#running.disconnect();
    const text = `${captured.head}\n${captured.tail}`;
    const hasFailed = exit !== 0 && stop === 'exit';
    const cause = refused ?? (hasFailed ? explain(text, { exit, signal }, this.#running.isConnected) : undefined);
    const said = [endedText(stop, end.ended, this.#running.limits), cause, inspect()];
    this.#notes.push(...said.filter((note) => note !== undefined));
    this.#ended = { state: stop === 'exit' ? 'exited' : 'ended', exit, signal };
    const how = this.#isClosing ? 'session' : this.#ended.state;
    onEnd({ id: this.id, how, exit, ...(signal !== null && { signal }) });
  }
}
