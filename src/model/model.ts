/** The model behind the core's port: a wire, a transport and an endpoint, put together. */
import {
  estimatedInput,
  messagesOf,
  ReinsError,
  type AskModel,
  type EventData,
  type EventId,
  type Model,
  type ModelOutcome,
  type Notify,
  type PreparedRequest,
  type SetupData,
  type Source,
  type View,
} from '../core/index.ts';
import { attempt, type AttemptFailure, type AttemptReply } from './attempt.ts';
import { brokenPart, commonPrefix } from './difference.ts';
import { Fingerprints } from './fingerprint.ts';
import type { RequestBodies } from './needs.ts';
import { quote, secretsOf } from './quote.ts';
import { brokenCost, cost, worstCost } from './rates.ts';
import { nextTry } from './retry.ts';
import type { Headers } from './told-wait.ts';
import type { Transport } from './transport.ts';
import type { Canonical, Delta, Encoded, Wire } from './wire.ts';

/** Bytes of a tail that still go into the log itself. */
const longestTail = 65_536;

export interface Endpoint {
  baseUrl: string;
  /** Headers of the endpoint, the key among them; asked for anew for each request. */
  headers(): Headers | Promise<Headers>;
}

export interface ModelOptions extends RequestBodies {
  wire: Wire;
  transport: Transport;
  endpoint: Endpoint;
  source: Source;
  /** Milliseconds since the epoch. */
  clock: { now(): number };
  /** A number from 0 up to but not including 1. */
  random: () => number;
}

export interface ConnectedModel extends Model {
  /** Opens the connection before the first request needs it. Never rejects. */
  prepareConnection(): Promise<void>;
}

/** What the last request was, so that the next is compared without reading the log. */
interface LastRequest {
  id: EventId;
  body: Uint8Array;
  canonical: Canonical;
}

/** What is known of a request when it is prepared and needed when it is sent. */
interface Context {
  encoded: Encoded;
  setup: SetupData;
  firstFailureAt: number | undefined;
}

/** Throws `config-invalid` for a base URL that isn't one. */
export function createModel(options: ModelOptions): ConnectedModel {
  return new WiredModel(options);
}

class WiredModel implements ConnectedModel {
  private readonly options: ModelOptions;
  private readonly url: URL;
  private readonly contexts = new WeakMap<PreparedRequest, Context>();
  private readonly fingerprints = new Fingerprints();
  private last: LastRequest | undefined;

  constructor(options: ModelOptions) {
    this.options = options;
    this.url = requestUrl(options.endpoint.baseUrl, options.wire.path(options.source));
  }

  prepareConnection(): Promise<void> {
    return this.options.transport.prepareConnection(this.url);
  }

  async prepare(view: View, ask: AskModel): Promise<PreparedRequest> {
    const { setup } = view;
    if (setup === undefined) throw new ReinsError('defect', 'A request needs a setup.');
    const { wire, source } = this.options;
    const encoded = wire.encode(setup, messagesOf(view), ask.maxOutput, source);
    const { body } = encoded;
    const input = estimatedInput(view);
    const worst = worstCost(input, ask.maxOutput, setup.rates);
    const data: EventData['request'] = {
      turn: ask.turn,
      attempt: ask.attempt,
      source,
      fingerprint: this.fingerprints.of(body),
      ...(await this.difference(encoded, view.lastRequest)),
      bytes: body.length,
      reserved: { input, output: ask.maxOutput, ...(worst === undefined ? {} : { cost: worst }) },
      ...(ask.closing ? { closing: true } : {}),
    };
    const request = { data, body };
    this.contexts.set(request, { encoded, setup, firstFailureAt: view.failure?.firstAt });
    return request;
  }

