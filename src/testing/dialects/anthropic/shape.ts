/** A request body of the Messages API, taken apart without trusting its shape. */
import type { Json, JsonObject } from '../../../core/index.ts';

export interface RawMessage {
  /** Place in the request's list; of joined messages, of the first. */
  index: number;
  role: Json | undefined;
  blocks: Json[];
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const objectsIn = (value: Json | undefined): JsonObject[] => asList(value).filter(isObject);

/** Content as blocks: a string is one block of text. */
export function contentBlocks(content: Json | undefined): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
}

export function rawMessages(body: JsonObject): RawMessage[] {
  return asList(body['messages']).map((message, index) => ({
    index,
    role: isObject(message) ? message['role'] : undefined,
    blocks: isObject(message) ? contentBlocks(message['content']) : [],
  }));
}

/** Messages with neighbours of one role joined, as the API does with them. */
export function joinedMessages(body: JsonObject): RawMessage[] {
  const joined: RawMessage[] = [];
  for (const message of rawMessages(body)) {
    const last = joined.at(-1);
    if (last && last.role === message.role) last.blocks.push(...message.blocks);
    else joined.push({ ...message, blocks: [...message.blocks] });
  }
  return joined;
}

export const blocksOfType = (message: RawMessage | undefined, type: string): JsonObject[] =>
  objectsIn(message?.blocks).filter((block) => block['type'] === type);

/** Text in content that may be a string or blocks. */
export function textIn(content: Json | undefined): string {
  const texts = objectsIn(contentBlocks(content)).filter((block) => block['type'] === 'text');
  return texts.map((block) => asText(block['text'])).join('\n');
}
