/** OpenAI Chat Completions: a reply out of the chunks of its stream. */
import type { CallPart, Json, JsonObject, ReplyPart, Usage } from '../../../core/index.ts';
import {
  CallDeltas,
  callsInText,
  mendJson,
  Said,
  ThinkTags,
  type Field,
  type GrowingCall,
  type TextCall,
} from '../../reading/index.ts';
import { brokenStream, classify, complaintOf, emptyReply, type ProviderFailure } from '../../failures/index.ts';
import { profileOf, type ChatProfile } from '../../profiles/index.ts';
import {
  add,
  countOf,
  isEmptyReply,
  isObject,
  parseArguments,
  parseObject,
  reportedUsage,
  settledStop,
  textOf,
  uncached,
} from '../../reply.ts';
import type { SseEvent } from '../../network/index.ts';
import { toolNames, type ToolNames } from '../../sending/index.ts';
import type { Decoded, DecodedReply, Decoder, Delta, Expected } from '../../wire.ts';
import { doneData, failingReasons, finishReasons, reasoningFields } from './schema.ts';

export function createDecoder(show: (delta: Delta) => void, expected: Expected): Decoder {
  return new ChunkDecoder(show, expected);
}

class ChunkDecoder implements Decoder {
  private readonly show: (delta: Delta) => void;
  private readonly tools: Expected['tools'];
  private readonly profile: ChatProfile;
  private readonly names: ToolNames;
  private readonly calls: CallDeltas;
  private readonly said = new Said();
  private readonly tags: ThinkTags | undefined;
  private reported: JsonObject = {};
  private refusal = '';
  private reason = '';
  private providerId: string | undefined;
  private finished = false;
  private failure: ProviderFailure | undefined;

  constructor(show: (delta: Delta) => void, { target, tools }: Expected) {
    this.show = show;
    this.tools = tools;
    this.profile = profileOf(target);
    this.names = toolNames(tools, this.profile.tools);
    const sent = new Set(tools.map(({ name }) => this.names.sent(name)));
    this.calls = new CallDeltas(sent, (index, name) => show({ type: 'call', index, name: this.names.own(name) }));
    if (this.profile.thinkTags) this.tags = new ThinkTags();
  }

  get done(): boolean {
    return this.finished || this.failure !== undefined;
  }

  get complete(): boolean {
    return this.reason !== '';
  }

  get usage(): Usage | undefined {
    return usageOf(this.reported);
  }

  get outputCharacters(): number {
    return this.said.characters + this.calls.characters + this.refusal.length;
  }

  push({ event = 'message', data }: SseEvent): void {
    if (this.done || data === '') return;
    if (event !== 'message' && event !== 'error') return;
    if (data === doneData) {
      this.finished = true;
      return;
    }
    const chunk = parseObject(data);
    if (chunk !== undefined && event === 'message') return this.take(chunk);
    const problem = `An event of the reply is no JSON object: ${data.slice(0, 200)}`;
    this.failure = event === 'error' ? failureOf(chunk ?? data) : brokenStream(problem);
  }

  end(): Decoded {
    const failure = this.failure ?? this.cut() ?? this.broken();
    if (failure !== undefined) return { kind: 'failure', failure };
    const rest = this.tags?.end() ?? [];
    for (const { type, text } of rest) this.say(type, 'content', text);
    const known = Object.hasOwn(finishReasons, this.reason) ? finishReasons[this.reason] : undefined;
    const { parts, repairs } = this.parts(known === 'length');
    const stop = this.refusal === '' ? settledStop(known ?? 'other', parts) : 'refusal';
    if (isEmptyReply(stop, parts)) return { kind: 'failure', failure: emptyReply(this.reason) };
    const usage = this.usage;
    return {
      kind: 'reply',
      reply: {
        parts,
        stop,
        ...(this.reason === '' ? {} : { stopRaw: this.reason }),
        ...(this.refusal === '' ? {} : { stopDetail: this.refusal }),
        ...(repairs.length === 0 ? {} : { repairs }),
        ...(usage === undefined ? {} : { usage }),
        ...(this.providerId === undefined ? {} : { providerId: this.providerId }),
      },
    };
  }

