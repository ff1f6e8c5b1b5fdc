/** Barriers: a reply waits at a stage until a test lets it go, so that no test needs to sleep. */
import type { Stage } from '../scenario/index.ts';
import type { RecordedRequest } from './record.ts';

export interface Hold {
  /** Resolves when the reply has come to the stage and waits there; rejects when the request ends without coming to it. */
  reached: Promise<RecordedRequest>;
  /** Lets the reply go on, or pass if it hasn't come yet. */
  release(): void;
}

interface PlacedHold {
  request: number;
  stage: Stage;
  reached: PromiseWithResolvers<RecordedRequest>;
  released: Promise<void>;
}

export class Holds {
  readonly #placed: PlacedHold[] = [];

  place(request: number, stage: Stage): Hold {
    const reached = Promise.withResolvers<RecordedRequest>();
    const released = Promise.withResolvers<void>();
    this.#placed.push({ request, stage, reached, released: released.promise });
    // Who doesn't await it doesn't want to know.
    reached.promise.catch(() => undefined);
    return { reached: reached.promise, release: () => released.resolve() };
  }

  has(request: RecordedRequest): boolean {
    return this.#placed.some((hold) => hold.request === request.number);
  }

  /** Waits until every hold that is placed here is released. */
  async pass(request: RecordedRequest, stage: Stage): Promise<void> {
    for (const hold of this.#placed) {
      if (hold.request !== request.number || hold.stage !== stage) continue;
      hold.reached.resolve(request);
      await hold.released;
    }
  }

  /** The request has ended: what it hasn't come to it never will. */
  ended(request: RecordedRequest): void {
    for (const hold of this.#placed) {
      if (hold.request !== request.number) continue;
      hold.reached.reject(new Error(`Request ${request.number} ended (${request.outcome}) before ${hold.stage}.`));
    }
  }
}
