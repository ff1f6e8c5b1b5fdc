/** Reads requests of the Messages API: in neutral words, and as the sequence that a cache sees. */
import type { Json, JsonObject } from '../../../core/index.ts';
import { estimateTokens, type AskedMessage, type Question } from '../../script/index.ts';
import type { CanonicalPart } from '../dialect.ts';
import {
  asList,
  asText,
  blocksOfType,
  contentBlocks,
  isObject,
  joinedMessages,
  objectsIn,
  rawMessages,
  textIn,
  type RawMessage,
} from './shape.ts';

export function readQuestion(body: JsonObject): Question {
  const names = new Map<string, string>();
  const messages = joinedMessages(body).filter(({ role }) => role === 'user' || role === 'assistant');
  return {
    model: asText(body['model']),
    stream: body['stream'] === true,
    maxOutput: typeof body['max_tokens'] === 'number' ? body['max_tokens'] : 0,
    system: textIn(body['system']),
    tools: objectsIn(body['tools']).map((tool) => asText(tool['name'])),
    messages: messages.map((message) => readMessage(message, names)),
  };
}

function readMessage(message: RawMessage, names: Map<string, string>): AskedMessage {
  const calls = blocksOfType(message, 'tool_use').map((block) => ({
    id: asText(block['id']),
    name: asText(block['name']),
  }));
  for (const { id, name } of calls) names.set(id, name);
  const results = blocksOfType(message, 'tool_result').map((block) => {
    const id = asText(block['tool_use_id']);
    const name = names.get(id);
    return {
      id,
      ...(name === undefined ? {} : { name }),
      text: textIn(block['content']),
      error: block['is_error'] === true,
    };
  });
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    text: textIn(message.blocks),
    results,
    calls,
    images: imagesIn(message.blocks),
    blocks: message.blocks.length,
  };
}

function imagesIn(content: Json | undefined): number {
  return objectsIn(contentBlocks(content)).reduce((count, block) => {
    return count + (block['type'] === 'image' ? 1 : imagesIn(block['content']));
  }, 0);
}

/**
 * Tools, system and messages as a cache compares them: block by block, without the marks themselves. A deferred tool is no part of the
 * prefix: it costs where a reference to it stands.
 */
export function canonicalParts(body: JsonObject): CanonicalPart[] {
  const tools = asList(body['tools']);
  const deferred = objectsIn(tools).filter(isDeferred);
  const sizes = new Map(deferred.map((tool) => [asText(tool['name']), part('tools', '', tool).tokens]));
  return [
    ...tools.filter((tool) => !isObject(tool) || !isDeferred(tool)).map((tool) => part('tools', '', tool)),
    ...contentBlocks(body['system']).map((block) => part('system', '', block)),
    ...rawMessages(body).flatMap(({ role, blocks }) => blocks.map((block) => messagePart(asText(role), block, sizes))),
  ];
}

function isDeferred(tool: JsonObject): boolean {
  return tool['defer_loading'] === true;
}

function messagePart(role: string, block: Json, sizes: ReadonlyMap<string, number>): CanonicalPart {
  const own = part('messages', role, block);
  const inner = isObject(block) ? objectsIn(block['content']) : [];
  const references = inner.filter((each) => each['type'] === 'tool_reference');
  const tokens = references.reduce((sum, { tool_name: name }) => sum + (sizes.get(asText(name)) ?? 0), own.tokens);
  return { ...own, tokens };
}

function part(of: CanonicalPart['of'], role: string, value: Json): CanonicalPart {
  const mark = isObject(value) ? value['cache_control'] : undefined;
  const text = role + JSON.stringify(mark === undefined ? value : withoutMark(value as JsonObject));
  const tokens = countTokens(value, text);
  if (!isObject(mark)) return { of, text, tokens };
  return { of, text, tokens, mark: mark['ttl'] === '1h' ? '1h' : '5m' };
}

function withoutMark({ cache_control: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** What an image of ordinary size costs; its bytes say nothing about it. */
const imageTokens = 1600;

function countTokens(value: Json, text: string): number {
  const images = base64Data(value);
  const size = images.reduce((total, data) => total + data.length, 0);
  return estimateTokens(text.length - size) + images.length * imageTokens;
}

/** The data of everything in a part that is given as base64. */
function base64Data(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(base64Data);
  if (!isObject(value)) return [];
  if (value['type'] === 'base64' && typeof value['data'] === 'string') return [value['data']];
  return Object.values(value).flatMap(base64Data);
}
