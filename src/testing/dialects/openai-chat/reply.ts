/** Writes replies of Chat Completions, as a stream of chunks or whole. */
import type { Json, JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import { blocksOf, freeId, type Block } from '../../script/index.ts';
import type { ReplyContext, StreamPlan } from '../dialect.ts';
import { EventList, piecesOf, rawPlan, usageFields } from '../openai/index.ts';
import { idOf, seal } from '../seals.ts';
import { provenId } from './reasoning.ts';

/** The wire's words for the neutral ones; any other word is sent as it is. */
const stopWords: { [word: string]: string } = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  pause: 'stop',
  refusal: 'content_filter',
  overflow: 'length',
};

/** When every reply was made, in seconds since the epoch: the same in every rehearsal. */
const created = 1_767_225_600;

/** A block as it goes out: what it adds to the message, and the deltas that carry it. */
export interface OutBlock {
  kind: Block['kind'];
  whole: JsonObject;
  /** A delta before the text, and the text that arrives in pieces with the deltas that carry it. */
  opening?: JsonObject;
  text: string;
  delta: (piece: string) => JsonObject;
}

export function outBlocks(reply: ScriptedReply, { place, question }: ReplyContext): OutBlock[] {
  const blocks = blocksOf(reply);
  const { model } = question;
  const reasoning = blocks.map((block) => (block.kind === 'thinking' ? block.text : '')).join('');
  let calls = 0;
  let sealed = 0;
  return blocks.map((block, index) => {
    if (block.kind === 'call') {
      const id = block.id ?? freeId(question, `${place} ${index}`, (seed) => provenId(model, reasoning, seed));
      return outCall(block, id, calls++);
    }
    if (block.kind === 'redacted') return outSealed(block.text, model, sealed++);
    if (block.kind === 'opaque')
      return { kind: 'opaque', whole: block.block, opening: block.block, text: '', delta: none };
    const key = block.kind === 'thinking' ? 'reasoning_content' : 'content';
    const delta = (piece: string) => ({ [key]: piece });
    return { kind: block.kind, whole: delta(block.text), text: block.text, delta };
  });
}

const none = (): JsonObject => ({});

function outCall(block: Extract<Block, { kind: 'call' }>, id: string, index: number): OutBlock {
  const text = block.malformed ?? JSON.stringify(block.arguments);
  const call = (written: string) => ({ id, type: 'function', function: { name: block.name, arguments: written } });
  return {
    kind: 'call',
    whole: { tool_calls: [call(text)] },
    opening: { tool_calls: [{ index, ...call('') }] },
    text,
    delta: (piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }),
  };
}

/** Reasoning that only the server can read, as gateways hand it on. */
function outSealed(text: string, model: string, index: number): OutBlock {
  const detail = { type: 'reasoning.encrypted', data: seal(model, text), id: null, format: 'unknown', index };
  const whole = { reasoning_details: [detail] };
  return { kind: 'redacted', whole, opening: whole, text: '', delta: none };
}

export interface StreamOptions {
  /** Usage comes only where it is asked for. */
  includeUsage: boolean;
}

export function streamReply(
  reply: ScriptedReply,
  context: ReplyContext,
  blocks: OutBlock[],
  { includeUsage }: StreamOptions,
): StreamPlan {
  if (reply.raw) return rawPlan(reply.raw, eventText, (event) => /"finish_reason"\s*:\s*"/.test(event));
  const head = { ...headOf(context, 'chat.completion.chunk'), ...(includeUsage && { usage: null }) };
  const chunk = (delta: JsonObject, finish: string | null = null) =>
    eventText({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const list = new EventList();
  list.add(chunk({ role: 'assistant', content: '', refusal: null }));
  for (const block of blocks) {
    if (block.opening) list.add(chunk(block.opening));
    const pieces = piecesOf(block.text, reply.chunk);
    list.addDeltas(
      block.kind,
      pieces.map((piece) => chunk(block.delta(piece))),
    );
  }
  if (explanation(reply) !== null) list.add(chunk({ refusal: explanation(reply) }));
  list.markEnd();
  list.add(chunk({}, stopWord(reply)));
  if (includeUsage && context.usage) {
    list.add(eventText({ ...head, choices: [], usage: usageFields(context.usage, usageWords) }));
  }
  list.add('data: [DONE]\n\n');
  return list.plan();
}

export function wholeReply(reply: ScriptedReply, context: ReplyContext, blocks: OutBlock[]): JsonObject {
  const message = blocks.reduce((sum, { whole }) => merge(sum, whole), messageStart(reply));
  return {
    ...headOf(context, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: stopWord(reply) }],
    ...(context.usage && { usage: usageFields(context.usage, usageWords) }),
  };
}

const usageWords = { input: 'prompt_tokens', output: 'completion_tokens' };

const messageStart = (reply: ScriptedReply): JsonObject => ({
  role: 'assistant',
  content: null,
  refusal: explanation(reply),
});

/** Adds to a message as a reader of deltas does: texts and lists grow, anything else is set. */
function merge(message: JsonObject, more: JsonObject): JsonObject {
  const merged = Object.entries(more).map(([key, value]): [string, Json] => {
    const before = message[key];
    if (Array.isArray(before) && Array.isArray(value)) return [key, [...before, ...value]];
    const grows = typeof before === 'string' && typeof value === 'string' && key !== 'role';
    return [key, grows ? before + value : value];
  });
  return { ...message, ...Object.fromEntries(merged) };
}

export const eventText = (event: JsonObject): string => `data: ${JSON.stringify(event)}\n\n`;

function headOf({ place, question, model }: ReplyContext, object: string): JsonObject {
  return { id: idOf('chatcmpl-', `${place} ${question.messages.length}`, 29), object, created, model };
}

function stopWord(reply: ScriptedReply): string {
  const called = blocksOf(reply).some((block) => block.kind === 'call');
  const word = reply.stop ?? (called ? 'calls' : 'end');
  return Object.hasOwn(stopWords, word) ? (stopWords[word] ?? word) : word;
}

const explanation = (reply: ScriptedReply): string | null =>
  reply.stop === 'refusal' ? (reply.stopDetail ?? null) : null;
