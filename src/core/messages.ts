/** The vendor-neutral conversation: what a wire turns into bytes, and what it makes of a reply. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Who produced a reply; opaque items go back only to the same provider, wire and model. */
export interface Source {
  /** Absent in older logs. */
  provider?: string;
  wire: string;
  model: string;
}

export interface TextPart {
  type: 'text';
  text: string;
  /** The provider's own block, verbatim, when it holds more than the text. */
  opaque?: Json;
  /** In a message of the user: said by the harness, not by a person. */
  voice?: 'harness';
}

/** An image by its bytes' SHA-256; a wire gets the bytes when it encodes. */
export interface ImagePart {
  type: 'image';
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  mediaType: string;
  blob: string;
  /** Size of the file. */
  bytes: number;
}

export interface ThinkingPart {
  type: 'thinking';
  text: string;
  /** The provider's own block, verbatim (signature included); absent when the block never finished. */
  opaque?: Json;
}

export interface CallPart {
  type: 'call';
  /** The provider's id of the call; unique only as far as the provider is honest. */
  id: string;
  name: string;
  /** The arguments as an object; empty when they were malformed. */
  arguments: JsonObject;
  /** The raw argument text, present only when it isn't a JSON object. */
  malformed?: string;
  /** The provider's own block, verbatim, when it holds more than id, name and arguments. */
  opaque?: Json;
}

/** A block that Reins doesn't interpret (redacted thinking, server tools, later inventions), kept verbatim. */
export interface OpaquePart {
  type: 'opaque';
  opaque: Json;
}

export type ReplyPart = TextPart | ThinkingPart | CallPart | OpaquePart;

/**
 * Why a reply ended. `length`: the output limit cut it. `pause`: the provider wants its own content back to go on.
 * `overflow`: the context window is full. `other`: a reason this version doesn't know, treated as an ordinary end.
 */
export type ReplyStop = 'end' | 'calls' | 'length' | 'pause' | 'refusal' | 'overflow' | 'other';

/** Tokens as the provider reported them; what it did not report is absent, never zero. */
export interface Usage {
  /** Input tokens billed at the full rate (neither read from nor written to a cache). */
  input?: number;
  cacheRead?: number;
  /** Tokens written to the cache, all lifetimes together. */
  cacheWrite?: number;
  /** The part of `cacheWrite` that was written for one hour, where reported. */
  cacheWriteHour?: number;
  output?: number;
  /** The part of `output` that was reasoning, where reported. */
  reasoning?: number;
}

/** One result as the model sees it, paired with the call it answers. */
export interface ResultPart {
  type: 'result';
  /** The provider's id of the answered call. */
  id: string;
  name: string;
  text: string;
  error: boolean;
  images?: ImagePart[];
  /** Deferred tools that it made known, by their own names. */
  found?: string[];
}

export interface UserMessage {
  role: 'user';
  /** Results first, in the order of their calls; then images and text. Never empty, no blank text. */
  parts: (ResultPart | ImagePart | TextPart)[];
}

export interface AssistantMessage {
  role: 'assistant';
  parts: ReplyPart[];
  source: Source;
}

export type Message = UserMessage | AssistantMessage;

/** The images of a message, those in results included. */
export function imagesIn(message: Message): ImagePart[] {
  if (message.role === 'assistant') return [];
  return message.parts.flatMap((part) => {
    if (part.type === 'image') return [part];
    return part.type === 'result' ? (part.images ?? []) : [];
  });
}

/** A tool as the model is told of it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema (2020-12) of the arguments: an object. */
  input: JsonObject;
  /** Where a wire has tools that take plain text, this one is offered so; the text becomes the argument of this name. */
  text?: {
    argument: string;
    /** What is told there instead: a grammar says the form better than words. */
    description?: string;
    grammar?: { syntax: 'lark' | 'regex'; definition: string };
  };
  /** Its schema is only given once it was found by a search, where the wire can do that. */
  deferred?: boolean;
}
