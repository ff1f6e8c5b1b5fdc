/** Fetches pages for the model: only from hosts that the user granted, only from public addresses, within limits. */
import { hostOf, readAddress } from './address.ts';
import { PageCache } from './cache.ts';
import { failureOf, FetchFailure, type Failure } from './failure.ts';
import { grantsOf, notGrantedText, type Hosts, type IsGranted } from './grants.ts';
import { isReadable, pageOf, type Page } from './page.ts';
import { get, type Answer, type Route } from './request.ts';
import { resolveHost, systemResolve, type Resolve } from './resolve.ts';

export interface FetchLimits {
  /** Bytes of a page that are loaded; 5,000,000. */
  bytes: number;
  /** Milliseconds from the look-up of the name to the last byte, redirects included; 30,000. */
  time: number;
  /** Redirects that are followed; 5. */
  redirects: number;
  /** Milliseconds that laying out a page may take; 10,000. Then its bare text must do. */
  layoutTime: number;
  /** Megabytes that it may take; 256. */
  layoutMemory: number;
}

const defaultLimits: FetchLimits = {
  bytes: 5_000_000,
  time: 30_000,
  redirects: 5,
  layoutTime: 10_000,
  layoutMemory: 256,
};

export interface FetcherOptions {
  /** Hosts that the user granted. */
  hosts: Hosts;
  /** How it calls itself: `reins/1.0.0`. */
  userAgent: string;
  /** The user's proxy for an address. It looks names up itself, so it is used only where the hosts were granted by name. */
  proxyFor?: (url: URL) => URL | undefined;
  /** Looks names up; the system does when left out. */
  resolve?: Resolve;
  /** Addresses that may be connected to although they aren't public. For tests alone: no setting leads here. */
  allowAddresses?: readonly string[];
  /** Further certificates to trust, PEM. */
  ca?: string;
  limits?: Partial<FetchLimits>;
  /** The time in milliseconds, for how long a page is kept. */
  now?: () => number;
}

export interface Fetcher {
  /**
   * The page behind an address, from the last minutes if it was fetched then. Refused, with the reason: what isn't granted, isn't
   * public, doesn't answer with a page in time, or was aborted.
   */
  fetch(url: string, signal: AbortSignal): Promise<Page | Failure>;
}

/** Throws `config-invalid` for a granted host that is none. */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new GrantedFetcher(options);
}

class GrantedFetcher implements Fetcher {
  readonly #options: FetcherOptions;
  readonly #limits: FetchLimits;
  readonly #isGranted: IsGranted;
  readonly #cache: PageCache;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#isGranted = grantsOf(options.hosts);
    this.#cache = new PageCache(options.now ?? Date.now);
  }

  async fetch(text: string, signal: AbortSignal): Promise<Page | Failure> {
    const address = readAddress(text);
    if ('refused' in address) return address;
    const known = this.#isGranted(address) ? this.#cache.get(address.href) : undefined;
    if (known !== undefined) return known;
    const over = AbortSignal.timeout(this.#limits.time);
    const way = { at: address };
    try {
      const answer = await this.#follow(way, AbortSignal.any([signal, over]));
      const { layoutTime: time, layoutMemory: memory } = this.#limits;
      const page = await pageOf(way.at, answer, { time, memory }, signal);
      this.#cache.put(address.href, page);
      return page;
    } catch (error) {
      if (signal.aborted) return { refused: 'Nothing was fetched.' };
      if (over.aborted) return { refused: `${way.at.host} took longer than ${this.#limits.time / 1000} seconds.` };
      return redirected(address, way.at, failureOf(error, way.at.host));
    }
  }

  /** Follows redirects to an answer with a page; `way` says how far it has come. Each step is judged like the first. */
  async #follow(way: { at: URL }, signal: AbortSignal): Promise<Answer> {
    const { userAgent, ca } = this.#options;
    const { bytes, redirects } = this.#limits;
    for (let left = redirects; ; left--) {
      const url = way.at;
      const route = await this.#route(url, signal);
      const answer = await get(
        url,
        route,
        { userAgent, ca, limit: bytes, signal },
        ({ status, contentType }) => isGood(status) && isReadable(contentType),
      );
      const { status, location } = answer.head;
      if (isGood(status)) return answer;
      if (!isRedirect(status) || location === undefined) throw statusFailure(url, answer);
      if (left === 0) throw new FetchFailure(`It was redirected more than ${redirects} times.`);
      way.at = nextAddress(url, location);
    }
  }

  async #route(url: URL, signal: AbortSignal): Promise<Route> {
    const { hosts, proxyFor, resolve = systemResolve, allowAddresses = [] } = this.#options;
    if (!this.#isGranted(url)) throw new FetchFailure(notGrantedText(url, hosts));
    const proxy = proxyFor?.(url);
    if (proxy !== undefined && hosts === 'any') throw new FetchFailure(behindProxyText);
    const resolved = await unlessAborted(resolveHost(hostOf(url), resolve, allowAddresses), signal);
    if ('refused' in resolved) throw new FetchFailure(resolved.refused);
    if (proxy !== undefined) return { proxy };
    if ('unknown' in resolved) throw new FetchFailure(resolved.unknown);
    return resolved;
  }
}

const behindProxyText =
  'The web is reached through a proxy here, which looks names up itself: then pages are fetched only from hosts that the user grants by name.';

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function nextAddress(from: URL, location: string): URL {
  const next = readAddress(URL.parse(location, from.href)?.href ?? location);
  if ('refused' in next) throw new FetchFailure(`It redirects to something that isn’t fetched. ${next.refused}`);
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new FetchFailure('It redirects from https to http, which isn’t followed.');
  }
  return next;
}

const busy = [502, 503, 504];

function statusFailure(url: URL, { head: { status, meaning } }: Answer): FetchFailure {
  const login = status === 401 || status === 403 ? ' Pages are fetched without any login.' : '';
  const text = `${url.host} answered with status ${status} (${meaning}).${login}`;
  return new FetchFailure(busy.includes(status) ? { refused: text, transient: true } : text);
}

/** A failure on the way says where the way had led. */
function redirected(from: URL, to: URL, failure: Failure): Failure {
  if (from.host === to.host) return failure;
  return { ...failure, refused: `${from.host} redirects to ${to.host}. ${failure.refused}` };
}

/** A look-up can't be called off; what comes of it then is left alone. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new FetchFailure('Aborted.')), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort('done');
  }
}
