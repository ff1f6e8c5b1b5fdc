/** What one command connected to, and what was refused: told as each connection ends. */
import type { Connection } from './needs.ts';
import { authorityOf, type Target } from './target.ts';

/** A connection that goes on; `sent`: bytes from the command. */
export interface Flow {
  sent: number;
  received: number;
  end(): void;
}

/** Refusals that a hint holds. */
const mostHints = 3;

export class Ledger {
  readonly #tell: (connection: Connection) => void;
  readonly #most: number;
  readonly #open = new Set<Flow>();
  readonly #refusals = new Map<string, string>();
  #count = 0;
  #call: string | undefined;

  constructor(tell: (connection: Connection) => void, most: number) {
    this.#tell = tell;
    this.#most = most;
  }

  belongsTo(call: string): void {
    this.#call = call;
  }

  /** One command fills neither the log nor the harness. */
  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  begin({ host, port }: Target, reason: string): Flow {
    this.#count += 1;
    const flow: Flow = {
      sent: 0,
      received: 0,
      end: () => {
        if (!this.#open.delete(flow)) return;
        const { sent, received } = flow;
        this.#say({ host, port, allowed: true, reason, sent, received });
      },
    };
    this.#open.add(flow);
    return flow;
  }

  /** `refused` is for the model, `reason` for the record. */
  refuse(target: Target, { refused, reason = refused }: { refused: string; reason?: string }): void {
    this.#count += 1;
    if (this.#refusals.size < mostHints) this.#refusals.set(authorityOf(target), refused);
    if (!this.isFull) this.#say({ ...target, allowed: false, reason });
  }

  /** In words for the model; undefined where nothing was refused. */
  get hint(): string | undefined {
    if (this.#refusals.size === 0) return undefined;
    return [...new Set(this.#refusals.values())].join(' ');
  }

  close(): void {
    for (const flow of this.#open) flow.end();
  }

  #say(connection: Connection): void {
    this.#tell({ ...(this.#call !== undefined && { call: this.#call }), ...connection });
  }
}
