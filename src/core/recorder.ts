/** record(event): the one way into the log. Serialises, appends, folds; whoever watches is told after the fold. */
import { ReinsError } from './errors.ts';
import type { Draft, Event, EventId } from './events.ts';
import type { Clock, Log, Record } from './ports.ts';
import { fold, type View } from './view.ts';

/** What is recorded of a draft, where that isn't all of it; throws where nothing of it may be. */
export type Admit = (draft: Draft) => Draft;

export class Recorder {
  readonly view: View;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #admit: Admit;
  readonly #listeners = new Set<(event: Event) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #wake: AbortController | undefined;

  constructor(view: View, log: Log, clock: Clock, admit: Admit = (draft) => draft) {
    this.view = view;
    this.#log = log;
    this.#clock = clock;
    this.#admit = admit;
  }

  /** Records a draft on the head. Resolves with the event when it is written and folded. */
  readonly record: Record = (draft) => this.#enqueue(() => this.#append(draft));

  /** Records what `make` gives for the view as it is when its turn comes; undefined records nothing. */
  readonly recordIf = (make: (view: View) => Draft | undefined): Promise<Event | undefined> =>
    this.#enqueue(async () => {
      const draft = make(this.view);
      return draft === undefined ? undefined : this.#append(draft);
    });

  /** Records a draft that was decided on when `head` was the last event; undefined when something else has been recorded since. */
  readonly recordAfter = (head: EventId | null, draft: Draft): Promise<Event | undefined> =>
    this.recordIf((view) => (view.head === head ? draft : undefined));

  sync(): Promise<void> {
    return this.#log.sync();
  }

  /** Resolves when everything that was to be recorded until now is, or has failed. */
  async drained(): Promise<void> {
    await this.#queue;
  }

  /** Aborted at the next event; take it anew after each. */
  get wake(): AbortSignal {
    this.#wake ??= new AbortController();
    return this.#wake.signal;
  }

  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined); // The caller has the rejection; the queue only keeps the order.
    return done;
  }

  async #append(draft: Draft): Promise<Event> {
    const parent = this.view.head;
    const admitted = this.#admit(draft);
    const event = await this.#log.append({ parent, at: this.#clock.now(), ...admitted }).catch((error: unknown) => {
      if (error instanceof ReinsError) throw error;
      throw new ReinsError('log-append-failed', 'An event could not be written to the log.', { cause: error });
    });
    fold(this.view, event);
    this.#wake?.abort();
    this.#wake = undefined;
    for (const listener of this.#listeners) listener(event);
    return event;
  }
}
