/** Anthropic Messages: a reply out of the events of its stream. */
import type { Json, JsonObject, ReplyPart, Usage } from '../../../core/index.ts';
import { brokenStream, classify, complaintOf, emptyReply, type ProviderFailure } from '../../failures/index.ts';
import {
  add,
  countOf,
  hasMore,
  isEmptyReply,
  isObject,
  parseArguments,
  parseObject,
  reportedUsage,
  settledStop,
  textOf,
} from '../../reply.ts';
import type { SseEvent } from '../../network/index.ts';
import { toolNames, type ToolNames } from '../../sending/index.ts';
import type { Decoded, Decoder, Delta, Expected } from '../../wire.ts';
import {
  growingFields,
  knownEvents,
  ownDeltas,
  stopDetail,
  stopReasons,
  toolRule,
  wordsIn,
  type StreamEvent,
} from './schema.ts';

export function createDecoder(show: (delta: Delta) => void, { tools }: Expected): Decoder {
  return new MessageDecoder(show, toolNames(tools, toolRule));
}

class MessageDecoder implements Decoder {
  private readonly show: (delta: Delta) => void;
  private readonly names: ToolNames;
  /** In the order in which they began. */
  private readonly blocks: OpenBlock[] = [];
  private readonly byIndex = new Map<Json | undefined, OpenBlock>();
  private reported: JsonObject = {};
  private stop: JsonObject = {};
  private calls = 0;
  private providerId: string | undefined;
  private finished = false;
  private failure: ProviderFailure | undefined;

  constructor(show: (delta: Delta) => void, names: ToolNames) {
    this.show = show;
    this.names = names;
  }

  get done(): boolean {
    return this.finished || this.failure !== undefined;
  }

  get usage(): Usage | undefined {
    return usageOf(this.reported);
  }

  get outputCharacters(): number {
    return this.blocks.reduce((sum, block) => sum + block.characters, 0);
  }

  push(event: SseEvent): void {
    if (this.done) return;
    const name = event.event ?? 'message';
    if (name !== 'message' && !knownEvents.has(name)) return;
    const content = parseObject(event.data);
    if (content === undefined) {
      this.failure = brokenStream(`An event of the reply is no JSON object: ${event.data.slice(0, 200)}`);
      return;
    }
    this.take(content);
  }

  end(): Decoded {
    if (this.failure !== undefined) return { kind: 'failure', failure: this.failure };
    if (!this.finished) return { kind: 'failure', failure: brokenStream() };
    const parts = this.blocks.flatMap((block) => block.part(this.names));
    const raw = textOf(this.stop['stop_reason']);
    const known = Object.hasOwn(stopReasons, raw) ? stopReasons[raw] : undefined;
    const stop = settledStop(known ?? 'other', parts);
    // What nobody here interprets may be all there is to say.
    const isSilent = isEmptyReply(stop, parts) && !this.blocks.some((block) => block.isForeign);
    if (isSilent) return { kind: 'failure', failure: emptyReply(raw) };
    const detail = stopDetail(this.stop);
    const usage = this.usage;
    return {
      kind: 'reply',
      reply: {
        parts,
        stop,
        ...(raw === '' ? {} : { stopRaw: raw }),
        ...(detail === undefined ? {} : { stopDetail: detail }),
        ...(usage === undefined ? {} : { usage }),
        ...(this.providerId === undefined ? {} : { providerId: this.providerId }),
      },
    };
  }

  private take(event: StreamEvent): void {
    switch (event.type) {
      case 'message_start':
        return this.start(event.message);
      case 'content_block_start':
        return this.open(event);
      case 'content_block_delta':
        return this.grow(event);
      case 'content_block_stop':
        this.byIndex.get(event.index)?.close();
        return undefined;
      case 'message_delta':
        if (isObject(event.delta)) add(this.stop, event.delta);
        if (isObject(event.usage)) add(this.reported, event.usage);
        return undefined;
      case 'message_stop':
        this.finished = true;
        return undefined;
      case 'error':
        this.failure = classify({ ...complaintOf(event), headers: {}, now: 0 });
        return undefined;
      default:
        return undefined;
    }
  }

  /**
   * Some servers send it twice: the second adds what the first didn’t report. What the provider had at hand comes with it, and
   * then it can be the end, too; otherwise its output is a first estimate and doesn’t count.
   */
  private start(message: Json | undefined): void {
    if (!isObject(message)) return;
    const id = textOf(message['id']);
    if (id !== '' && this.providerId !== undefined && id !== this.providerId && this.blocks.length > 0) {
      this.failure = brokenStream('Another reply begins in the middle of this one.');
      return;
    }
    if (id !== '') this.providerId = id;
    const { stop_reason: reason, usage, content } = message;
    if (typeof reason === 'string') this.stop = { ...message };
    if (isObject(usage)) {
      const { output_tokens: output = null, ...told } = usage;
      const counted = typeof reason === 'string' ? { ...told, output_tokens: output } : told;
      const fresh = Object.entries(counted).filter(([key]) => (this.reported[key] ?? 0) === 0);
      add(this.reported, Object.fromEntries(fresh));
    }
    if (this.blocks.length > 0 || !Array.isArray(content)) return;
    for (const [index, block] of content.entries()) if (isObject(block)) this.begin(block, index).close();
  }

  private open(event: StreamEvent): void {
    if (isObject(event.content_block)) this.begin(event.content_block, event.index);
  }

