/** What the server keeps of each request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../core/index.ts';
import type { Question } from '../script/index.ts';

/**
 * How a request ended: with its whole reply, with a scripted failure, refused with an error, or because the client went away.
 */
export type RequestOutcome = 'replied' | 'failed' | 'refused' | 'aborted';

export interface RecordedRequest {
  /** Counted from 1, over the requests for a reply. */
  number: number;
  /** Milliseconds since the epoch. */
  at: number;
  method: string;
  path: string;
  /** Names in lower case; of keys and tokens only that they were there. */
  headers: { [name: string]: string };
  /** The body, exactly; unpacked where it was sent packed. */
  bytes: Buffer;
  /** The body as JSON; empty when it isn't a JSON object. */
  body: JsonObject;
  /** The request in neutral words. */
  question: Question;
  /** Which turn of the scenario it came to. */
  place?: string;
  /** Absent while it is being answered. */
  outcome?: RequestOutcome;
  /** Resolves with the outcome. */
  finished: Promise<RequestOutcome>;
}

const secretHeader = /^(x-api-key|api-key|x-goog-api-key|authorization|proxy-authorization|cookie)$/;

export function withoutKeys(headers: IncomingHttpHeaders): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeader.test(name) ? 'withheld' : [value].flat().join(', '),
    ]),
  );
}

/** The requests so far, and who waits for more of them. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly #waiting = new Set<{
    number: number;
    resolve: (request: RecordedRequest) => void;
    reject: (error: Error) => void;
  }>();

  add(request: RecordedRequest): void {
    this.requests.push(request);
    for (const waiter of this.#waiting) if (waiter.number === request.number) waiter.resolve(request);
  }

  /** Resolves with a request, counted from 1, as soon as it is there. Rejects when it isn't within the time, in milliseconds. */
  wait(number: number, within: number): Promise<RecordedRequest> {
    const there = this.requests[number - 1];
    if (there) return Promise.resolve(there);
    const { promise, resolve, reject } = Promise.withResolvers<RecordedRequest>();
    const waiter = { number, resolve, reject };
    this.#waiting.add(waiter);
    const timer = setTimeout(() => {
      reject(new Error(`Request ${number} did not come within ${within} ms; there are ${this.requests.length}.`));
    }, within);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(waiter);
    });
  }

  close(): void {
    for (const { reject, number } of this.#waiting) {
      reject(new Error(`The server was closed before request ${number} came.`));
    }
  }
}