  /** A reply needs its reason or its last event; with the event alone, a call in the middle still says that it was cut. */
  private cut(): ProviderFailure | undefined {
    if (this.reason !== '') return undefined;
    const isHalf = this.calls.calls.some((call) => call.isBegun && !call.isWhole);
    return this.finished && !isHalf ? undefined : brokenStream();
  }

  private broken(): ProviderFailure | undefined {
    return Object.hasOwn(failingReasons, this.reason) ? failingReasons[this.reason] : undefined;
  }

  private take(chunk: JsonObject): void {
    const { id, choices, error } = chunk;
    if (isGiven(error) || chunk['object'] === 'error') {
      this.failure = failureOf(chunk);
      return;
    }
    if (this.providerId === undefined && textOf(id) !== '') this.providerId = textOf(id);
    this.account(chunk);
    if (!Array.isArray(choices)) return;
    for (const choice of choices) if (isObject(choice) && isFirst(choice)) this.choose(choice);
  }

  /** Usage comes at the end, or again and again: then the last figures count. */
  private account(chunk: JsonObject): void {
    const inner = chunk['x_groq'];
    const usage = chunk['usage'] ?? (isObject(inner) ? inner['usage'] : undefined);
    if (isObject(usage)) add(this.reported, usage);
  }

  private choose(choice: JsonObject): void {
    const { delta, message, finish_reason: reason } = choice;
    if (isGiven(choice['error'])) {
      this.failure = failureOf(choice);
      return;
    }
    this.account(choice);
    const hasSome = this.said.blocks.length > 0 || this.calls.calls.length > 0;
    if (isObject(delta)) this.grow(delta);
    else if (isObject(message) && !hasSome) this.grow(message);
    if (textOf(reason) !== '') this.reason = textOf(reason);
  }

  private grow(delta: JsonObject): void {
    this.reasonOn(delta);
    this.talk(delta['content']);
    this.refusal += textOf(delta['refusal']);
    const { tool_calls: calls, function_call: call } = delta;
    if (Array.isArray(calls)) this.calls.take(calls.filter(isObject));
    if (isObject(call)) this.calls.take([{ index: 'function_call', function: call }]);
  }

  private reasonOn(delta: JsonObject): void {
    const details = Array.isArray(delta['reasoning_details']) ? delta['reasoning_details'] : [];
    const told = this.said.details.take(details);
    const field = reasoningFields.find((name) => textOf(delta[name]) !== '');
    if (field !== undefined) this.say('thinking', field, textOf(delta[field]));
    else this.say('thinking', 'reasoning_details', told);
  }

  private talk(content: Json | undefined): void {
    if (typeof content === 'string' && content !== '') {
      const pieces = this.tags?.push(content) ?? [{ type: 'text' as const, text: content }];
      for (const { type, text } of pieces) this.say(type, 'content', text);
    }
    if (!Array.isArray(content)) return;
    for (const part of content.filter(isObject)) {
      if (part['type'] === 'text') this.say('text', 'parts', textOf(part['text']));
      if (part['type'] === 'thinking') this.say('thinking', 'parts', textIn(part['thinking']));
    }
  }

  private say(type: 'text' | 'thinking', field: Field, text: string): void {
    if (text === '') return;
    this.said.add(type, field, text);
    this.show({ type, delta: text });
  }

  private parts(isCut: boolean): { parts: ReplyPart[]; repairs: NonNullable<DecodedReply['repairs']> } {
    const { textCalls } = this.profile;
    const real = this.calls.calls.map((call) => realCall(call, textCalls));
    const said = this.said.parts(this.tags?.around, isCut && real.length === 0);
    const printed = textCalls && real.length === 0 && this.endedWell() ? this.printed(said) : undefined;
    const calls = (printed?.calls ?? real).map(({ part, repairs }, index) => {
      return { part: { ...part, id: part.id || `call_${index + 1}`, name: this.names.own(part.name) }, repairs };
    });
    return {
      parts: [...(printed?.said ?? said), ...calls.map(({ part }) => part)],
      repairs: calls.flatMap(({ repairs }, call) => repairs.map((what) => ({ call, what }))),
    };
  }

