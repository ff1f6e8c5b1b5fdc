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
}

export async function attempt(request: HttpRequest, options: AttemptOptions): Promise<AttemptReply | AttemptFailure> {
  const answer = new Answer(options);
  const end = await options.transport.exchange(request, answer);
  return answer.outcome(end);
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
  private readonly refusal: Buffer[] = [];

  constructor({ wire, now, show, expected }: AttemptOptions) {
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
    this.firstByteAt ??= this.now();
    this.bytes += chunk.length;
    if (!this.isStream) {
      this.refusal.push(chunk);
      return this.bytes < longestRefusal;
    }
    if (this.bytes > longestReply) return false;
    this.parser.push(chunk);
    return !this.decoder.done;
  }

  outcome(end: HttpEnd): AttemptReply | AttemptFailure {
    if (end.kind === 'aborted') return this.failed(networkFailure(end), !end.sent);
    if (this.received !== undefined && !this.isStream) return this.refused(this.received);
    if (this.isStream && this.bytes > longestReply) {
      const megabytes = longestReply / 1024 / 1024;
      return this.failed(brokenStream(`The reply is larger than ${megabytes} MB.`), false);
    }
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
    if (status !== 200) return this.failed(this.wire.classify({ status, headers, body, now }), true);
    // Some gateways report an error with success as status; it then counts like one in the middle of a stream.
    if (/"error"/.test(body)) return this.failed(this.wire.classify({ headers: {}, body, now }), true);
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
