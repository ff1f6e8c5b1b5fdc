/** The official client of OpenAI, and its streams as they came over the wire. */
import OpenAI from 'openai';
import type { ModelServer } from '../../../src/testing/index.ts';
import { post, type RawAnswer, type RawOptions } from './raw-client.ts';
import type { Json } from './request-parts.ts';

/** The official client, without retries of its own. */
export const openaiClient = (server: ModelServer, apiKey = 'test-key'): OpenAI =>
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 });

export const postChat = (url: string, body: unknown, options: RawOptions = {}): Promise<RawAnswer> =>
  post(url, body, { path: '/v1/chat/completions', ...options });

export const postResponses = (url: string, body: unknown, options: RawOptions = {}): Promise<RawAnswer> =>
  post(url, body, { path: '/v1/responses', ...options });

/** The data of each event of a stream; whatever is left unfinished at the end isn't one. */
export function dataIn(text: string): string[] {
  const frames = text.split('\n\n').slice(0, -1);
  return frames.map((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? '');
}

export const objectsIn = (text: string): Json[] =>
  dataIn(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Json);

/** All deltas of a stream of chunks. */
export const deltasIn = (text: string): Json[] =>
  objectsIn(text).flatMap((chunk) => ((chunk['choices'] ?? []) as { delta: Json }[]).map(({ delta }) => delta));
