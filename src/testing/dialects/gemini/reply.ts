/** Writes replies of generateContent, as a stream of chunks or whole. */
import type { JsonObject, Usage } from '../../../core/index.ts';
import type { ScriptedReply, Stage } from '../../scenario/index.ts';
import { blocksOf, type Block } from '../../script/index.ts';
import type { ReplyContext, StreamPlan } from '../dialect.ts';
import { idOf } from '../seals.ts';
import { signature, signsAlways } from './issued.ts';
import { callParts } from './shape.ts';

const defaultChunk = 24;

/** The wire's words for the neutral ones; any other word is sent as it is. Calls end a reply like anything else. */
const stopWords: { [word: string]: string } = {
  end: 'STOP',
  calls: 'STOP',
  pause: 'STOP',
  length: 'MAX_TOKENS',
  overflow: 'MAX_TOKENS',
  refusal: 'SAFETY',
};

/** A part as it goes out; text arrives in pieces, anything else whole. */
export interface OutPart {
  part: JsonObject;
  stage?: Stage;
  text?: string;
}

/** One event of the stream; they have no names. */
export const eventText = (chunk: JsonObject): string => `data: ${JSON.stringify(chunk)}\n\n`;

/**
 * The parts of a reply. Its thinking is proven by one signature: on the first call, or else on the last text, which in a stream is
 * an empty one at the end.
 */
export function outParts(reply: ScriptedReply, model: string, streamed: boolean): OutPart[] {
  const blocks = blocksOf(reply);
  const thought = blocks.flatMap((block) => (block.kind === 'thinking' || block.kind === 'redacted' ? block.text : []));
  const parts = blocks.flatMap(outPart);
  const [firstCall] = callParts(parts.map(({ part }) => part));
  if (thought.length === 0 && !(firstCall && signsAlways(model))) return parts;
  const sign = (part: JsonObject) => {
    part['thoughtSignature'] = signature(model, part, thought.join('\n'));
  };
  const lastText = parts.findLast(({ stage }) => stage === 'in-text');
  if (firstCall) sign(firstCall);
  else if (lastText && !streamed) sign(lastText.part);
  else {
    const closing = { text: '' };
    sign(closing);
    parts.push({ part: closing });
  }
  return parts;
}

function outPart(block: Block): OutPart[] {
  const { kind } = block;
  if (kind === 'opaque') return [{ part: { ...block.block } }];
  if (kind === 'call') return block.malformed === undefined ? [outCall(block)] : [];
  const { text } = block;
  if (kind === 'text') return [{ part: { text }, stage: 'in-text', text }];
  // Sealed thinking, and thinking without a summary, show in the signature alone.
  return kind === 'redacted' || text === '' ? [] : [{ part: { text, thought: true }, stage: 'in-thinking', text }];
}

function outCall({ id, name, arguments: args }: Extract<Block, { kind: 'call' }>): OutPart {
  return { part: { functionCall: { ...(id === undefined ? {} : { id }), name, args } }, stage: 'in-call' };
}

export function streamReply(reply: ScriptedReply, context: ReplyContext, parts: OutPart[]): StreamPlan {
  if (reply.raw) return rawPlan(reply.raw as (string | JsonObject)[]);
  const last = parts.at(-1);
  // The closing signature comes in the chunk that ends the reply.
  const closing = last && last.stage === undefined && last.part['text'] === '' ? last.part : { text: '' };
  const body = closing === last?.part ? parts.slice(0, -1) : parts;
  const stages: StreamPlan['stages'] = { 'after-headers': 0 };
  const contents: JsonObject[] = [];
  for (const out of body) {
    const pieces = piecesOf(out, reply.chunk ?? defaultChunk);
    if (out.stage) stages[out.stage] ??= contents.length + Math.ceil(pieces.length / 2);
    for (const piece of pieces) contents.push(piece);
  }
  // A malformed call isn't sent: it is known only by the end that it leads to.
  if (isMalformed(reply)) stages['in-call'] ??= contents.length;
  stages['before-end'] = contents.length;
  const shares = contents.length + 1;
  const events = contents.map((part, index) =>
    eventText(chunk(context, { content: content([part]), index: 0 }, (index + 1) / shares)),
  );
  const end = { ...(isSilent(reply, parts) ? {} : { content: content([closing]) }), ...stopFields(reply), index: 0 };
  return { events: [...events, eventText(chunk(context, end, 1))], stages };
}

