/** What a wire is to the model server: how its requests are read and checked, and how replies and errors are written. */
import type { JsonObject, Usage } from '../../core/index.ts';
import type { ScriptedReply, Stage, StrictOptions, StrictRule } from '../scenario/index.ts';
import type { Question } from '../script/index.ts';

/** Why a request is refused. */
export interface Violation {
  rule: StrictRule;
  message: string;
  /** HTTP status; 400 unless said otherwise. */
  status?: number;
}

export interface CheckOptions extends StrictOptions {
  /** Context window in tokens. */
  window: number;
  /** Tokens of the request, estimated. */
  inputTokens: number;
  /** Size of the body as it was sent. */
  bytes: number;
  headers: { [name: string]: string };
  /** The path that it was sent to. */
  path: string;
  /** The conversation may end with the model's own words. */
  paused: boolean;
  /** Only the input is to be counted: no limit on output is asked for. */
  counting: boolean;
}

/** One part of a request's canonical sequence (tools, system, messages), without cache marks. */
export interface CanonicalPart {
  of: 'tools' | 'system' | 'messages';
  text: string;
  /** An estimate. */
  tokens: number;
  /** Lifetime of the cache mark on it, if there is one. */
  mark?: '5m' | '1h';
}

export interface ReplyContext {
  question: Question;
  /** Name of the model that the reply carries. */
  model: string;
  /** Which turn this is, for ids that are the same in every rehearsal. */
  place: string;
  /** What is reported; absent when nothing is. */
  usage?: Usage;
}

/** A reply as it goes over the wire, and after how many events each stage has come. */
export interface StreamPlan {
  events: string[];
  stages: { [S in Stage]?: number };
}

/** One for each server: it remembers what it issued. */
export interface Dialect {
  /** What a request is for; undefined when it isn't for this dialect. */
  route(method: string, path: string): 'reply' | 'count' | undefined;
  /** The request in neutral words; whatever shape it has. */
  read(body: JsonObject, path: string): Question;
  /** The first rule of the wire that the request breaks. */
  check(body: JsonObject, options: CheckOptions): Violation | undefined;
  canonical(body: JsonObject): CanonicalPart[];
  stream(reply: ScriptedReply, context: ReplyContext): StreamPlan;
  whole(reply: ScriptedReply, context: ReplyContext): JsonObject;
  counted(tokens: number): JsonObject;
  error(status: number, message: string, type: string | undefined, requestId: string): JsonObject;
  errorEvent(message: string, type: string | undefined): string;
  /** Headers that every answer carries. */
  headers(requestId: string, inputTokens: number): { [name: string]: string };
}
