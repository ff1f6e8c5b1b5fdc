/** What leads to a model: its wire, its address and its key. */
import { ReinsError, type Target } from '../core/index.ts';
import type { Headers } from './failures/index.ts';
import type { Wire } from './wire.ts';

export interface Link {
  wire: Wire;
  baseUrl: string;
  /**
   * Headers of the endpoint, the key among them; asked for anew for each request. Rejects with a coded error where there is no key, and
   * at once when the signal is aborted.
   */
  headers(signal: AbortSignal): Headers | Promise<Headers>;
}

/** The address of a request; a base that already ends in the version isn't given it twice. Throws `config-invalid` for a base URL that isn't one. */
export function requestUrl({ baseUrl, wire }: Link, target: Target): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ReinsError('config-invalid', `The base URL "${baseUrl}" is no http:// or https:// URL.`);
  const [path = '', query] = wire.path(target).split('?');
  const base = url.pathname.replace(/\/+$/, '');
  const version = /^\/v\d+\w*(?=\/)/.exec(path)?.[0];
  const isVersioned = version !== undefined && /\/v\d+\w*$/.test(base);
  url.pathname = base + (isVersioned ? path.slice(version.length) : path);
  if (query !== undefined) url.search = url.search === '' ? query : `${url.search}&${query}`;
  return url;
}
