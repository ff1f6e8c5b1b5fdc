/**
 * Connections to servers: opened directly or through a proxy, kept alive from turn to turn, or opened before they are needed.
 * What a request gets is connected already, so that everything before that counts as connecting.
 */
import { Agent, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { openSocket } from './connect.ts';
import { bareHost, portOf, type ProxyChoice } from './proxy.ts';

/** Where a connection leads; connections with the same key are interchangeable. */
export interface Route {
  key: string;
  secure: boolean;
  host: string;
  port: number;
  proxy: URL | undefined;
}

/** What a request hands through Node's agent to the opening of its connection. */
export interface RouteOptions extends ClientRequestArgs {
  route: Route;
  connectLimit: number;
  given: AbortSignal;
}

/** A connection that was opened for a request to come; `waiting` once it is there. */
interface Prepared {
  opening: Promise<Socket>;
  given: AbortController;
  waiting?: Socket;
}

/** Idle connections are given up after this time in milliseconds: routers on the way forget them, too. */
const longestIdle = 90_000;

export class Connections extends Agent {
  private readonly choose: ProxyChoice;
  private readonly ca: string | undefined;
  private readonly prepared = new Map<string, Prepared>();
  private readonly waited = new WeakSet<Duplex>();

  constructor(choose: ProxyChoice, ca: string | undefined) {
    super({ keepAlive: true, timeout: longestIdle });
    this.choose = choose;
    this.ca = ca;
  }

  route(url: URL): Route {
    const secure = url.protocol === 'https:';
    const host = bareHost(url);
    const port = portOf(url);
    const proxy = this.choose(url);
    const via = proxy === undefined ? '' : ` via ${proxy.protocol}//${proxy.host}`;
    return { key: `${url.protocol}//${url.host}${via}`, secure, host, port, proxy };
  }

  /** Opens a connection for the next request, unless one waits; a failure will be that request's to report. */
  async prepare(url: URL, connectLimit: number): Promise<void> {
    const route = this.route(url);
    const idle = this.freeSockets[route.key]?.some((socket) => !socket.destroyed) ?? false;
    if (idle || this.prepared.has(route.key)) return;
    const given = new AbortController();
    const opening = this.open(route, connectLimit, given.signal);
    const prepared: Prepared = { opening, given };
    this.prepared.set(route.key, prepared);
    const forget = () => {
      if (this.prepared.get(route.key) === prepared) this.prepared.delete(route.key);
    };
    try {
      const socket = await opening;
      prepared.waiting = socket;
      this.waited.add(socket);
      socket.once('close', forget);
      socket.setTimeout(longestIdle, () => {
        if (this.prepared.get(route.key) === prepared) socket.destroy();
      });
      socket.unref();
    } catch {
      forget(); // the request opens its own connection and reports what happens
    }
  }

  /** Whether a connection had been idle before its request: the server may have closed it meanwhile. */
  hadWaited(socket: Duplex): boolean {
    return this.waited.has(socket);
  }

  /** Gives up what is idle towards one server, so that the next request gets a new connection. */
  dropIdle(route: Route): void {
    for (const socket of this.freeSockets[route.key] ?? []) socket.destroy();
    this.prepared.get(route.key)?.waiting?.destroy();
  }

  close(): void {
    this.destroy();
    for (const { given, waiting } of this.prepared.values()) {
      given.abort();
      waiting?.destroy();
    }
    this.prepared.clear();
  }

  override getName(options?: ClientRequestArgs): string {
    return routeOptions(options)?.route.key ?? super.getName(options);
  }

  override createConnection(
    options: ClientRequestArgs,
    give?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const route = routeOptions(options);
    if (route === undefined || give === undefined) throw new TypeError('A request needs a route.');
    this.socketFor(route).then(
      (socket) => {
        give(null, socket);
      },
      // Node's type asks for a stream, its code takes none beside an error.
      (error: unknown) => (give as (error: unknown) => void)(error),
    );
  }

  private async socketFor({ route, connectLimit, given }: RouteOptions): Promise<Socket> {
    const prepared = this.prepared.get(route.key);
    this.prepared.delete(route.key);
    const stop = () => prepared?.given.abort();
    given.addEventListener('abort', stop, { once: true });
    // A preparation that failed says nothing about now.
    const socket = await prepared?.opening.catch(() => undefined);
    given.removeEventListener('abort', stop);
    if (socket === undefined || socket.destroyed) return this.open(route, connectLimit, given);
    socket.ref();
    return socket;
  }

  private async open(route: Route, connectLimit: number, signal: AbortSignal): Promise<Socket> {
    const socket = await openSocket(route, { limit: connectLimit, signal, ca: this.ca });
    socket.on('error', ignoreIdleError);
    return socket;
  }
}

function routeOptions(options: ClientRequestArgs | undefined): RouteOptions | undefined {
  return options !== undefined && 'route' in options ? (options as RouteOptions) : undefined;
}

/** A request hears of the errors of its connection itself; an idle one that breaks is simply gone, as its `close` says. */
function ignoreIdleError(): void {}
