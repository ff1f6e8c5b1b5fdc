/** Parts of requests to generateContent, for tests that put together legal and illegal ones. */
import type { Json } from './request-parts.ts';

export const text = (content: unknown, more: Json = {}): Json => ({ text: content, ...more });
export const call = (name = 'read', more: Json = {}, call: Json = {}): Json => ({
  functionCall: { name, args: {}, ...call },
  ...more,
});
export const response = (name = 'read', more: Json = {}): Json => ({
  functionResponse: { name, response: { output: 'r' }, ...more },
});
export const data = (content: Buffer | string, mimeType = 'image/png', more: Json = {}): Json => ({
  inlineData: { mimeType, data: typeof content === 'string' ? content : content.toString('base64'), ...more },
});

const parts = (said: Json[] | string): Json[] => (typeof said === 'string' ? [text(said)] : said);
export const user = (said: Json[] | string): Json => ({ role: 'user', parts: parts(said) });
export const model = (said: Json[] | string): Json => ({ role: 'model', parts: parts(said) });

export const talk = (...contents: unknown[]): Json => ({ contents });
export const hello = talk(user('hello'));

export const declaration = (name: string, more: Json = {}): Json => ({ name, ...more });
export const tools = (...functionDeclarations: unknown[]): Json => ({ ...hello, tools: [{ functionDeclarations }] });
export const parameters = (schema: unknown): Json => tools(declaration('a', { parameters: schema }));
export const jsonSchema = (schema: unknown): Json => tools(declaration('a', { parametersJsonSchema: schema }));
