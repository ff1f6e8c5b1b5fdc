/** A request body of Chat Completions, taken apart without trusting its shape. */
import type { Json, JsonObject } from '../../../core/index.ts';
import { asList, asText, isObject, objectsIn } from '../openai/index.ts';

export interface RawMessage {
  /** Place in the request's list. */
  index: number;
  role: string;
  message: JsonObject;
}

/** The messages, what isn't an object left out. */
export function rawMessages(body: JsonObject): RawMessage[] {
  return asList(body['messages']).flatMap((message, index) =>
    isObject(message) ? { index, role: asText(message['role']), message } : [],
  );
}

const isSystem = ({ role }: RawMessage): boolean => role === 'system' || role === 'developer';

/** The system prompt in front, and everything after it. */
export function splitSystem(body: JsonObject): { system: RawMessage[]; conversation: RawMessage[] } {
  const messages = rawMessages(body);
  const first = messages.findIndex((message) => !isSystem(message));
  const end = first < 0 ? messages.length : first;
  return { system: messages.slice(0, end), conversation: messages.slice(end) };
}

/** Content as parts: a string is one part of text. */
export function contentParts(content: Json | undefined): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
}

/** Text in content that may be a string or parts. */
export function textIn(content: Json | undefined): string {
  const texts = objectsIn(contentParts(content)).filter((part) => part['type'] === 'text');
  return texts.map((part) => asText(part['text'])).join('\n');
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Json | undefined;
}

export function toolCalls(message: JsonObject): ToolCall[] {
  return objectsIn(message['tool_calls']).map((call) => {
    const called = isObject(call['function']) ? call['function'] : {};
    return { id: asText(call['id']), name: asText(called['name']), arguments: called['arguments'] };
  });
}

/** The reasoning that a message carries as plain text, by the field that holds it: of its own, or parts of the content. */
export function reasoningIn(message: JsonObject): { field: string; text: string }[] {
  const parts = objectsIn(message['content']).filter((part) => part['type'] === 'thinking');
  const told = [
    { field: 'reasoning_content', text: asText(message['reasoning_content']) },
    { field: 'reasoning', text: asText(message['reasoning']) },
    { field: 'content', text: parts.map((part) => textIn(part['thinking'])).join('') },
  ];
  return told.filter(({ text }) => text !== '');
}
