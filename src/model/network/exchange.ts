/** One request and its answer, from connecting to the last byte that is wanted. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ConnectError, loginOf, type ConnectProblem } from './connect.ts';
import type { Connections, Route, RouteOptions } from './connections.ts';
import { decoded } from './content-encoding.ts';
import { isKeepAlive } from './keep-alive.ts';
import type { Headers } from '../failures/index.ts';

/** Milliseconds. */
export interface Timeouts {
  /** From the start until the connection is there, name look-up, proxy and TLS included. */
  connect: number;
  /** From sending until the first byte of the answer's body. */
  firstByte: number;
  /** Between two pieces of the body, whatever they hold. */
  silence: number;
  /** Between two pieces of the body that hold more than a sign of life. */
  keptAlive: number;
  /** From sending on a connection that had been idle; a reset within it only means that the server had given the connection up. */
  stale: number;
}

export interface HttpRequest {
  url: URL;
  headers: Headers;
  body: Uint8Array;
  signal: AbortSignal;
}

export interface HttpHead {
  status: number;
  headers: Headers;
}

/** Takes an answer in. `data` gives false when it has enough; then the exchange ends at once. */
export interface HttpSink {
  head(head: HttpHead): void;
  data(chunk: Buffer): boolean;
}

export type BrokenProblem = ConnectProblem | 'first-byte-timeout' | 'silence-timeout' | 'not-http' | 'bad-request';

/** `sent` tells whether the server can have read the request. */
export type HttpEnd =
  | { kind: 'ended' | 'enough' }
  | { kind: 'aborted'; sent: boolean }
  | { kind: 'broken'; problem: BrokenProblem; message: string; sent: boolean };

/** What is still read of an answer that nobody wants any more, so that its connection can be used again. */
const drainLimit = { bytes: 65_536, milliseconds: 2_000 };

export class Exchange {
  private readonly connections: Connections;
  private readonly order: HttpRequest;
  private readonly sink: HttpSink;
  private readonly timeouts: Timeouts;
  private readonly route: Route;
  private request: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** When something came that was more than a sign of life. */
  private saidAt = 0;
  private sent = false;
  private answered = false;
  /** When the request was put on a connection that had been idle: that it is reset at once says nothing about the server. */
  private onIdleSince: number | undefined;
  private retried = false;
  private settle: ((end: HttpEnd) => void) | undefined;

  constructor(connections: Connections, order: HttpRequest, sink: HttpSink, timeouts: Timeouts) {
    this.connections = connections;
    this.order = order;
    this.sink = sink;
    this.timeouts = timeouts;
    this.route = connections.route(order.url);
  }

