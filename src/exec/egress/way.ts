/** From a target to the way there: granted, looked up once, each address checked, and connected to no other. */
import { connect, type Socket } from 'node:net';
import {
  codeOf,
  FetchFailure,
  onlyAddresses,
  openTunnel,
  resolveHost,
  systemResolve,
  type Route,
} from '../fetch/index.ts';
import { defaultLimits, type EgressOptions } from './needs.ts';
import { authorityOf, type Target } from './target.ts';

/** Why a request ends here, as an answer of HTTP: 403 for what isn't allowed, 502 for what can't be reached. */
export interface Refused {
  /** For the model. */
  refused: string;
  /** For the record, where it is shorter. */
  reason?: string;
  status: 400 | 403 | 405 | 429 | 502;
}

export type { Route };

/** The way to a target that was granted already. */
export async function wayTo(target: Target, secure: boolean, options: EgressOptions): Promise<Route | Refused> {
  const { resolve = systemResolve, allowAddresses = [], proxyFor } = options;
  const resolved = await resolveHost(target.host, resolve, allowAddresses);
  if ('refused' in resolved) return { refused: resolved.refused, status: 403 };
  const proxy = proxyFor?.(urlOf(target, secure));
  if (proxy !== undefined) return { proxy };
  return 'unknown' in resolved ? { refused: resolved.unknown.refused, status: 502 } : resolved;
}

export function urlOf(target: Target, secure: boolean): URL {
  return new URL(`${secure ? 'https' : 'http'}://${authorityOf(target)}/`);
}

/** A connection along a way. Rejects with a FetchFailure or an error of Node. */
export async function connectBy(way: Route, target: Target, options: EgressOptions): Promise<Socket> {
  const { ca, limits } = options;
  const limit = limits?.connect ?? defaultLimits.connect;
  if ('proxy' in way) {
    return openTunnel(way.proxy, urlOf(target, true), { ca, signal: AbortSignal.timeout(limit) });
  }
  const { host, port } = target;
  const socket = connect({ host, port, lookup: onlyAddresses(way.addresses), allowHalfOpen: true, noDelay: true });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new FetchFailure('It took too long.')), limit);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** Why there is no connection, in words. */
export function unreached(target: Target, error: unknown): Refused {
  const why = error instanceof FetchFailure ? error.message : `(${codeOf(error)})`;
  return { refused: `There is no connection to ${authorityOf(target)}: ${why}`, status: 502 };
}
