/**
 * A wire: one provider protocol. It turns a conversation into exact bytes and the events of a stream into a reply. Every wire is a
 * folder of the same four files (schema, request, stream, index); what it knows nothing of is time, network and retries.
 */
import type { Message, ReplyPart, ReplyStop, SetupData, Target, Usage } from '../core/index.ts';
import type { ProviderFailure } from './failures/index.ts';
import type { SseEvent } from './network/index.ts';

/** What is to be said, and to whom. */
export interface Order {
  /** The standing part of the request. */
  setup: Pick<SetupData, 'system' | 'tools'>;
  target: Target;
  messages: readonly Message[];
  /** The most output tokens to offer. */
  maxOutput: number;
  /** The bytes of an image by its blob, as base64; undefined where they are lost: then a note stands in for it. */
  image(blob: string): string | undefined;
  /** The same for all requests of a session, for caches that are found by a key. */
  cacheKey: string;
}

/** What a reply may be expected to hold. */
export interface Expected {
  target: Target;
  /** The tools that were offered, with their own names. */
  tools: SetupData['tools'];
}

/** A tool that this provider can't be offered. */
export interface LeftOut {
  tool: string;
  why: string;
}

/** A part of a body: from `start` up to but not including `end`, in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** One block of the conversation as it is sent, without a cache mark. */
export interface CanonicalBlock {
  role: string;
  bytes: Buffer;
}

/** What a provider's cache is keyed by: a request whose sequence extends another's can reuse all that was cached of it. */
export interface Canonical {
  tools: Buffer;
  system: Buffer;
  blocks: CanonicalBlock[];
}

export interface Encoded {
  /** The exact bytes to send. */
  body: Buffer;
  /** Where tools, system prompt and messages are in it; empty ranges for what isn't sent. */
  sections: { tools: ByteRange; system: ByteRange; messages: ByteRange };
  canonical: Canonical;
  leftOut: LeftOut[];
}

/** What a stream shows while it comes in; `index` counts the calls of the reply from 0. */
export type Delta = { type: 'text' | 'thinking'; delta: string } | { type: 'call'; index: number; name: string };

export interface DecodedReply {
  parts: ReplyPart[];
  stop: ReplyStop;
  stopRaw?: string;
  stopDetail?: string;
  /** What was mended in arguments that were nearly right, by the index of the call. */
  repairs?: { call: number; what: string }[];
  usage?: Usage;
  providerId?: string;
}

export type Decoded = { kind: 'reply'; reply: DecodedReply } | { kind: 'failure'; failure: ProviderFailure };

/** Collects one reply. What is pushed after its end, or after a failure, changes nothing. */
export interface Decoder {
  push(event: SseEvent): void;
  /** Whether the terminal event or a failure has come, so that nothing more is needed. */
  readonly done: boolean;
  /** Whether what has come is a whole reply, though more may follow: then the end of the connection is no failure. */
  readonly complete?: boolean;
  /** The outcome; without the terminal event it is a failure, however the stream ended. */
  end(): Decoded;
  /** What is known of the cost so far: the usage that was reported and the characters of output that came. */
  readonly usage: Usage | undefined;
  readonly outputCharacters: number;
}

/** An answer that isn't a stream: a refusal of the request. Header names are in lower case. */
export interface ErrorAnswer {
  /** Absent when the answer claims success in its status. */
  status?: number;
  headers: { [name: string]: string };
  /** The beginning of the body. */
  body: string;
  /** Milliseconds since the epoch, against which the times in headers are read. */
  now: number;
}

export interface Wire {
  name: string;
  /** Path and query below the endpoint's base URL. */
  path(target: Target): string;
  /** Headers of the protocol itself. */
  headers(): { [name: string]: string };
  /** The headers that carry a key. */
  keyHeaders(key: string): { [name: string]: string };
  /** The same order gives the same bytes. Throws `config-invalid` for settings that would overwrite what the wire itself sends. */
  encode(order: Order): Encoded;
  /** The canonical sequence of a body that this wire encoded; undefined when it isn't one. */
  canonical(body: Uint8Array): Canonical | undefined;
  decoder(show: (delta: Delta) => void, expected: Expected): Decoder;
  classify(answer: ErrorAnswer): ProviderFailure;
  /** The target without what the provider has just refused and can do without; undefined where there is nothing of the kind. */
  mend?(target: Target, failure: ProviderFailure): Target | undefined;
}
