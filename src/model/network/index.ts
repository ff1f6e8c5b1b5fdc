/** HTTP out: one request and its streamed answer, over connections that stay. */
export { loginOf } from './connect.ts';
export type { BrokenProblem, HttpEnd, HttpHead, HttpRequest, HttpSink, Timeouts } from './exchange.ts';
export { networkFailure } from './network-failures.ts';
export { proxyChoice, type ProxySettings } from './proxy.ts';
export { createSseParser, type SseEvent, type SseParser } from './sse.ts';
export { createTransport, defaultTimeouts, type Transport, type TransportOptions } from './transport.ts';
