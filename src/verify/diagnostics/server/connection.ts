/** A conversation with one language server: requests with their answers, and what it says by itself. */
import { frame, Frames } from './frames.ts';
import type { Program } from './program.ts';

type Params = { readonly [key: string]: unknown };

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

export class Connection {
  readonly #program: Program;
  readonly #frames = new Frames();
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly #said: (method: string, params: unknown) => void;
  #last = 0;
  #isOver = false;

  constructor(program: Program, said: (method: string, params: unknown) => void) {
    this.#program = program;
    this.#said = said;
    program.onOutput((chunk) => this.#take(chunk));
    void program.ended.then(() => this.#stop());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The answer; undefined for an error, and when the server ends. */
  ask(method: string, params: Params): Promise<unknown> {
    if (this.#isOver) return Promise.resolve(undefined);
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#program.write(frame({ id, method, params }));
    return answer;
  }

  tell(method: string, params: Params): void {
    if (!this.#isOver) this.#program.write(frame({ method, params }));
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#program.end();
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      for (const message of this.#frames.take(chunk)) this.#handle(message);
    } catch {
      void this.close(); // It doesn't speak the protocol: there is nothing to be had from it.
    }
  }

  #handle(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const { id, method, params, result } = message as Message;
    if (typeof method !== 'string') {
      if (typeof id !== 'number') return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
      return;
    }
    if (id === undefined) return this.#said(method, params);
    this.#program.write(frame({ id, result: answerTo(method, params) }));
  }

  #stop(): void {
    this.#isOver = true;
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }
}

/** Servers ask for their settings and announce what they will do; nothing of it is granted or set. */
function answerTo(method: string, params: unknown): unknown {
  if (method !== 'workspace/configuration') return null;
  const { items } = (params ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items.map(() => null) : [];
}
