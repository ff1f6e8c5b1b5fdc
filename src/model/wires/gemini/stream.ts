/** Gemini generateContent: a reply out of the chunks of its stream. */
import type { Json, JsonObject, ReplyPart, ReplyStop, Usage } from '../../../core/index.ts';
import { brokenStream, classify, complaintOf, emptyReply, type ProviderFailure } from '../../failures/index.ts';
import { PartialArguments } from '../../reading/index.ts';
import {
  add,
  countOf,
  hasMore,
  isEmptyReply,
  isObject,
  parseJson,
  reportedUsage,
  settledStop,
  textOf,
} from '../../reply.ts';
import type { SseEvent } from '../../network/index.ts';
import { toolNames, type ToolNames } from '../../sending/index.ts';
import type { Decoded, DecodedReply, Decoder, Delta, Expected } from '../../wire.ts';
import { brokenReasons, disabledReason, noReason, stopReasons, toolRuleOf, type Chunk } from './schema.ts';

export function createDecoder(show: (delta: Delta) => void, { tools, target }: Expected): Decoder {
  return new ChunkDecoder(show, toolNames(tools, toolRuleOf(target)));
}

class ChunkDecoder implements Decoder {
  outputCharacters = 0;
  private readonly show: (delta: Delta) => void;
  private readonly names: ToolNames;
  private readonly blocks: Block[] = [];
  private reported: JsonObject = {};
  /** Why it ended, as the last chunk that says so has it. */
  private reason = '';
  private isBlocked = false;
  private words: string[] = [];
  private calls = 0;
  /** The call that began last. */
  private lastCall: CallBlock | undefined;
  private providerId: string | undefined;
  private failure: ProviderFailure | undefined;

  constructor(show: (delta: Delta) => void, names: ToolNames) {
    this.show = show;
    this.names = names;
  }

  /** Nothing says that a chunk is the last: some servers name a reason in each of them. */
  get done(): boolean {
    return this.failure !== undefined;
  }

  get complete(): boolean {
    return this.reason !== '';
  }

  get usage(): Usage | undefined {
    return usageOf(this.reported);
  }

  push(event: SseEvent): void {
    if (this.done) return;
    const name = event.event ?? 'message';
    if (name !== 'message' && name !== 'error') return;
    const chunks = chunksIn(event.data);
    // Some servers end every stream as that of another protocol ends.
    if (chunks === undefined && event.data.trim() === '[DONE]') return;
    if (chunks === undefined)
      this.failure = brokenStream(`An event of the reply is no JSON object: ${event.data.slice(0, 200)}`);
    for (const chunk of chunks ?? []) this.take(chunk);
  }

  end(): Decoded {
    const failure = this.failure ?? this.failedEnd();
    if (failure !== undefined) return { kind: 'failure', failure };
    const parts = this.parts();
    const stop = settledStop(this.told(), parts);
    // What nobody here interprets may be all there is to say.
    const isSilent = isEmptyReply(stop, parts) && !this.blocks.some((block) => block.kind === 'other');
    if (isSilent) return { kind: 'failure', failure: emptyReply(this.reason) };
    return { kind: 'reply', reply: { parts, stop, stopRaw: this.reason, ...this.facts() } };
  }

  private failedEnd(): ProviderFailure | undefined {
    if (this.reason === '') return brokenStream();
    const said = [this.reason, ...this.words].join(': ');
    if (this.reason === disabledReason) return { class: 'auth', code: 'provider-auth', message: said };
    return brokenReasons.has(this.reason) ? brokenStream(`The provider ended its reply with ${said}`) : undefined;
  }

  private told(): ReplyStop {
    if (this.isBlocked) return 'refusal';
    const known = Object.hasOwn(stopReasons, this.reason) ? stopReasons[this.reason] : undefined;
    return known ?? 'other';
  }