export function wholeReply(reply: ScriptedReply, context: ReplyContext, parts: OutPart[]): JsonObject {
  const said = isSilent(reply, parts) ? {} : { content: content(parts.map(({ part }) => part)) };
  return chunk(context, { ...said, ...stopFields(reply), index: 0 }, 1);
}

const content = (parts: JsonObject[]): JsonObject => ({ parts, role: 'model' });

/** What was stopped before it said anything has no content at all. */
const isSilent = (reply: ScriptedReply, parts: OutPart[]): boolean =>
  parts.length === 0 && stopFields(reply)['finishReason'] !== 'STOP';

function chunk({ usage, model, place, question }: ReplyContext, candidate: JsonObject, share: number): JsonObject {
  return {
    candidates: [candidate],
    ...(usage && { usageMetadata: usageFields(usage, share) }),
    modelVersion: model,
    responseId: idOf('', `${place} ${question.messages.length}`),
  };
}

/** Pieces end between characters, never inside one; there are two at least, so that there is a middle to stop in. */
function piecesOf({ part, text }: OutPart, size: number): JsonObject[] {
  if (text === undefined) return [part];
  const characters = Array.from(text);
  const step = Math.max(1, Math.min(size, Math.ceil(characters.length / 2)));
  const count = Math.ceil(characters.length / step);
  return Array.from({ length: count }, (_, index) => ({
    ...part,
    text: characters.slice(index * step, (index + 1) * step).join(''),
  }));
}

/** Raw events have no stages of their own: every inner stage is their middle. */
function rawPlan(raw: (string | JsonObject)[]): StreamPlan {
  const middle = Math.ceil(raw.length / 2);
  return {
    events: raw.map((event) => (typeof event === 'string' ? event : eventText(event))),
    stages: {
      'after-headers': 0,
      'in-thinking': middle,
      'in-text': middle,
      'in-call': middle,
      'before-end': Math.max(0, raw.length - 1),
    },
  };
}

const malformedCalls = (reply: ScriptedReply) =>
  blocksOf(reply).flatMap((block) => (block.kind === 'call' && block.malformed !== undefined ? [block] : []));

const isMalformed = (reply: ScriptedReply): boolean => malformedCalls(reply).length > 0;

function stopFields(reply: ScriptedReply): JsonObject {
  const [malformed] = malformedCalls(reply);
  if (malformed && (reply.stop === undefined || reply.stop === 'calls')) {
    const finishMessage = `Malformed function call: ${malformed.name}(${malformed.malformed})`;
    return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
  }
  const word = reply.stop ?? 'end';
  const detail = reply.stopDetail === undefined ? {} : { finishMessage: reply.stopDetail };
  return { finishReason: stopWords[word] ?? word, ...detail };
}

/** Usage in the wire's words: what was read from a cache is part of the prompt, what was thought isn't part of the candidates. */
function usageFields(usage: Usage, share: number): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const prompt = sum([input, cacheRead, cacheWrite]);
  const said = output === undefined ? undefined : Math.round(Math.max(0, output - (reasoning ?? 0)) * share);
  const fields = {
    promptTokenCount: prompt,
    candidatesTokenCount: said,
    totalTokenCount: sum([prompt, said, reasoning]),
    cachedContentTokenCount: cacheRead === 0 ? undefined : cacheRead,
    thoughtsTokenCount: reasoning,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, count]) => count !== undefined)) as JsonObject;
}

/** Undefined when nothing is told. */
function sum(counts: (number | undefined)[]): number | undefined {
  const told = counts.filter((count) => count !== undefined);
  return told.length === 0 ? undefined : told.reduce((total, count) => total + count, 0);
}
