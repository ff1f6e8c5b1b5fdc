/** Parts of requests to the Responses API. */
import { user, type Json } from './request-parts.ts';

export const said = (content: unknown, more: Json = {}): Json => ({ role: 'assistant', content, ...more });
export const inputText = (text: string, more: Json = {}): Json => ({ type: 'input_text', text, ...more });
export const outputText = (text: string): Json => ({ type: 'output_text', text, annotations: [] });

export const functionCall = (id: string, more: Json = {}): Json => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
});

export const customCall = (id: string, more: Json = {}): Json => ({
  type: 'custom_tool_call',
  call_id: id,
  name: 'patch',
  input: 'x',
  ...more,
});

export const functionOutput = (id: string, output: unknown = 'r', more: Json = {}): Json => ({
  type: 'function_call_output',
  call_id: id,
  output,
  ...more,
});

export const customOutput = (id: string, output: unknown = 'r'): Json => ({
  type: 'custom_tool_call_output',
  call_id: id,
  output,
});

export const functionTool = (name: string, schema: unknown = { type: 'object' }, more: Json = {}): Json => ({
  type: 'function',
  name,
  parameters: schema,
  ...more,
});

export const customTool = (name: string, format: unknown, more: Json = {}): Json => ({
  type: 'custom',
  name,
  format,
  ...more,
});

export const image = (url: string): Json => ({ type: 'input_image', image_url: url, detail: 'auto' });

export const items = (...input: Json[]): Json => ({ input });
export const asked = (more: Json): Json => ({ input: [user('hello')], ...more });