  private facts(): Pick<DecodedReply, 'stopDetail' | 'usage' | 'providerId'> {
    const { usage, providerId } = this;
    const words = this.told() === 'refusal' ? [this.reason, ...this.words] : this.words;
    return {
      ...(words.length === 0 ? {} : { stopDetail: words.join(': ') }),
      ...(usage === undefined ? {} : { usage }),
      ...(providerId === undefined ? {} : { providerId }),
    };
  }

  /** Where the provider gives a call no id, its place in the reply is one. */
  private parts(): ReplyPart[] {
    let calls = 0;
    return this.blocks.flatMap((block) => {
      if (block.kind !== 'call') return block.parts();
      calls += 1;
      return [block.part(`call_${calls}`, this.names)];
    });
  }

  private take(chunk: Chunk & JsonObject): void {
    if (chunk.error !== undefined && chunk.error !== null) {
      this.failure = classify({ ...complaintOf(chunk), headers: {}, now: 0 });
      return;
    }
    if (isObject(chunk.usageMetadata)) add(this.reported, chunk.usageMetadata);
    if (typeof chunk.responseId === 'string') this.providerId = chunk.responseId;
    const candidate = listOf(chunk.candidates).find(({ index }) => (index ?? 0) === 0) ?? {};
    const { content, finishReason, finishMessage } = candidate;
    for (const part of isObject(content) ? listOf(content['parts']) : []) this.add(part);
    if (isReason(finishReason)) this.stop(finishReason, finishMessage, candidate);
    // A prompt that is blocked gets no candidate at all.
    const feedback = isObject(chunk.promptFeedback) ? chunk.promptFeedback : {};
    const { blockReason, blockReasonMessage } = feedback;
    if (!isReason(blockReason)) return;
    this.isBlocked = true;
    this.stop(blockReason, blockReasonMessage, feedback);
  }

  private stop(reason: string, message: Json | undefined, { safetyRatings }: JsonObject): void {
    this.reason = reason;
    const blocked = listOf(safetyRatings).flatMap((rating) =>
      rating['blocked'] === true ? textOf(rating['category']) : [],
    );
    this.words = [textOf(message), blocked.join(', ')].filter((words) => words !== '');
  }

  private add(part: JsonObject): void {
    if (isObject(part['functionCall'])) return this.addCall(part, part['functionCall']);
    const kind = kindOf(part);
    const text = kind === 'other' ? '' : textOf(part['text']);
    this.outputCharacters += text.length;
    const last = this.blocks.at(-1);
    if (last?.kind === kind) last.grow(part);
    else this.blocks.push(new SaidBlock(kind, part));
    if (text !== '' && kind !== 'other') this.show({ type: kind, delta: text });
  }

  private addCall(part: JsonObject, call: JsonObject): void {
    const open = this.lastCall;
    const isNew = open?.isOpen !== true || textOf(call['name']) !== '';
    // A call of nothing only closes the one before it.
    if (isNew && !hasMore(call, ['willContinue']) && open !== undefined) return;
    const block = isNew || open === undefined ? new CallBlock() : open;
    const before = block.characters;
    block.take(part, call);
    this.outputCharacters += block.characters - before;
    if (block !== open) {
      this.blocks.push(block);
      this.lastCall = block;
      this.show({ type: 'call', index: this.calls, name: this.names.own(textOf(call['name'])) });
      this.calls += 1;
    }
  }
}

type Block = SaidBlock | CallBlock;

/** The chunks of an event, which some errors come in a list of; undefined when it isn't JSON. */
function chunksIn(data: string): (Chunk & JsonObject)[] | undefined {
  const value = parseJson(data);
  if (isObject(value)) return [value];
  return Array.isArray(value) ? listOf(value) : undefined;
}

function listOf(value: Json | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.every(isObject) ? value : value.filter((entry) => isObject(entry));
}

function isReason(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '' && value !== noReason;
}

/** What else a part may hold goes back as it came. An empty text may be left out beside what else is said of it. */
function kindOf(part: JsonObject): 'text' | 'thinking' | 'other' {
  const isText = typeof part['text'] === 'string' || !hasMore(part, ['thought', 'thoughtSignature']);
  if (!isText) return 'other';
  return part['thought'] === true ? 'thinking' : 'text';
}

