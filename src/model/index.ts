/** The door of the model. */
export { castEffort } from './sending/index.ts';
export { rateCard, type CardEntry } from './cards/index.ts';
export {
  brokenCost,
  byName,
  cost,
  credible,
  estimateTokens,
  findModel,
  modelsOf,
  providerName,
  providerNames,
  vendorNamed,
  vendors,
  type ModelEntry,
  type ModelFacts,
  type ProviderFacts,
  type UserCatalogue,
  type Vendor,
} from './catalogue/index.ts';
export {
  createSseParser,
  createTransport,
  defaultTimeouts,
  loginOf,
  type HttpEnd,
  type HttpHead,
  type HttpRequest,
  type HttpSink,
  proxyChoice,
  type ProxySettings,
  type SseEvent,
  type SseParser,
  type Timeouts,
  type Transport,
  type TransportOptions,
} from './network/index.ts';
export { classify, nextTry, type Complaint, type NextTry, type ProviderFailure } from './failures/index.ts';
export type { Cassette, Normaliser, Surroundings } from './cassettes/index.ts';
export { requestUrl, type Link } from './link.ts';
export { createModel, type ModelOptions } from './model.ts';
export type { RequestBodies } from './needs.ts';
export { loadWire, wireNames } from './registry.ts';
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
