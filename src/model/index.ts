/** The door of the model. */
export {
  byName,
  findModel,
  modelsOf,
  providerNames,
  type ModelEntry,
  type ModelFacts,
  type ProviderFacts,
  type UserCatalogue,
} from './catalogue.ts';
export { defaultTimeouts, createTransport, type Transport, type TransportOptions } from './transport.ts';
export type { HttpEnd, HttpHead, HttpRequest, HttpSink, Timeouts } from './exchange.ts';
export { classify, type Complaint, type ProviderFailure } from './failures.ts';
export type { Cassette, Normaliser, Surroundings } from './cassettes/index.ts';
export { requestUrl, type Link } from './link.ts';
export { createModel, type ModelOptions } from './model.ts';
export type { RequestBodies } from './needs.ts';
export type { ProxySettings } from './proxy.ts';
export { rateCard, type CardEntry } from './rate-card.ts';
export { brokenCost, cost, estimateTokens } from './rates.ts';
export { loadWire, wireNames } from './registry.ts';
export { nextTry, type NextTry } from './retry.ts';
export { createSseParser, type SseEvent, type SseParser } from './sse.ts';
export { providerName, vendorNamed, vendors, type Vendor } from './vendors.ts';
export type {
  ByteRange,
  Canonical,
  CanonicalBlock,
  Decoded,
  DecodedReply,
  Decoder,
  Delta,
  Encoded,
  ErrorAnswer,
  Expected,
  LeftOut,
  Order,
  Wire,
} from './wire.ts';

/** Recording and playing back; loaded only where one of them is asked for. */
export const loadCassettes = () => import('./cassettes/index.ts');
