/** The door of the model. */
export { defaultModel, findModel, type ModelEntry } from './catalogue.ts';
export { defaultTimeouts, createTransport, type Transport, type TransportOptions } from './transport.ts';
export type { HttpEnd, HttpHead, HttpRequest, HttpSink, Timeouts } from './exchange.ts';
export { classify, type Complaint, type ProviderFailure } from './failures.ts';
export { createModel, type ConnectedModel, type Endpoint, type ModelOptions } from './model.ts';
export type { RequestBodies } from './needs.ts';
export type { ProxySettings } from './proxy.ts';
export { rateCard, type CardEntry } from './rate-card.ts';
export { brokenCost, cost, estimateTokens, worstCost } from './rates.ts';
export { loadWire, wireNames } from './registry.ts';
export { nextTry, type NextTry } from './retry.ts';
export { createSseParser, type SseEvent, type SseParser } from './sse.ts';
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
  Standing,
  Wire,
} from './wire.ts';
