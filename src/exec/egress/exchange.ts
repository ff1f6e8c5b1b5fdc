/** One request passed on and its answer passed back, both as they stream. */
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { Agent } from 'node:https';
import { onlyAddresses, openTunnel, proxyLogin, proxyPlace, trust } from '../fetch/index.ts';
import { passedOn } from './headers.ts';
import type { Flow } from './ledger.ts';
import { defaultLimits, type EgressOptions } from './needs.ts';
import type { Target } from './target.ts';
import type { Route } from './way.ts';

export interface Order {
  target: Target;
  /** The whole address. */
  url: URL;
  way: Route;
  /** Names and values in turn. */
  headers: string[];
  /** For https addresses: keeps connections to them. */
  agent?: Agent;
  /** Changes the headers of the answer. */
  answer?: (headers: string[]) => string[];
  flow: Flow;
}

/** Resolves when the answer is over or the client gone; rejects when there is none, and nothing of it was passed back. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  order: Order,
  options: EgressOptions,
): Promise<void> {
  const { flow, answer = (headers) => headers } = order;
  const headers = [...order.headers, ...framing(request)];
  const outgoing = await open(request.method ?? 'GET', { ...order, headers }, options);
  if (response.destroyed) return void outgoing.destroy();
  const idle = options.limits?.idle ?? defaultLimits.idle;
  outgoing.setTimeout(idle, () => outgoing.destroy(new Error('silent')));
  response.once('close', () => outgoing.destroy());
  request.on('data', (chunk: Buffer) => (flow.sent += chunk.length));
  if (hasBody(request)) request.pipe(outgoing);
  else outgoing.end();
  return new Promise((resolve, reject) => {
    outgoing.once('response', (incoming) => {
      const { statusCode = 502, statusMessage = '', rawHeaders } = incoming;
      incoming.on('data', (chunk: Buffer) => (flow.received += chunk.length));
      incoming.once('error', () => response.destroy()); // Cut off there, cut off here.
      try {
        response.writeHead(statusCode, statusMessage, answer(passedOn(rawHeaders)));
      } catch (error) {
        outgoing.destroy();
        return reject(error);
      }
      incoming.pipe(response);
      return response.once('close', resolve);
    });
    // Beyond an answer's head there is nobody to tell: the client sees the end of it.
    outgoing.on('error', (error) => (response.headersSent ? response.destroy() : reject(error)));
    outgoing.once('close', () => (response.headersSent ? undefined : reject(new Error('closed'))));
  });
}

/** A body that isn't framed for the next connection as it was for this one would be read there as a request of its own. */
function framing({ headers }: IncomingMessage): string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

async function open(method: string, order: Order, options: EgressOptions): Promise<ClientRequest> {
  const { url, way, headers, target, agent } = order;
  const { ca, limits } = options;
  const maxHeaderSize = limits?.head ?? defaultLimits.head;
  const common = { method, path: `${url.pathname}${url.search}`, headers, maxHeaderSize };
  const isSecure = url.protocol === 'https:';
  const { host, port } = target;
  if ('addresses' in way) {
    const direct = { ...common, host, port, lookup: onlyAddresses(way.addresses) };
    if (!isSecure) return httpRequest({ ...direct, agent: false });
    return secure({ ...direct, ...(agent !== undefined && { agent }), ...(await trust(ca)) });
  }
  const { proxy } = way;
  if (isSecure) {
    const trusted = await trust(ca);
    const signal = AbortSignal.timeout(limits?.connect ?? defaultLimits.connect);
    const socket = await openTunnel(proxy, url, { ca, signal });
    const { connect } = await import('node:tls');
    const createConnection = () => connect({ socket, host, servername: host, ALPNProtocols: ['http/1.1'], ...trusted });
    // No agent: it would connect by itself.
    return secure({ ...common, host, createConnection });
  }
  const login = Object.entries(proxyLogin(proxy)).flat();
  const relayed = {
    ...common,
    ...proxyPlace(proxy),
    path: url.href,
    headers: [...headers, ...login],
    agent: false,
  } as const;
  return proxy.protocol === 'https:' ? secure({ ...relayed, ...(await trust(ca)) }) : httpRequest(relayed);
}

async function secure(options: RequestOptions): Promise<ClientRequest> {
  const { request } = await import('node:https');
  return request(options);
}
