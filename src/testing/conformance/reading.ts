/** What a reply says in the plainest words: what the decoders and the reference readers are compared in. */
import type { Json, JsonObject, ReplyStop } from '../../core/index.ts';

/** One event of a recorded stream. */
export interface RecordedEvent {
  /** The name that it was framed with. */
  name?: string;
  /** What it carries; undefined when that is no JSON, `[DONE]` say. */
  data: Json | undefined;
  raw: string;
}

/** A call; its arguments are a JSON text or, for tools that take plain text, that text. */
export interface ReadCall {
  /** Absent where the provider gave none. */
  id?: string;
  name: string;
  json?: string;
  text?: string;
}

/** Tokens; what wasn't reported is absent. Input is what was neither read from nor written to a cache. */
export interface ReadUsage {
  input?: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  output?: number | undefined;
  reasoning?: number | undefined;
}

export interface Reading {
  text: string;
  /** Part by part: decoders may put blanks between them. */
  reasoning: string[];
  calls: ReadCall[];
  /** Blocks that are none of these: the provider's own tools, sealed items. */
  others: number;
  stop: ReplyStop;
  /** The provider's word for the end. */
  word: string;
  usage: ReadUsage;
}

/** Why there is no reply. */
export interface NoReading {
  failure: string;
}

export type Reader = (events: RecordedEvent[]) => Reading | NoReading;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((entry) => isObject(entry)) : [];

export const countOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

/** A count less a part of it; what is more than the whole is no part. */
export const without = (whole: number | undefined, part = 0): number | undefined =>
  whole === undefined || part > whole ? whole : whole - part;

export const cut: NoReading = { failure: 'the recording ends before its terminal event' };

/** What an error event says. */
export function complaint(event: JsonObject): NoReading {
  const { error } = event;
  const said = isObject(error) ? error['message'] : (event['message'] ?? error);
  return { failure: `the provider reports an error: ${textOf(said) || JSON.stringify(event)}` };
}

/** Whether there are calls is told by the calls, not by the word for the end. */
export function settled(stop: ReplyStop | undefined, calls: ReadCall[]): ReplyStop {
  if (calls.length > 0) return stop === undefined || stop === 'end' ? 'calls' : stop;
  return stop === 'calls' ? 'end' : (stop ?? 'other');
}
