/** What a run may never need is loaded when it is first asked for. */
import type { Fetcher, FetcherOptions } from './fetch/index.ts';

/** Fetches pages; a host of the grants that is none is told by the first page. */
export function createFetcher(options: FetcherOptions): Fetcher {
  let fetcher: Promise<Fetcher> | undefined;
  return {
    async fetch(url, signal) {
      fetcher ??= import('./fetch/index.ts').then((fetching) => fetching.createFetcher(options));
      return (await fetcher).fetch(url, signal);
    },
  };
}

/** The store of checkpoints; a run that only reads never needs it. */
export function loadCheckpoints() {
  return import('./checkpoints/index.ts');
}

/** The way out for commands; without a granted host there is none. */
export function loadEgress() {
  return import('./egress/index.ts');
}
