/** The models behind the core's port: for each request the wire and the endpoint of its target, over one transport. */
import {
  estimatedInput,
  messagesOf,
  ReinsError,
  sourceOf,
  spent,
  targetName,
  targetNamed,
  tokensIn,
  worstCost,
  type AskModel,
  type EventData,
  type EventId,
  type FailureState,
  type Model,
  type ModelOutcome,
  type Notify,
  type PreparedRequest,
  type SetupData,
  type Target,
  type View,
} from '../core/index.ts';
import { attempt, unsent, type AttemptFailure, type AttemptReply } from './attempt.ts';
import { breakOf, commonPrefix, type Break } from './difference.ts';
import { Fingerprints } from './fingerprint.ts';
import { ImageStore } from './image-store.ts';
import { requestUrl, type Link } from './link.ts';
import type { RequestBodies } from './needs.ts';
import { failureText, nextTry, quote, secretsOf, type Headers, type NextTry } from './failures/index.ts';
import { affordableCharacters, brokenCost, cost, credible, missCost } from './catalogue/index.ts';
import { networkFailure, type Transport } from './network/index.ts';
import type { Canonical, Delta, Encoded } from './wire.ts';

/** Bytes of a tail that still go into the log itself. */
const longestTail = 65_536;
/** Characters of a provider's name for an exchange that are kept. */
const longestId = 200;

export interface ModelOptions extends RequestBodies {
  /** What leads to a target. Rejects with `config-invalid`; that there is no key is for the link to say. */
  link(target: Target): Promise<Link>;
  transport: Transport;
  /** Milliseconds since the epoch. */
  clock: { now(): number };
  /** A number from 0 up to but not including 1. */
  random: () => number;
  /** The same for all requests of a session, for caches that are found by a key. */
  cacheKey: string;
}

/** What the last request was, so that the next is compared without reading the log. */
interface LastRequest {
  id: EventId;
  body: Uint8Array;
  canonical: Canonical | undefined;
}

/** What is known of a request when it is prepared and needed when it is sent. */
interface Context {
  encoded: Encoded;
  setup: SetupData;
  /** The target as the setup has it, and as it is asked. */
  named: Target;
  target: Target;
  /** What is left of the money limit, in dollars. */
  left: number | undefined;
  link: Link;
  url: URL;
  before: FailureState | undefined;
}

export function createModel(options: ModelOptions): Model {
  return new LinkedModel(options);
}

class LinkedModel implements Model {
  private readonly options: ModelOptions;
  private readonly contexts = new WeakMap<PreparedRequest, Context>();
  private readonly fingerprints = new Fingerprints();
  private readonly images: ImageStore;
  /** Targets of which a provider refused something that it can do without. */
  private readonly mended = new WeakMap<Target, Target>();
  /** Keys that have been sent: never to be repeated. */
  private readonly secrets = new Set<string>();
  private last: LastRequest | undefined;

  constructor(options: ModelOptions) {
    this.options = options;
    this.images = new ImageStore((blob) => options.getBlob(blob));
  }