  async send(request: PreparedRequest, id: EventId, signal: AbortSignal, notify: Notify): Promise<ModelOutcome> {
    const context = this.contexts.get(request);
    if (context === undefined) throw new ReinsError('defect', 'A request is sent by the model that prepared it.');
    this.last = { id, body: context.encoded.body, canonical: context.encoded.canonical };
    const { wire, transport, endpoint, clock } = this.options;
    const startedAt = clock.now();
    const headers = { ...wire.headers(), ...(await endpoint.headers()) };
    // What an attempt showed is voided by whoever records its failure.
    const show = (delta: Delta) => notify({ ...delta, request: id });
    const result = await attempt(
      { url: this.url, headers, body: context.encoded.body, signal },
      { wire, transport, now: () => clock.now(), show },
    );
    if (result.kind === 'reply') return this.replied(result, context.setup, startedAt);
    return this.failed(result, request, context, secretsOf(headers));
  }

  /** The bytes against those of the request before, where those are known. */
  private async difference(
    encoded: Encoded,
    base: EventId | undefined,
  ): Promise<Pick<EventData['request'], 'base' | 'kept' | 'tail' | 'tailBlob' | 'extends' | 'broke'>> {
    const earlier = base === undefined ? undefined : await this.earlier(base);
    const kept = earlier === undefined ? 0 : commonPrefix(earlier.body, encoded.body);
    const tail = encoded.body.subarray(kept);
    const kind =
      tail.length <= longestTail ? { tail: tail.toString() } : { tail: '', tailBlob: await this.options.putBlob(tail) };
    // Where the bytes before can't be had, nothing is known to be extended; the first request extends nothing and breaks nothing.
    if (base === undefined || earlier === undefined) return { base: null, kept, ...kind, extends: base === undefined };
    const broke = earlier.canonical === undefined ? 'tools' : brokenPart(earlier.canonical, encoded.canonical);
    return { base, kept, ...kind, extends: broke === undefined, ...(broke === undefined ? {} : { broke }) };
  }

  private async earlier(id: EventId): Promise<{ body: Uint8Array; canonical: Canonical | undefined } | undefined> {
    if (this.last?.id === id) return this.last;
    const body = await this.options.previousBody(id);
    return body === undefined ? undefined : { body, canonical: this.options.wire.canonical(body) };
  }

  private replied(result: AttemptReply, setup: SetupData, startedAt: number): ModelOutcome {
    const { reply, firstByteAt, requestId } = result;
    const dollars = cost(reply.usage, setup.rates);
    return {
      kind: 'reply',
      data: {
        source: this.options.source,
        ...reply,
        ...(dollars === undefined ? {} : { cost: dollars }),
        firstByte: firstByteAt - startedAt,
        elapsed: this.options.clock.now() - startedAt,
        ...(requestId === undefined ? {} : { requestId }),
      },
    };
  }

  private failed(
    result: AttemptFailure,
    request: PreparedRequest,
    { setup, firstFailureAt }: Context,
    secrets: string[],
  ): ModelOutcome {
    const { failure, usage, requestId } = result;
    const { attempt: tries, reserved } = request.data;
    const now = this.options.clock.now();
    const next = nextTry(setup.retries, tries, firstFailureAt ?? now, now, failure, this.options.random);
    const said = quote(failure.message, secrets);
    const message = 'reason' in next && next.reason !== undefined ? `${said} ${next.reason}` : said;
    const estimated = { input: reserved.input, outputCharacters: result.outputCharacters };
    const dollars = result.unread ? 0 : brokenCost(usage, estimated, setup.rates);
    return {
      kind: 'failure',
      data: {
        class: failure.class,
        code: failure.code,
        message,
        ...(failure.status === undefined ? {} : { status: failure.status }),
        ...('retryAt' in next ? { retryAt: next.retryAt } : {}),
        ...(usage === undefined ? {} : { usage }),
        ...(dollars === undefined ? {} : { cost: dollars }),
        ...(requestId === undefined ? {} : { requestId }),
      },
    };
  }
}

/** The path below the base URL; a base that already ends in the version isn't given it twice. */
function requestUrl(baseUrl: string, path: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ReinsError('config-invalid', `The base URL "${baseUrl}" is no http:// or https:// URL.`);
  const base = url.pathname.replace(/\/+$/, '');
  const version = /^\/v\d+\w*(?=\/)/.exec(path)?.[0];
  const isVersioned = version !== undefined && base.endsWith(version);
  url.pathname = base + (isVersioned ? path.slice(version.length) : path);
  return url;
}
