/** The door of fetching pages from the web, and of what else connects outwards by the same rules of addresses. */
export { createFetcher, type Fetcher, type FetcherOptions } from './fetcher.ts';
export { codeOf, FetchFailure, type Failure } from './failure.ts';
export type { Page } from './page.ts';
export { openTunnel, proxyLogin, proxyPlace } from './proxy.ts';
export { isPublicAddress } from './public-address.ts';
export { onlyAddresses, type Route } from './request.ts';
export { resolveHost, systemResolve, type Resolve } from './resolve.ts';
export { trust } from './trust.ts';
