/** One attempt at a reply: the request goes out, its answer is read as a stream or as a refusal. */
import type { Usage } from '../core/index.ts';
import {
  createSseParser,
  networkFailure,
  type HttpEnd,
  type HttpHead,
  type HttpRequest,
  type HttpSink,
  type SseParser,
  type Transport,
} from './network/index.ts';
import { brokenStream, notAStream, type ProviderFailure } from './failures/index.ts';
import { isObject, parseObject } from './reply.ts';
import type { DecodedReply, Decoder, Delta, Expected, Wire } from './wire.ts';

/** Bytes of a reply, events and all, beyond which it is taken as a fault: no reply of a model comes near it. */
const longestReply = 64 * 1024 * 1024;
/** Bytes of a refusal that are read. */
const longestRefusal = 64 * 1024;

export interface AttemptReply {
  kind: 'reply';
  reply: DecodedReply;
  /** When the first byte came, in milliseconds since the epoch. */
  firstByteAt: number;
  requestId?: string;
}

export interface AttemptFailure {
  kind: 'failure';
  failure: ProviderFailure;
  /** The provider can't have worked on it: it was never sent, or refused unread. */
  unread: boolean;
  /** What the provider reported, and how much of the output came. */
  usage: Usage | undefined;
  outputCharacters: number;
  requestId?: string;
}

export interface AttemptOptions {
  wire: Wire;
  expected: Expected;
  transport: Transport;
  now: () => number;
  show: (delta: Delta) => void;
  /** Characters of output beyond which the reply is ended: they cost more than may be spent. */
  mostCharacters: number;
}

/** A failure before anything was sent. */
export function unsent(failure: ProviderFailure): AttemptFailure {
  return { kind: 'failure', failure, unread: true, usage: undefined, outputCharacters: 0 };
}

export async function attempt(request: HttpRequest, options: AttemptOptions): Promise<AttemptReply | AttemptFailure> {
  const answer = new Answer(options);
  const end = await options.transport.exchange(request, answer);
  return answer.outcome(end);
}

/** The first line of a stream of events: a field, or a comment. */
const streamBeginning = /^\s*(?:data|event|id|retry)?:/;

/** Ended from our side, as at a time limit; that the money is used up is the limit's to say. */
const tooDear: ProviderFailure = {
  class: 'cancelled',
  code: 'request-cancelled',
  message: 'The reply was ended: the server goes on beyond what the money limit can pay for.',
};

/** Whether an answer that claims success is an error; a whole reply, which some servers send in place of a stream, may name one as null. */
function hasError(body: string): boolean {
  const list = body.trimStart().startsWith('[') ? parseObject(`{"list":${body}}`)?.['list'] : undefined;
  const value = Array.isArray(list) ? list[0] : parseObject(body);
  // What was read only in part is known by its beginning.
  if (!isObject(value)) return /^[\s[]*\{\s*"error"\s*:\s*[{"]/.test(body);
  const { error, object, type } = value;
  return object === 'error' || type === 'error' || (error !== undefined && error !== null && error !== false);
}

class Answer implements HttpSink {
  private readonly wire: Wire;
  private readonly now: () => number;
  private readonly decoder: Decoder;
  private readonly parser: SseParser;
  private received: HttpHead | undefined;
  private isStream = false;
  private firstByteAt: number | undefined;
  private bytes = 0;
  private readonly mostCharacters: number;
  private isTooDear = false;
  private readonly refusal: Buffer[] = [];

  constructor({ wire, now, show, expected, mostCharacters }: AttemptOptions) {
    this.mostCharacters = mostCharacters;
    this.wire = wire;
    this.now = now;
    this.decoder = wire.decoder(show, expected);
    this.parser = createSseParser((event) => this.decoder.push(event));
  }

  head(head: HttpHead): void {
    this.received = head;
    const type = head.headers['content-type'] ?? '';
    this.isStream = head.status === 200 && !/json|html/i.test(type);
  }

  data(chunk: Buffer): boolean {
    // Some servers call a stream what it isn't; how it begins tells.
    if (this.firstByteAt === undefined && this.received?.status === 200)
      this.isStream ||= streamBeginning.test(chunk.toString('latin1', 0, 16));
    this.firstByteAt ??= this.now();
    this.bytes += chunk.length;
    if (!this.isStream) {
      this.refusal.push(chunk);
      return this.bytes < longestRefusal;
    }
    if (this.bytes > longestReply) return false;
    this.parser.push(chunk);
    if (this.decoder.done) return false;
    // Events are longer than what they say, so that mostly this needs no count.
    this.isTooDear = this.bytes > this.mostCharacters && this.decoder.outputCharacters > this.mostCharacters;
    return !this.isTooDear;
  }

  outcome(end: HttpEnd): AttemptReply | AttemptFailure {
    if (end.kind === 'aborted') return this.failed(networkFailure(end), !end.sent);
    if (this.received !== undefined && !this.isStream) return this.refused(this.received);
    if (this.isStream && this.bytes > longestReply) {
      const megabytes = longestReply / 1024 / 1024;
      return this.failed(brokenStream(`The reply is larger than ${megabytes} MB.`), false);
    }
    if (this.isTooDear) return this.failed(tooDear, false);
    if (end.kind === 'ended' && !this.decoder.done) this.parser.end();
    const isWhole = this.decoder.done || this.decoder.complete === true;
    if (end.kind === 'broken' && !isWhole) return this.failed(networkFailure(end), !end.sent);
    const decoded = this.decoder.end();
    if (decoded.kind === 'failure') return this.failed(decoded.failure, false);
    const firstByteAt = this.firstByteAt ?? this.now();
    return { kind: 'reply', reply: decoded.reply, firstByteAt, ...this.requestId() };
  }

  private refused({ status, headers }: HttpHead): AttemptFailure {
    const body = Buffer.concat(this.refusal).subarray(0, longestRefusal).toString();
    const now = this.now();
    if (status !== 200) return this.failed(this.wire.classify({ status, headers, body, now }), status >= 300);
    // Some gateways report an error with success as status; it then counts like one in the middle of a stream.
    if (hasError(body)) return this.failed(this.wire.classify({ headers: {}, body, now }), true);
    const type = headers['content-type'] ?? '';
    return this.failed(notAStream(type, body), /html/i.test(type));
  }

  private failed(failure: ProviderFailure, unread: boolean): AttemptFailure {
    const { usage, outputCharacters } = this.decoder;
    return { kind: 'failure', failure, unread, usage, outputCharacters, ...this.requestId() };
  }

  private requestId(): { requestId?: string } {
    const headers = this.received?.headers ?? {};
    const requestId = headers['request-id'] ?? headers['x-request-id'];
    return requestId === undefined ? {} : { requestId };
  }
}
