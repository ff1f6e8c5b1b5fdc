/**
 * A wire: one provider protocol. It turns a conversation into exact bytes and the events of a stream into a reply. Every wire is a
 * folder of the same four files (schema, request, stream, index); what it knows nothing of is time, network and retries.
 */
import type { Message, ReplyPart, ReplyStop, SetupData, Source, Usage } from '../core/index.ts';
import type { ProviderFailure } from './failures.ts';
import type { SseEvent } from './sse.ts';

/** The standing part of a request, as far as a wire needs it. */
export type Standing = Pick<SetupData, 'system' | 'tools' | 'settings'>;

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
}

/** What a stream shows while it comes in; `index` counts the calls of the reply from 0. */
export type Delta = { type: 'text' | 'thinking'; delta: string } | { type: 'call'; index: number; name: string };

export interface DecodedReply {
  parts: ReplyPart[];
  stop: ReplyStop;
  stopRaw?: string;
  stopDetail?: string;
  usage?: Usage;
  providerId?: string;
}

export type Decoded = { kind: 'reply'; reply: DecodedReply } | { kind: 'failure'; failure: ProviderFailure };

/** Collects one reply. What is pushed after its end, or after a failure, changes nothing. */
export interface Decoder {
  push(event: SseEvent): void;
  /** Whether the terminal event or a failure has come, so that nothing more is needed. */
  readonly done: boolean;
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
  /** Path below the endpoint's base URL. */
  path(source: Source): string;
  /** Headers of the protocol itself. */
  headers(): { [name: string]: string };
  /** The headers that carry a key. */
  keyHeaders(key: string): { [name: string]: string };
  /** The same arguments give the same bytes. Throws `config-invalid` for settings that would overwrite what the wire itself sends. */
  encode(setup: Standing, messages: readonly Message[], maxOutput: number, source: Source): Encoded;
  /** The canonical sequence of a body that this wire encoded; undefined when it isn't one. */
  canonical(body: Uint8Array): Canonical | undefined;
  decoder(show: (delta: Delta) => void): Decoder;
  classify(answer: ErrorAnswer): ProviderFailure;
}
