/** The models behind the core's port: for each request the wire and the endpoint of its target, over one transport. */
import {
  estimatedInput,
  messagesOf,
  ReinsError,
  sourceOf,
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
import { attempt, type AttemptFailure, type AttemptReply } from './attempt.ts';
import { breakOf, commonPrefix, type Break } from './difference.ts';
import { Fingerprints } from './fingerprint.ts';
import { ImageStore } from './image-store.ts';
import { requestUrl, type Link } from './link.ts';
import type { RequestBodies } from './needs.ts';
import { failureText, nextTry, quote, secretsOf, type NextTry } from './failures/index.ts';
import { brokenCost, cost, missCost } from './catalogue/index.ts';
import type { Transport } from './network/index.ts';
import type { Canonical, Delta, Encoded } from './wire.ts';

/** Bytes of a tail that still go into the log itself. */
const longestTail = 65_536;

export interface ModelOptions extends RequestBodies {
  /** What leads to a target. Rejects with coded errors (`key-missing`, `config-invalid`). */
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
  target: Target;
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
  private readonly mended = new Map<string, Target>();
  private last: LastRequest | undefined;

  constructor(options: ModelOptions) {
    this.options = options;
    this.images = new ImageStore((blob) => options.getBlob(blob));
  }

  async prepare(view: View, ask: AskModel): Promise<PreparedRequest> {
    const { setup } = view;
    if (setup === undefined) throw new ReinsError('defect', 'A request needs a setup.');
    const target = this.targetOf(setup, ask);
    const link = await this.options.link(target);
    const messages = messagesOf(view);
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
    this.contexts.set(request, { encoded, setup, target, link, url, before: view.failures.get(targetName(target)) });
    return request;
  }

  async send(request: PreparedRequest, id: EventId, signal: AbortSignal, notify: Notify): Promise<ModelOutcome> {
    const context = this.contexts.get(request);
    if (context === undefined) throw new ReinsError('defect', 'A request is sent by the model that prepared it.');
    const { encoded, link, url, target, setup } = context;
    this.last = { id, body: encoded.body, canonical: encoded.canonical };
    const { transport, clock } = this.options;
    const startedAt = clock.now();
    const headers = { ...link.wire.headers(), ...(await link.headers()) };
    // What an attempt showed is voided by whoever records its failure.
    const show = (delta: Delta) => notify({ ...delta, request: id });
    const result = await attempt(
      { url, headers, body: encoded.body, signal },
      { wire: link.wire, expected: { target, tools: setup.tools }, transport, now: () => clock.now(), show },
    );
    if (result.kind === 'reply') return this.replied(result, target, startedAt);
    return this.failed(result, request, context, secretsOf(headers));
  }

  private targetOf(setup: SetupData, { route }: AskModel): Target {
    const target = targetNamed(setup, route?.to, route?.role);
    if (target === undefined) throw new ReinsError('model-unknown', `"${route?.to}" is no route of this run.`);
    return this.mended.get(targetName(target)) ?? target;
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
    const { reply, firstByteAt, requestId } = result;
    const dollars = cost(reply.usage, target.rates);
    return {
      kind: 'reply',
      data: {
        source: sourceOf(target),
        ...reply,
        ...(dollars === undefined ? {} : { cost: dollars }),
        firstByte: firstByteAt - startedAt,
        elapsed: this.options.clock.now() - startedAt,
        ...(requestId === undefined ? {} : { requestId }),
      },
    };
  }

  private failed(result: AttemptFailure, request: PreparedRequest, context: Context, secrets: string[]): ModelOutcome {
    const { failure, usage, requestId } = result;
    const { target } = context;
    const said = quote(failure.message, secrets);
    const next = this.nextTry(result, context);
    const message = failureText(said, next);
    const { input } = request.data.reserved;
    const spent = brokenCost(usage, { input, outputCharacters: result.outputCharacters }, target.rates);
    const price = result.unread ? { cost: 0 } : spent;
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
        ...(requestId === undefined ? {} : { requestId }),
      },
    };
  }

  /** What the provider refused and can be left out is left out from now on, and asked again at once. */
  private nextTry({ failure }: AttemptFailure, { setup, target, link, before }: Context): NextTry {
    const now = this.options.clock.now();
    const mended = link.wire.mend?.(target, failure);
    if (mended !== undefined) {
      this.mended.set(targetName(target), mended);
      return { retryAt: now };
    }
    const isBroken = failure.class === 'broken-stream' || failure.class === 'unreachable';
    const { attempts = 0, broken = 0, firstAt = now } = before ?? {};
    const soFar = { attempts: attempts + 1, broken: broken + (isBroken ? 1 : 0), firstAt };
    return nextTry(setup.retries, soFar, now, failure, this.options.random);
  }
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
  if (canonical !== undefined) return breakOf(canonical, encoded);
  return { part: 'tools', at: kept, of: 'a request that can’t be read any more', lost: body.length };
}
