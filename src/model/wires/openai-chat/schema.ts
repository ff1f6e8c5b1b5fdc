/** OpenAI Chat Completions: the shapes of the protocol, as far as they are sent or read. */
import type { Json, JsonObject, ReplyStop } from '../../../core/index.ts';
import { brokenStream, type ProviderFailure } from '../../failures/index.ts';

export const wireName = 'openai-chat';
export const chatPath = '/v1/chat/completions';

export interface TextPart {
  type: 'text';
  text: string;
}

export interface ImagePart {
  type: 'image_url';
  image_url: { url: string };
}

/** Reasoning as a part of the content, as models of Mistral give it and get it back. */
export interface ThinkingPart {
  type: 'thinking';
  thinking: TextPart[];
}

export interface SystemMessage {
  role: 'system' | 'developer';
  content: string | TextPart[];
}

export interface UserMessage {
  role: 'user';
  content: string | (TextPart | ImagePart)[];
}

export interface AssistantMessage {
  role: 'assistant';
  content: string | (TextPart | ThinkingPart)[] | null;
  reasoning_content?: string;
  reasoning?: string;
  reasoning_details?: Json[];
  tool_calls?: ToolCall[];
}

export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string | TextPart[];
}

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Text as a part of a content; blank text is none. */
export function textParts(text: string): TextPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

export function isText(part: { type: string }): part is TextPart {
  return part.type === 'text';
}

/** A string is what every server takes; parts are needed for images and for marks. */
export function contentOf<P extends { type: string }>(
  parts: readonly (P | TextPart)[],
  asParts: boolean,
): string | (P | TextPart)[] {
  if (asParts || !parts.every(isText)) return [...parts];
  return parts.map(({ text }) => text).join('\n\n');
}

/** Content of either form as parts. */
function partsOf<P>(content: string | P[] | null): (P | TextPart)[] {
  return Array.isArray(content) ? content : textParts(content ?? '');
}

/** Two neighbours of one role as one; undefined where both stay. */
export function joinedMessage(first: ChatMessage, second: ChatMessage): ChatMessage | undefined {
  if (first.role === 'user' && second.role === 'user') {
    const areParts = Array.isArray(first.content) || Array.isArray(second.content);
    return { role: 'user', content: contentOf([...partsOf(first.content), ...partsOf(second.content)], areParts) };
  }
  if (first.role !== 'assistant' || second.role !== 'assistant') return undefined;
  const parts = [...partsOf(first.content), ...partsOf(second.content)];
  const calls = [...(first.tool_calls ?? []), ...(second.tool_calls ?? [])];
  const content =
    parts.length === 0
      ? second.content
      : contentOf(
          parts,
          parts.some(({ type }) => type !== 'text'),
        );
  return { ...first, ...second, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ToolDefinition {
  type: 'function';
  function: { name: string; description: string; parameters: JsonObject };
}

/** The body without what settings add to it and without cache marks. */
export interface RequestBody {
  model: string;
  tools?: ToolDefinition[];
  messages: ChatMessage[];
  max_tokens?: number;
  max_completion_tokens?: number;
  stream: true;
  stream_options?: { include_usage: true };
  prompt_cache_key?: string;
}

/** What the wire itself sends and settings may not. */
export const reservedKeys: readonly string[] = [
  'model',
  'tools',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'stream',
] satisfies (keyof RequestBody)[];

/** A mark as the last key of the last part of a message, in place of what closes part, content and message. */
export const messageEnd = Buffer.from('}]}');
export const markedEnd = Buffer.from(',"cache_control":{"type":"ephemeral"}}]}');

/** The mark on a part that is encoded by itself. */
export function withMark(part: TextPart): TextPart {
  return Object.assign({ ...part }, { cache_control: { type: 'ephemeral' } });
}

/** What is said for the model where its provider wants a reply between results and the next words. */
export const bridge: AssistantMessage = { role: 'assistant', content: 'Understood.' };

/** The data of the last event. */
export const doneData = '[DONE]';

/** A reason that is not listed counts as an ordinary end of an unknown kind. */
export const finishReasons: { [reason: string]: ReplyStop } = {
  stop: 'end',
  end_turn: 'end',
  eos: 'end',
  eos_token: 'end',
  stop_sequence: 'end',
  tool_calls: 'calls',
  tool_call: 'calls',
  function_call: 'calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'overflow',
  content_filter: 'refusal',
  refusal: 'refusal',
};

/** Reasons that are no end of a reply but a failure of the server. */
export const failingReasons: { [reason: string]: ProviderFailure } = {
  error: { class: 'retryable', code: 'provider-error', message: 'The provider broke the reply off with an error.' },
  insufficient_system_resource: {
    class: 'retryable',
    code: 'provider-overloaded',
    message: 'The provider broke the reply off: it ran out of resources.',
  },
  abort: brokenStream('The server aborted the reply.'),
};

/** Fields in which a delta may bring reasoning; the first that holds text counts, because some say the same in two. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const;