/** Neighbouring parts of one kind: one to read, and each by itself to send back. */
class SaidBlock {
  readonly kind: 'text' | 'thinking' | 'other';
  /** The provider's parts; those that are nothing but text are joined. */
  private readonly given: { part: JsonObject; isPlain: boolean; texts: string[] }[] = [];

  constructor(kind: 'text' | 'thinking' | 'other', part: JsonObject) {
    this.kind = kind;
    this.grow(part);
  }

  grow(part: JsonObject): void {
    const last = this.given.at(-1);
    const text = textOf(part['text']);
    const isPlain = isOnlySaid(part);
    if (last?.isPlain === true && isPlain) last.texts.push(text);
    else this.given.push({ part, isPlain, texts: [text] });
  }

  parts(): ReplyPart[] {
    const given = this.given.map(({ part, isPlain, texts }) => (isPlain ? { ...part, text: texts.join('') } : part));
    if (this.kind === 'other') return [{ type: 'opaque', opaque: given }];
    const text = given.map((part) => textOf(part['text'])).join('');
    const isKept = given.some((part) => !isOnlySaid(part));
    // Thoughts go back only where they are signed.
    const opaque = given.filter((part) => !isOnlySaid(part) || (this.kind === 'text' && textOf(part['text']) !== ''));
    if (text === '') return isKept ? [{ type: 'opaque', opaque }] : [];
    return [{ type: this.kind, text, ...(isKept ? { opaque } : {}) }];
  }
}

/** Nothing but text, or thought. */
function isOnlySaid(part: JsonObject): boolean {
  return typeof part['text'] === 'string' && !hasMore(part, ['text', 'thought']);
}

/** A call comes whole, or value by value over several parts. */
class CallBlock {
  readonly kind = 'call';
  isOpen = false;
  characters = 0;
  private readonly fields: JsonObject = {};
  private readonly call: JsonObject = {};
  private partial: PartialArguments | undefined;

  take(part: JsonObject, { partialArgs, willContinue, ...call }: JsonObject): void {
    add(this.fields, part);
    add(this.call, call);
    this.isOpen = willContinue === true;
    if (partialArgs !== undefined) this.partial ??= new PartialArguments();
    this.partial?.take(partialArgs);
    if (this.partial !== undefined) this.characters = this.partial.characters;
    else if (call['args'] !== undefined) this.characters = JSON.stringify(call['args']).length;
  }

  part(localId: string, names: ToolNames): ReplyPart {
    const { id, name } = this.call;
    const given = this.partial?.value() ?? this.call['args'] ?? {};
    const isWhole = !this.isOpen && this.partial?.isWhole !== false && isObject(given);
    const functionCall = this.partial === undefined ? this.call : { ...this.call, args: given };
    const opaque = { ...this.fields, functionCall };
    return {
      type: 'call',
      id: textOf(id) || localId,
      name: names.own(textOf(name)),
      ...(isWhole ? { arguments: given } : { arguments: {}, malformed: JSON.stringify(given) }),
      ...(hasMore(this.fields, ['functionCall']) || hasMore(functionCall, ['name', 'args']) ? { opaque } : {}),
    };
  }
}

/** What was read from a cache is part of the prompt as it is reported, what was thought isn't part of the candidates. */
function usageOf(reported: JsonObject): Usage | undefined {
  const prompt = countOf(reported['promptTokenCount']);
  const cacheRead = countOf(reported['cachedContentTokenCount']);
  const said = countOf(reported['candidatesTokenCount']);
  const reasoning = countOf(reported['thoughtsTokenCount']);
  const toolUse = countOf(reported['toolUsePromptTokenCount']) ?? 0;
  const figures = {
    input: prompt === undefined ? undefined : Math.max(0, prompt + toolUse - (cacheRead ?? 0)),
    cacheRead,
    output: said === undefined && reasoning === undefined ? undefined : (said ?? 0) + (reasoning ?? 0),
    reasoning,
  };
  return reportedUsage(figures);
}