  run(): Promise<HttpEnd> {
    const { signal } = this.order;
    const onAbort = () => this.finish({ kind: 'aborted', sent: this.sent });
    return new Promise((resolve) => {
      this.settle = (end) => {
        signal.removeEventListener('abort', onAbort);
        resolve(end);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      return this.start();
    });
  }

  private start(): void {
    try {
      this.request = this.open();
    } catch (error) {
      // Node refuses to send a header or path with characters that HTTP doesn't allow.
      const message = error instanceof Error ? error.message : String(error);
      return this.finish({ kind: 'broken', problem: 'bad-request', message, sent: false });
    }
    this.request.on('socket', (socket) => {
      const wasIdle = this.request?.reusedSocket === true || this.connections.hadWaited(socket);
      this.onIdleSince = wasIdle ? performance.now() : undefined;
      this.sent = true;
      this.limit('first-byte-timeout', this.timeouts.firstByte);
    });
    this.request.on('response', (response) => this.receive(response));
    this.request.on('error', (error) => this.onError(error));
    this.request.end(this.order.body);
    return undefined;
  }

  private open(): ClientRequest {
    const { url, headers, body, signal } = this.order;
    const { route } = this;
    // Through a proxy, a request without a tunnel names its whole target.
    const isRelayed = route.proxy !== undefined && !route.secure;
    const login = isRelayed && route.proxy !== undefined ? loginOf(route.proxy) : undefined;
    const options: RouteOptions = {
      agent: this.connections,
      route,
      connectLimit: this.timeouts.connect,
      given: signal,
      method: 'POST',
      host: route.host,
      port: route.port,
      path: isRelayed ? `http://${url.host}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
      headers: {
        ...headers,
        host: url.host,
        'accept-encoding': 'identity',
        'content-length': body.length,
        ...(login === undefined ? {} : { 'proxy-authorization': login }),
      },
    };
    return httpRequest(options);
  }

  private receive(response: IncomingMessage): void {
    if (this.settle === undefined) return;
    this.answered = true;
    this.saidAt = performance.now();
    const headers = flatHeaders(response);
    this.sink.head({ status: response.statusCode ?? 0, headers });
    const body = decoded(response, headers['content-encoding']);
    if (body === undefined) {
      const message = `The answer is encoded as ${headers['content-encoding']}, which wasn’t asked for.`;
      return this.finish({ kind: 'broken', problem: 'not-http', message, sent: true });
    }
    response.on('data', () => this.limit('silence-timeout', this.timeouts.silence));
    response.on('error', (error) => this.onError(error));
    if (body !== response) body.on('error', (error) => this.onError(error));
    body.on('data', (chunk: Buffer) => this.take(chunk, response, body));
    body.on('end', () => this.finish({ kind: 'ended' }));
    return undefined;
  }

  private take(chunk: Buffer, response: IncomingMessage, body: Readable): void {
    if (this.settle === undefined) return;
    if (this.sink.data(chunk)) return this.watch(chunk);
    const { request } = this;
    this.request = undefined;
    this.finish({ kind: 'enough' });
    if (request !== undefined) drain(request, response, body);
    return undefined;
  }

  /** A server that is alive may think for long, but not for ever: each sign of life is measured against what was last said. */
  private watch(chunk: Buffer): void {
    const now = performance.now();
    if (!isKeepAlive(chunk)) {
      this.saidAt = now;
      return;
    }
    if (now - this.saidAt < this.timeouts.keptAlive) return;
    const message = `The server only kept the connection alive for ${this.timeouts.keptAlive / 1_000} s.`;
    this.finish({ kind: 'broken', problem: 'silence-timeout', message, sent: true });
  }

  /** Starts or restarts the one limit that holds now. */
  private limit(problem: 'first-byte-timeout' | 'silence-timeout', milliseconds: number): void {
    clearTimeout(this.timer);
    if (this.settle === undefined) return;
    const what = problem === 'silence-timeout' ? 'The reply went silent' : 'The server sent nothing';
    const message = `${what} for ${milliseconds / 1_000} s.`;
    this.timer = setTimeout(() => this.finish({ kind: 'broken', problem, message, sent: true }), milliseconds);
  }

  private onError(error: Error): void {
    if (this.settle === undefined) return;
    if (!this.isStale(error)) return this.finish(this.brokenBy(error));
    this.retried = true;
    this.onIdleSince = undefined;
    this.sent = false;
    clearTimeout(this.timer);
    this.connections.dropIdle(this.route);
    return this.start();
  }

  /** A reset after a longer time may have ended real work of the server: that is a failure to be seen, and may cost. */
  private isStale(error: Error): boolean {
    if (this.onIdleSince === undefined || this.answered || this.retried || codeOf(error) === 'HPE') return false;
    return performance.now() - this.onIdleSince < this.timeouts.stale;
  }

  private brokenBy(error: Error): HttpEnd {
    if (error instanceof ConnectError) {
      const sent = this.sent;
      return { kind: 'broken', problem: error.problem, message: error.message, sent };
    }
    if (codeOf(error) === 'HPE') {
      const message = `The server doesn’t speak HTTP: ${error.message}`;
      return { kind: 'broken', problem: 'not-http', message, sent: true };
    }
    const when = this.answered ? 'in the middle of the reply' : 'before an answer came';
    const message = `The connection broke ${when}: ${error.message}`;
    return { kind: 'broken', problem: 'lost', message, sent: this.sent };
  }

  private finish(end: HttpEnd): void {
    const { settle } = this;
    if (settle === undefined) return;
    this.settle = undefined;
    clearTimeout(this.timer);
    if (end.kind !== 'ended') this.request?.destroy();
    settle(end);
  }
}

/** Lets the rest of an answer pass, so that the connection stays; a rest that is long or slow costs the connection. */
function drain(request: ClientRequest, response: IncomingMessage, body: Readable): void {
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), drainLimit.milliseconds);
  timer.unref();
  body.removeAllListeners('data');
  if (body !== response) response.unpipe();
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainLimit.bytes) request.destroy();
  });
  response.on('close', () => clearTimeout(timer));
  response.resume();
}

/** The code of an error of Node; HPE for all errors of its HTTP parser. */
function codeOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('HPE_') ? 'HPE' : code;
}

/** Each header once, in lower case; repeated ones joined. */
function flatHeaders(response: IncomingMessage): Headers {
  const flat: Headers = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