  async prepare(view: View, ask: AskModel): Promise<PreparedRequest> {
    const { setup } = view;
    if (setup === undefined) throw new ReinsError('defect', 'A request needs a setup.');
    const named = targetOf(setup, ask);
    const target = this.mended.get(named) ?? named;
    const link = await this.options.link(target);
    const messages = messagesOf(view, sourceOf(target));
    await this.images.load(messages);
    const image = (blob: string) => this.images.get(blob);
    const { maxOutput } = ask;
    const { cacheKey } = this.options;
    const encoded = link.wire.encode({ setup, target, messages, maxOutput, image, cacheKey });
    const { body, leftOut } = encoded;
    const input = estimatedInput(view, target);
    const worst = target.rates === undefined ? undefined : worstCost(input, maxOutput, target.rates);
    const data: EventData['request'] = {
      turn: ask.turn,
      attempt: ask.attempt,
      source: sourceOf(target),
      fingerprint: this.fingerprints.of(body),
      ...(ask.route === undefined ? {} : { route: ask.route }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(await this.difference(encoded, view, target, link)),
      bytes: body.length,
      reserved: { input, output: maxOutput, ...(worst === undefined ? {} : { cost: worst }) },
      ...(ask.closing ? { closing: true } : {}),
    };
    const request = { data, body };
    const url = requestUrl(link, target);
    const { cost: limit } = setup.limits;
    const left = limit === null ? undefined : limit - spent(view.ledger);
    const before = view.failures.get(targetName(target));
    this.contexts.set(request, { encoded, setup, named, target, left, link, url, before });
    return request;
  }

  async send(request: PreparedRequest, id: EventId, signal: AbortSignal, notify: Notify): Promise<ModelOutcome> {
    const context = this.contexts.get(request);
    if (context === undefined) throw new ReinsError('defect', 'A request is sent by the model that prepared it.');
    const { encoded, url, link, target, setup } = context;
    this.last = { id, body: encoded.body, canonical: encoded.canonical };
    const { transport, clock } = this.options;
    const headers = await this.headersOf(link, signal);
    if ('kind' in headers) return this.failed(headers, request, context);
    const startedAt = clock.now();
    // What an attempt showed is voided by whoever records its failure.
    const show = (delta: Delta) => notify({ ...delta, request: id });
    const mostCharacters = affordableCharacters(context.left, request.data.reserved.input, target.rates);
    const result = await attempt(
      { url, headers: headers.sent, body: encoded.body, signal },
      {
        wire: link.wire,
        expected: { target, tools: setup.tools },
        transport,
        now: () => clock.now(),
        show,
        mostCharacters,
      },
    );
    return result.kind === 'reply' ? this.replied(result, target, startedAt) : this.failed(result, request, context);
  }

  /** What is sent besides the body. Where there is no key, that is a failure like others: another model may have one. */
  private async headersOf(link: Link, signal: AbortSignal): Promise<{ sent: Headers } | AttemptFailure> {
    try {
      const sent = { ...link.wire.headers(), ...(await link.headers(signal)) };
      for (const secret of secretsOf(sent)) this.secrets.add(secret);
      return { sent };
    } catch (error) {
      if (signal.aborted) return unsent(networkFailure({ kind: 'aborted', sent: false }));
      if (!(error instanceof ReinsError)) throw error;
      return unsent({ class: 'auth', code: error.code, message: error.detail });
    }
  }

  /** The bytes against those of the request before, where those are known. */
  private async difference(encoded: Encoded, view: View, target: Target, link: Link): Promise<Difference> {
    const base = view.lastRequest;
    const earlier = base === undefined ? undefined : await this.earlier(base, link);
    const kept = earlier === undefined ? 0 : commonPrefix(earlier.body, encoded.body);
    const tail = encoded.body.subarray(kept);
    const kind =
      tail.length <= longestTail ? { tail: tail.toString() } : { tail: '', tailBlob: await this.options.putBlob(tail) };
    // Where the bytes before can't be had, nothing is known to be extended; the first request extends nothing and breaks nothing.
    if (base === undefined || earlier === undefined) return { base: null, kept, ...kind, extends: base === undefined };
    const broken = modelBreak(view, target, earlier, kept) ?? breakFrom(earlier, encoded, kept);
    if (broken === undefined) return { base, kept, ...kind, extends: true };
    const { part, at, of, lost } = broken;
    const tokens = tokensIn(view, lost, target);
    const dollars = missCost(tokens, estimatedInput(view, target), target.rates);
    const miss = { at, of, tokens, ...(dollars === undefined ? {} : { cost: dollars }) };
    return { base, kept, ...kind, extends: false, broke: part, miss };
  }

  private async earlier(id: EventId, { wire }: Link): Promise<Omit<LastRequest, 'id'> | undefined> {
    if (this.last?.id === id) return this.last;
    const body = await this.options.previousBody(id);
    return body === undefined ? undefined : { body, canonical: wire.canonical(body) };
  }

  private replied(result: AttemptReply, target: Target, startedAt: number): ModelOutcome {
    const { reply, firstByteAt } = result;
    const { usage: reported, ...said } = reply;
    const usage = credible(reported, reply.parts.length > 0);
    const dollars = cost(usage, target.rates);
    return {
      kind: 'reply',
      data: {
        source: sourceOf(target),
        ...said,
        ...(usage === undefined ? {} : { usage }),
        ...(dollars === undefined ? {} : { cost: dollars }),
        firstByte: firstByteAt - startedAt,
        elapsed: this.options.clock.now() - startedAt,
        ...this.requestId(result),
      },
    };
  }

  private failed(result: AttemptFailure, request: PreparedRequest, context: Context): ModelOutcome {
    const { failure, outputCharacters } = result;
    const { target } = context;
    const usage = credible(result.usage, outputCharacters > 0);
    const said = quote(failure.message, [...this.secrets]);
    const next = this.nextTry(result, context);
    const message = failureText(said, next);
    const { input } = request.data.reserved;
    const price = result.unread ? { cost: 0 } : brokenCost(usage, { input, outputCharacters }, target.rates);
    return {
      kind: 'failure',
      data: {
        class: failure.class,
        code: failure.code,
        message,
        ...(failure.status === undefined ? {} : { status: failure.status }),
        ...('retryAt' in next ? { retryAt: next.retryAt } : {}),
        ...(usage === undefined ? {} : { usage }),
        ...price,
        ...this.requestId(result),
      },
    };
  }

  /** The provider's own name for the exchange; whatever it says there is as little to be trusted as its words. */
  private requestId({ requestId }: { requestId?: string }): { requestId?: string } {
    return requestId === undefined ? {} : { requestId: quote(requestId, [...this.secrets]).slice(0, longestId) };
  }

  /** What the provider refused and can be left out is left out from now on, and asked again at once. */
  private nextTry({ failure }: AttemptFailure, { setup, named, target, link, before }: Context): NextTry {
    const now = this.options.clock.now();
    const mended = link.wire.mend?.(target, failure);
    if (mended !== undefined) {
      this.mended.set(named, mended);
      return { retryAt: now };
    }
    const isBroken = failure.class === 'broken-stream' || failure.class === 'unreachable';
    const { attempts = 0, broken = 0, firstAt = now } = before ?? {};
    const soFar = { attempts: attempts + 1, broken: broken + (isBroken ? 1 : 0), firstAt };
    return nextTry(setup.retries, soFar, now, failure, this.options.random);
  }
}

function targetOf(setup: SetupData, { route }: AskModel): Target {
  const target = targetNamed(setup, route?.to, route?.role);
  if (target === undefined) throw new ReinsError('model-unknown', `"${route?.to}" is no route of this run.`);
  return target;
}

type Difference = Pick<EventData['request'], 'base' | 'kept' | 'tail' | 'tailBlob' | 'extends' | 'broke' | 'miss'>;

type Broken = Omit<Break, 'part'> & { part: NonNullable<EventData['request']['broke']> };

/** Another model has nothing of what was cached for the one before. */
function modelBreak(view: View, target: Target, { body }: { body: Uint8Array }, kept: number): Broken | undefined {
  const name = targetName(target);
  if (view.asked === undefined || view.asked === name) return undefined;
  // Where nobody has answered yet, nobody has cached anything.
  const lost = view.ledger.turns === 0 ? 0 : body.length;
  return { part: 'model', at: kept, of: `the model: ${name} after ${view.asked}`, lost };
}

function breakFrom({ body, canonical }: Omit<LastRequest, 'id'>, encoded: Encoded, kept: number): Broken | undefined {
  if (canonical !== undefined) return breakOf(canonical, body, encoded);
  return { part: 'tools', at: kept, of: 'a request that can’t be read any more', lost: body.length };
}
