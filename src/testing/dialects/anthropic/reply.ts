/** Writes replies of the Messages API, as a stream of events or whole. */
import type { Json, JsonObject, Usage } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import { blocksOf, freeId, type Block } from '../../script/index.ts';
import type { ReplyContext, StreamPlan } from '../dialect.ts';
import { idOf, seal, sign } from '../seals.ts';
import { asText } from './shape.ts';

const defaultChunk = 24;

/** The wire's words for the neutral ones; any other word is sent as it is. */
const stopWords: { [word: string]: string } = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  pause: 'pause_turn',
  refusal: 'refusal',
  overflow: 'model_context_window_exceeded',
};

/** A block as it goes out: whole, and the text that arrives in pieces with the deltas that carry it. */
export interface OutBlock {
  kind: Block['kind'];
  whole: JsonObject;
  /** The block at its start, before any delta. */
  opening: JsonObject;
  text?: string;
  delta?: (piece: string) => JsonObject;
  /** Deltas after the text. */
  closing: JsonObject[];
}

/** One event of the stream; an object's type names it. */
export function eventText(event: JsonObject): string {
  return `event: ${asText(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function outBlocks(reply: ScriptedReply, { place, question }: ReplyContext): OutBlock[] {
  return blocksOf(reply).map((block, index) => {
    const id = freeId(question, `${place} ${index}`, (seed) => idOf('toolu_01', seed));
    return outBlock(block, question.model, id);
  });
}

function outBlock(block: Block, model: string, id: string): OutBlock {
  const { kind } = block;
  if (kind === 'call') return outCall(block, id);
  if (kind === 'opaque') return { kind, whole: block.block, opening: block.block, closing: [] };
  const { text } = block;
  if (kind === 'redacted') {
    const whole = { type: 'redacted_thinking', data: seal(model, text) };
    return { kind, whole, opening: whole, closing: [] };
  }
  if (kind === 'text') {
    const opening = { type: 'text', text: '' };
    const delta = (piece: string) => ({ type: 'text_delta', text: piece });
    return { kind, whole: { type: 'text', text }, opening, text, delta, closing: [] };
  }
  const signature = sign(model, text);
  return {
    kind,
    whole: { type: 'thinking', thinking: text, signature },
    opening: { type: 'thinking', thinking: '', signature: '' },
    text,
    delta: (thinking) => ({ type: 'thinking_delta', thinking }),
    closing: [{ type: 'signature_delta', signature }],
  };
}

function outCall(block: Extract<Block, { kind: 'call' }>, ownId: string): OutBlock {
  const call = { type: 'tool_use', id: block.id ?? ownId, name: block.name };
  return {
    kind: 'call',
    whole: { ...call, input: block.malformed ?? block.arguments },
    opening: { ...call, input: {} },
    text: block.malformed ?? JSON.stringify(block.arguments),
    delta: (partial_json) => ({ type: 'input_json_delta', partial_json }),
    closing: [],
  };
}

export function streamReply(reply: ScriptedReply, context: ReplyContext, blocks: OutBlock[]): StreamPlan {
  if (reply.raw) return rawPlan(reply.raw);
  const message = { ...head(context), content: [], stop_reason: null, stop_sequence: null };
  const opening = context.usage && { usage: { ...usageFields(context.usage), output_tokens: 1 } };
  const events = [eventText({ type: 'message_start', message: { ...message, ...opening } })];
  events.push(eventText({ type: 'ping' }));
  const stages: StreamPlan['stages'] = { 'after-headers': 0 };
  blocks.forEach((block, index) => {
    events.push(eventText({ type: 'content_block_start', index, content_block: block.opening }));
    const deltas = pieces(block, reply.chunk ?? defaultChunk).map((delta) =>
      eventText({ type: 'content_block_delta', index, delta }),
    );
    const stage = stageOfBlock(block.kind);
    if (stage) stages[stage] ??= events.length + Math.ceil((deltas.length - block.closing.length) / 2);
    for (const delta of deltas) events.push(delta);
    events.push(eventText({ type: 'content_block_stop', index }));
  });
  const usage = context.usage && { usage: usageFields(context.usage) };
  events.push(eventText({ type: 'message_delta', delta: stopFields(reply), ...usage }));
  stages['before-end'] = events.length;
  events.push(eventText({ type: 'message_stop' }));
  return { events, stages };
}

function stageOfBlock(kind: Block['kind']): 'in-thinking' | 'in-text' | 'in-call' | undefined {
  if (kind === 'thinking') return 'in-thinking';
  if (kind === 'text') return 'in-text';
  return kind === 'call' ? 'in-call' : undefined;
}

/** Raw events have no stages of their own: every inner stage is their middle. */
function rawPlan(raw: NonNullable<ScriptedReply['raw']>): StreamPlan {
  const events = raw.map((event) => (typeof event === 'string' ? event : eventText(event as JsonObject)));
  const middle = Math.ceil(events.length / 2);
  const end = Math.max(0, events.length - 1);
  return {
    events,
    stages: {
      'after-headers': 0,
      'in-thinking': middle,
      'in-text': middle,
      'in-call': middle,
      'before-end': end,
    },
  };
}

/** Deltas of a block. Pieces end between characters, never inside one; arguments begin with an empty piece. */
function pieces(block: OutBlock, size: number): JsonObject[] {
  const { text, delta } = block;
  if (text === undefined || !delta) return block.closing;
  const characters = Array.from(text);
  const cut: string[] = block.kind === 'call' ? [''] : [];
  // Two pieces at least, so that there is a middle to stop in.
  const step = Math.max(1, Math.min(size, Math.ceil(characters.length / 2)));
  for (let start = 0; start < characters.length; start += step) {
    cut.push(characters.slice(start, start + step).join(''));
  }
  return [...cut.map(delta), ...block.closing];
}

export function wholeReply(reply: ScriptedReply, context: ReplyContext, blocks: OutBlock[]): JsonObject {
  return {
    ...head(context),
    content: blocks.map((block) => block.whole),
    ...stopFields(reply),
    ...(context.usage && { usage: usageFields(context.usage) }),
  };
}

function head({ place, question, model }: ReplyContext): JsonObject {
  const id = idOf('msg_01', `${place} ${question.messages.length}`);
  return { id, type: 'message', role: 'assistant', model };
}

function stopFields(reply: ScriptedReply): JsonObject {
  const called = blocksOf(reply).some((block) => block.kind === 'call');
  const word = reply.stop ?? (called ? 'calls' : 'end');
  const details: Json = { type: 'refusal', category: null, explanation: reply.stopDetail ?? null };
  return {
    stop_reason: stopWords[word] ?? word,
    stop_sequence: null,
    ...(word === 'refusal' ? { stop_details: details } : {}),
  };
}

/** Usage in the wire's words; what isn't given is not reported. */
function usageFields(usage: Usage): JsonObject {
  const { cacheWrite, cacheWriteHour, reasoning } = usage;
  const lifetimes = cacheWrite !== undefined && {
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite - (cacheWriteHour ?? 0),
      ephemeral_1h_input_tokens: cacheWriteHour ?? 0,
    },
  };
  return {
    ...(usage.input !== undefined && { input_tokens: usage.input }),
    ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
    ...(usage.cacheRead !== undefined && { cache_read_input_tokens: usage.cacheRead }),
    ...lifetimes,
    ...(usage.output !== undefined && { output_tokens: usage.output }),
    ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}
