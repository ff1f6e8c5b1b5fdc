/** One GET: over a connection to an address that was looked at, or through the user's proxy. */
import {
  request as httpRequest,
  STATUS_CODES,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { LookupFunction } from 'node:net';
import { hostOf, portOf } from './address.ts';
import { readBody, type Body } from './body.ts';
import { FetchFailure } from './failure.ts';
import { openTunnel, proxyLogin, proxyPlace } from './proxy.ts';
import { trust } from './trust.ts';

/** Where the connection goes: to one of these addresses and nowhere else, or through this proxy. */
export type Route = { addresses: readonly string[] } | { proxy: URL };

export interface GetOptions {
  userAgent: string;
  /** Bytes of the body that are kept at most. */
  limit: number;
  /** Further certificates to trust, PEM. */
  ca: string | undefined;
  signal: AbortSignal;
}

export interface Head {
  status: number;
  /** What the status means, in the words of the standard. */
  meaning: string;
  location: string | undefined;
  contentType: string | undefined;
  /** Bytes of the body as it is sent, if the server says so. */
  length: number | undefined;
}

export interface Answer extends Body {
  head: Head;
}

/** Bytes of the headers of an answer. */
const longestHead = 32_768;

/** The body is read only where `wanted` says so of the head. Rejects with a FetchFailure or an error of Node. */
export async function get(
  url: URL,
  route: Route,
  options: GetOptions,
  wanted: (head: Head) => boolean,
): Promise<Answer> {
  const request = await open(url, route, options);
  try {
    const response = await answerTo(request);
    const head = headOf(response);
    if (!wanted(head)) return { head, bytes: Buffer.alloc(0), cut: false };
    return { head, ...(await readBody(response, options.limit)) };
  } finally {
    request.on('error', () => undefined); // Its failure has been reported; what comes now is the closing.
    request.destroy();
  }
}

async function open(url: URL, route: Route, options: GetOptions): Promise<ClientRequest> {
  const common = {
    method: 'GET',
    path: `${url.pathname}${url.search}`,
    headers: headersFor(url, options.userAgent),
    maxHeaderSize: longestHead,
    signal: options.signal,
  };
  const isSecure = url.protocol === 'https:';
  if (!('proxy' in route)) {
    const direct = {
      ...common,
      host: hostOf(url),
      port: portOf(url),
      agent: false,
      lookup: onlyAddresses(route.addresses),
    } as const;
    return isSecure ? secureRequest({ ...direct, ...(await trust(options.ca)) }) : httpRequest(direct);
  }
  const { proxy } = route;
  if (isSecure) {
    const trusted = await trust(options.ca);
    const socket = await openTunnel(proxy, url, options);
    const { connect } = await import('node:tls');
    const host = hostOf(url);
    const createConnection = () => connect({ socket, host, servername: host, ALPNProtocols: ['http/1.1'], ...trusted });
    return secureRequest({ ...common, host, createConnection });
  }
  const relayed = {
    ...common,
    ...proxyPlace(proxy),
    path: url.href,
    headers: { ...common.headers, ...proxyLogin(proxy) },
  };
  return proxy.protocol === 'https:'
    ? secureRequest({ ...relayed, ...(await trust(options.ca)) })
    : httpRequest(relayed);
}

/** No cookie, no referrer, nothing that tells one user from another. */
function headersFor(url: URL, userAgent: string): { [name: string]: string } {
  return {
    host: url.host,
    'user-agent': userAgent,
    accept:
      'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5',
    'accept-encoding': 'gzip, br',
  };
}

/** A look-up that knows the answer: the name isn't asked for a second time, when it could lead elsewhere. */
export function onlyAddresses(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_name, { all }, done) => {
    const [first] = found;
    if (all === true) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  };
}

async function secureRequest(options: RequestOptions): Promise<ClientRequest> {
  const { request } = await import('node:https');
  return request(options);
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.on('upgrade', () => reject(new FetchFailure('The server wants to speak another protocol.')));
    request.on('close', () =>
      reject(new FetchFailure({ refused: 'The server closed the connection.', transient: true })),
    );
    request.end();
  });
}

function headOf(response: IncomingMessage): Head {
  const { statusCode: status = 0, headers } = response;
  const length = Number(headers['content-length'] ?? Number.NaN);
  return {
    status,
    meaning: STATUS_CODES[status] ?? 'no standard meaning',
    location: headers.location,
    contentType: headers['content-type'],
    length: Number.isSafeInteger(length) && length >= 0 ? length : undefined,
  };
}