  private begin(content: JsonObject, index: Json | undefined): OpenBlock {
    const block = new OpenBlock(content);
    this.blocks.push(block);
    this.byIndex.set(index, block);
    if (block.kind === 'tool_use') {
      this.show({ type: 'call', index: this.calls, name: this.names.own(textOf(content['name'])) });
      this.calls += 1;
    }
    this.display(block, block.text);
    return block;
  }

  private grow(event: StreamEvent): void {
    if (!isObject(event.delta)) return;
    const block = this.byIndex.get(event.index);
    if (block === undefined) {
      this.failure = brokenStream('The reply goes on with a block that it never began.');
      return;
    }
    const said = wordsIn(event.delta);
    // Some servers go on to speak in the block in which they thought: that is a block of its own.
    const isOther = said !== undefined && said !== block.kind && wordsOf.includes(block.kind);
    const grown = isOther ? this.begin({ type: said, [said]: '' }, event.index) : block;
    this.display(grown, grown.grow(event.delta));
  }

  private display(block: OpenBlock, delta: string): void {
    if (delta === '') return;
    if (block.kind === 'text' || block.kind === 'thinking') this.show({ type: block.kind, delta });
  }
}

/** A block as it began, with what its deltas added. */
class OpenBlock {
  readonly kind: string;
  /** Characters of output that came for it. */
  characters = 0;
  private readonly block: JsonObject;
  private citations: Json[] = [];
  private rawInput = '';
  private closed = false;

  constructor(begun: JsonObject) {
    this.block = { ...begun };
    this.kind = textOf(begun['type']);
    this.characters = this.text.length;
  }

  get text(): string {
    return textOf(this.block[this.kind === 'thinking' ? 'thinking' : 'text']);
  }

  /** Whether it is none of the model’s own words, thoughts and calls. */
  get isForeign(): boolean {
    return !Object.hasOwn(ownDeltas, this.kind);
  }

  close(): void {
    this.closed = true;
  }

  /** Takes a delta in; gives what there is to show of it. One that isn't known, or is none for this block, changes nothing. */
  grow(delta: JsonObject): string {
    const kind = textOf(delta['type']);
    if (Object.hasOwn(ownDeltas, this.kind) && ownDeltas[this.kind]?.includes(kind) !== true) return '';
    if (kind === 'input_json_delta') {
      const piece = textOf(delta['partial_json']);
      this.rawInput += piece;
      this.characters += piece.length;
      return '';
    }
    if (kind === 'citations_delta' && delta['citation'] !== undefined) {
      const { citations } = this.block;
      if (this.citations.length === 0 && Array.isArray(citations)) this.citations = [...citations];
      this.citations.push(delta['citation']);
      this.block['citations'] = this.citations;
      return '';
    }
    if (kind === 'signature_delta') {
      // It comes whole, at the end of its block.
      this.block['signature'] = textOf(delta['signature']);
      return '';
    }
    const fields = Object.hasOwn(growingFields, kind) ? (growingFields[kind] ?? []) : [];
    return fields.map((field) => this.append(field, delta[field])).join('');
  }

  private append(field: string, piece: Json | undefined): string {
    if (typeof piece !== 'string') return '';
    this.block[field] = textOf(this.block[field]) + piece;
    this.characters += piece.length;
    return piece;
  }

  part(names: ToolNames): ReplyPart[] {
    if (this.kind === 'text') return this.textPart();
    if (this.kind === 'thinking') return [this.thinkingPart()];
    if (this.kind === 'tool_use') return [this.callPart(names)];
    const input = this.rawInput === '' ? {} : { input: parseObject(this.rawInput) ?? {} };
    return [{ type: 'opaque', opaque: { ...this.block, ...input } }];
  }

  private textPart(): ReplyPart[] {
    const more = hasMore(this.block, ['type', 'text']);
    if (this.text === '' && !more) return [];
    return [{ type: 'text', text: this.text, ...(more ? { opaque: this.block } : {}) }];
  }

  /** Without its end or its signature the provider would refuse it: it can be read, but not sent back. */
  private thinkingPart(): ReplyPart {
    const whole = this.closed && textOf(this.block['signature']) !== '';
    return { type: 'thinking', text: this.text, ...(whole ? { opaque: this.block } : {}) };
  }

  private callPart(names: ToolNames): ReplyPart {
    const begun = this.block['input'];
    const parsed = this.rawInput === '' && isObject(begun) ? { arguments: begun } : parseArguments(this.rawInput);
    const block: JsonObject = { ...this.block, input: parsed.arguments };
    return {
      type: 'call',
      id: textOf(block['id']),
      name: names.own(textOf(block['name'])),
      ...parsed,
      ...(hasMore(block, ['type', 'id', 'name', 'input']) ? { opaque: block } : {}),
    };
  }
}

const wordsOf: readonly string[] = ['text', 'thinking'];

function usageOf(reported: JsonObject): Usage | undefined {
  const creation = isObject(reported['cache_creation']) ? reported['cache_creation'] : {};
  const details = isObject(reported['output_tokens_details']) ? reported['output_tokens_details'] : {};
  const figures = {
    input: countOf(reported['input_tokens']),
    cacheRead: countOf(reported['cache_read_input_tokens']),
    cacheWrite: countOf(reported['cache_creation_input_tokens']),
    cacheWriteHour: countOf(creation['ephemeral_1h_input_tokens']),
    output: countOf(reported['output_tokens']),
    reasoning: countOf(details['thinking_tokens']),
  };
  return reportedUsage(figures);
}
