/** Parts of requests to the Messages API, for tests that put together legal and illegal ones. */

export type Json = { [key: string]: unknown };

export const user = (content: unknown): Json => ({ role: 'user', content });
export const assistant = (content: unknown): Json => ({ role: 'assistant', content });
export const text = (content: string, more: Json = {}): Json => ({ type: 'text', text: content, ...more });
export const call = (id: string, more: Json = {}): Json => ({ type: 'tool_use', id, name: 'read', input: {}, ...more });
export const result = (id: string, more: Json = {}): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'r',
  ...more,
});
export const tool = (name: string, schema: unknown = { type: 'object' }, more: Json = {}): Json => ({
  name,
  input_schema: schema,
  ...more,
});
export const mark = (ttl?: string): Json => ({ cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } });
export const image = (data: Buffer | string, type = 'image/png'): Json => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data: typeof data === 'string' ? data : data.toString('base64') },
});

export const talk = (...messages: Json[]): Json => ({ messages });
export const hello = talk(user('hello'));

/** By rule of the strict mode: what breaks it, and its nearest neighbours that don't. */
export interface Cases {
  [rule: string]: { refused: { [name: string]: Json }; accepted: { [name: string]: Json } };
}
