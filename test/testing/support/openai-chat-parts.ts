/** Parts of requests to Chat Completions. */
import { user, type Json } from './request-parts.ts';

export const saying = (content: unknown, more: Json = {}): Json => ({ role: 'assistant', content, ...more });

export const toolCall = (id: string, more: Json = {}, called: Json = {}): Json => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{}', ...called },
  ...more,
});

export const calling = (...calls: Json[]): Json => saying(null, { tool_calls: calls });

export const toolResult = (id: string, more: Json = {}): Json => ({
  role: 'tool',
  tool_call_id: id,
  content: 'r',
  ...more,
});

export const functionTool = (name: string, schema: unknown = { type: 'object' }, more: Json = {}): Json => ({
  type: 'function',
  function: { name, parameters: schema, ...more },
});

export const imagePart = (url: string, more: Json = {}): Json => ({
  type: 'image_url',
  image_url: { url },
  ...more,
});

export const asked = (more: Json): Json => ({ messages: [user('hello')], ...more });
