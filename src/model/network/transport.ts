/**
 * HTTP out: one POST and its streamed answer over kept-alive connections, with limits of its own for connecting, for the first byte
 * and for silence. It knows nothing of providers, retries or prices, and it follows no redirects: a key must not travel.
 */
import { Connections } from './connections.ts';
import { Exchange, type HttpEnd, type HttpRequest, type HttpSink, type Timeouts } from './exchange.ts';
import { proxyChoice, type ProxySettings } from './proxy.ts';

/** Limits in milliseconds; a provider may think for minutes before it says anything. */
export const defaultTimeouts: Timeouts = {
  connect: 10_000,
  firstByte: 600_000,
  silence: 360_000,
  keptAlive: 1_800_000,
  stale: 5_000,
};

export interface TransportOptions {
  /** The proxies of the environment, as values; none by default. */
  proxy?: ProxySettings;
  timeouts?: Partial<Timeouts>;
  /** Certificates (PEM) to trust besides the system's and those that Node was started with. */
  ca?: string;
}

export interface Transport {
  /**
   * Sends a request and hands the answer to the sink as it comes. Never rejects for what a network does: that is in the end. Rejects
   * with `cassette-unwritable` and `replay-diverged` where exchanges are recorded or played back.
   */
  exchange(request: HttpRequest, sink: HttpSink): Promise<HttpEnd>;
  /** Opens a connection to the server of an address before it is needed. Never rejects. */
  prepareConnection(url: URL): Promise<void>;
  /** Ends all connections. */
  close(): void;
}

/** Throws `config-invalid` for a proxy that can't be used. */
export function createTransport(options: TransportOptions = {}): Transport {
  const connections = new Connections(proxyChoice(options.proxy), options.ca);
  const timeouts: Timeouts = { ...defaultTimeouts, ...options.timeouts };
  return {
    exchange: (request, sink) => new Exchange(connections, request, sink, timeouts).run(),
    prepareConnection: (url) => connections.prepare(url, timeouts.connect),
    close: () => connections.close(),
  };
}
