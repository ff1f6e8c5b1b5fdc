/** Reads requests of Chat Completions: in neutral words, and as the sequence that a cache sees. */
import type { JsonObject } from '../../../core/index.ts';
import type { AskedMessage, Question } from '../../script/index.ts';
import type { CanonicalPart } from '../dialect.ts';
import {
  askedMessage,
  asList,
  asText,
  cachedByItself,
  CallNames,
  isObject,
  joinNeighbours,
  objectsIn,
  part,
} from '../openai/index.ts';
import { contentParts, reasoningIn, splitSystem, textIn, toolCalls, type RawMessage } from './shape.ts';

export function readQuestion(body: JsonObject): Question {
  const { system, conversation } = splitSystem(body);
  const names = new CallNames();
  const most = body['max_completion_tokens'] ?? body['max_tokens'];
  return {
    model: asText(body['model']),
    stream: body['stream'] === true,
    maxOutput: typeof most === 'number' ? most : 0,
    system: system.map(({ message }) => textIn(message['content'])).join('\n'),
    tools: objectsIn(body['tools']).map((tool) => asText(isObject(tool['function']) ? tool['function']['name'] : '')),
    messages: joinNeighbours(conversation.flatMap((message) => readMessage(message, names) ?? [])),
  };
}

/** A message in neutral words; a system message in mid-conversation counts as the user's. */
function readMessage({ role, message }: RawMessage, names: CallNames): AskedMessage | undefined {
  const { content } = message;
  const parts = objectsIn(contentParts(content));
  const images = parts.filter((each) => each['type'] === 'image_url').length;
  const text = textIn(content);
  if (role === 'tool') {
    const result = names.result(asText(message['tool_call_id']), text);
    return askedMessage('user', { results: [result], images, blocks: 1 });
  }
  if (role === 'assistant') {
    const calls = toolCalls(message).map(({ id, name }) => names.add(id, name));
    const spoken = content === '' ? 0 : parts.length;
    const thought = reasoningIn(message).some(({ field }) => field !== 'content');
    const thoughts = thought ? 1 : asList(message['reasoning_details']).length;
    return askedMessage('assistant', { text, calls, images, blocks: thoughts + spoken + calls.length });
  }
  if (role !== 'user' && role !== 'system' && role !== 'developer') return undefined;
  return askedMessage('user', { text, images, blocks: parts.length });
}

/** Tools, system and messages as a cache compares them, without the marks themselves. */
export function canonicalParts(body: JsonObject): CanonicalPart[] {
  const { system, conversation } = splitSystem(body);
  return cachedByItself([
    ...asList(body['tools']).map((tool) => part('tools', '', tool)),
    ...system.flatMap((message) => partsOf('system', message)),
    ...conversation.flatMap((message) => partsOf('messages', message)),
  ]);
}

/** What a message holds beside its content (calls, reasoning, whose result it is), then its content part by part. */
function partsOf(of: CanonicalPart['of'], { role, message }: RawMessage): CanonicalPart[] {
  const { role: _, content, ...rest } = message;
  const beside = Object.keys(rest).length === 0 ? [] : [part(of, role, rest)];
  return [...beside, ...contentParts(content).map((each) => part(of, role, each))];
}