  private endedWell(): boolean {
    const known = Object.hasOwn(finishReasons, this.reason) ? finishReasons[this.reason] : undefined;
    return (known === 'end' || known === 'calls') && this.refusal === '';
  }

  /** Calls that the model printed at the end of its text, in place of what it printed. */
  private printed(said: readonly ReplyPart[]): { said: ReplyPart[]; calls: Called[] } | undefined {
    const last = said.at(-1);
    if (last?.type !== 'text') return undefined;
    const schemas = new Map(this.tools.map(({ name, input }) => [this.names.sent(name), input]));
    const found = callsInText(last.text, schemas);
    if (found === undefined) return undefined;
    const before: ReplyPart[] = found.text === '' ? [] : [{ ...last, text: found.text }];
    return { said: [...said.slice(0, -1), ...before], calls: found.calls.map(printedCall) };
  }
}

interface Called {
  part: CallPart;
  repairs: readonly string[];
}

function realCall(call: GrowingCall, mends: boolean): Called {
  const { id, name, more, text } = call;
  const parsed = parseArguments(text);
  const mended = mends && parsed.malformed !== undefined ? mendJson(text) : undefined;
  const isMended = isObject(mended?.value);
  const rest: JsonObject = { ...more };
  const part: CallPart = {
    type: 'call',
    id,
    name,
    ...(isObject(mended?.value) ? { arguments: mended.value } : parsed),
    ...(Object.keys(rest).length === 0 ? {} : { opaque: rest }),
  };
  return { part, repairs: isMended ? (mended?.repairs ?? []) : [] };
}

function printedCall({ name, arguments: given, malformed, repairs }: TextCall): Called {
  const part: CallPart = { type: 'call', id: '', name, arguments: given };
  return { part: malformed === undefined ? part : { ...part, malformed }, repairs };
}

function failureOf(body: unknown): ProviderFailure {
  return classify({ ...complaintOf(body), headers: {}, now: 0 });
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Of several replies to one request only the first is read. */
function isFirst({ index }: JsonObject): boolean {
  return index === undefined || index === null || index === 0;
}

function textIn(parts: Json | undefined): string {
  if (!Array.isArray(parts)) return textOf(parts);
  return parts.map((part) => (isObject(part) ? textOf(part['text']) : '')).join('');
}

function usageOf(reported: JsonObject): Usage | undefined {
  const prompt = isObject(reported['prompt_tokens_details']) ? reported['prompt_tokens_details'] : {};
  const completion = isObject(reported['completion_tokens_details']) ? reported['completion_tokens_details'] : {};
  const older = isObject(reported['prompt_token_details']) ? reported['prompt_token_details'] : {};
  const given = [
    prompt['cached_tokens'],
    reported['prompt_cache_hit_tokens'],
    reported['cached_tokens'],
    reported['num_cached_tokens'],
    older['cached_tokens'],
  ];
  const cacheRead = given.map(countOf).find((count) => count !== undefined);
  const cacheWrite = countOf(prompt['cache_write_tokens']);
  const input = countOf(reported['prompt_tokens']);
  const reasoning = countOf(completion['reasoning_tokens']);
  const figures = {
    input: uncached(uncached(input, cacheRead), cacheWrite),
    cacheRead,
    cacheWrite,
    output: outputOf(reported, input, reasoning),
    reasoning,
  };
  return reportedUsage(figures);
}

/** Some count reasoning beside the output instead of in it; their sum tells. */
function outputOf(reported: JsonObject, input = 0, reasoning = 0): number | undefined {
  const output = countOf(reported['completion_tokens']);
  if (output === undefined) return undefined;
  return countOf(reported['total_tokens']) === input + output + reasoning ? output + reasoning : output;
}
