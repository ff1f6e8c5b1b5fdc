/** The door of fetching pages from the web. */
export { createFetcher, type Fetcher, type FetcherOptions } from './fetcher.ts';
export type { Failure } from './failure.ts';
export type { Page } from './page.ts';
