/** A model provider on loopback: answers from a scenario or a handler, records what it was asked, refuses what a provider refuses. */
import type { AddressInfo } from 'node:net';
import type { Scenario, Stage } from '../scenario/index.ts';
import type { Hold } from './holds.ts';
import type { PrefixBreak } from './prefix.ts';
import type { RecordedRequest } from './record.ts';
import { Service, type Handler, type Refusal, type ServiceOptions } from './service.ts';

export interface ModelServer {
  /** Base URL, without a path. */
  url: string;
  /** Requests for a reply, in the order in which they came. */
  requests: RecordedRequest[];
  /** Every refusal, those of requests for other things included. */
  refusals: Refusal[];
  /** Requests that don't extend the one before them. */
  prefixBreaks: PrefixBreak[];
  /** Resolves with request `number`, counted from 1, as soon as it is there; rejects after `within` milliseconds (default 10,000). */
  waitForRequest(number: number, within?: number): Promise<RecordedRequest>;
  /** Has the reply to request `number` wait at a stage (default before its headers) until it is released. */
  hold(number: number, stage?: Stage): Hold;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a model server on a free port of 127.0.0.1. By the path of a request it speaks the Messages API of Anthropic, or Chat
 * Completions or Responses of OpenAI; streaming and not, and it counts tokens where the API does.
 * @throws ReinsError `scenario-invalid` when the scenario needs a value that isn't given.
 */
export async function startModelServer(source: Scenario | Handler, options: ServiceOptions = {}): Promise<ModelServer> {
  const service = new Service(source, options);
  // Loaded here: whoever imports this part for something else doesn't pay for it.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    service.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // Idle connections stay open, as a provider's do for longer than a test lasts; held replies may take as long as they want.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const end = () =>
    new Promise<void>((resolve, reject) => {
      service.log.close();
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    });
  let closed: Promise<void> | undefined;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: service.log.requests,
    refusals: service.refusals,
    prefixBreaks: service.prefix.breaks,
    waitForRequest: (number, within = 10_000) => service.log.wait(number, within),
    hold: (number, stage = 'before-headers') => service.holds.place(number, stage),
    close: () => (closed ??= end()),
  };
}
