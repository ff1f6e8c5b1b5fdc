/** Two clients of the Gemini API: the official one, and a raw one that reports what came over the wire. */
import { GoogleGenAI, type GenerateContentResponse, type Part } from '@google/genai';
import type { ModelServer } from '../../../src/testing/index.ts';
import { post, type RawAnswer, type RawOptions } from './raw-client.ts';

/** The official client, without retries of its own. */
export const googleClient = (server: ModelServer, apiKey = 'test-key'): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });

/** Posts a body to a model's method; never rejects. */
export function ask(
  url: string,
  body: unknown,
  options: RawOptions & { model?: string; method?: string } = {},
): Promise<RawAnswer> {
  const { model = 'model-a', method = 'streamGenerateContent' } = options;
  return post(url, body, { path: `/v1beta/models/${model}:${method}?alt=sse`, ...options, method: 'POST' });
}

export interface Chunk {
  candidates?: {
    content?: { role?: string; parts?: Part[] };
    finishReason?: string;
    finishMessage?: string;
    index?: number;
  }[];
  usageMetadata?: { [name: string]: number };
  modelVersion?: string;
  responseId?: string;
  error?: { code: number; message: string; status: string; details: unknown[] };
}

/** The chunks of a stream as they were framed; whatever is left unfinished at the end isn't one. */
export function chunksIn(text: string): Chunk[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => JSON.parse(frame.replace(/^data: /, '')) as Chunk);
}

export const partsOf = (chunks: (Chunk | GenerateContentResponse)[]): Part[] =>
  chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);

export const reasonsOf = (chunks: (Chunk | GenerateContentResponse)[]): string[] =>
  chunks.flatMap((chunk) => chunk.candidates?.[0]?.finishReason ?? []);

/** What is said, thoughts left out or nothing but thoughts. */
export const saidIn = (parts: Part[], thought = false): string =>
  parts
    .filter((part) => (part.thought === true) === thought)
    .map((part) => part.text ?? '')
    .join('');

/** All chunks of a streamed reply, read by the official client. */
export async function streamed(stream: Promise<AsyncIterable<GenerateContentResponse>>) {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}
