/** A client that knows nothing of any protocol but HTTP: what it reports is what came over the wire. */
import { request } from 'node:http';

export interface RawAnswer {
  /** Absent when the connection ended before any headers. */
  status?: number;
  headers: { [name: string]: string };
  /** What came of the body. */
  text: string;
  /** The body came to its end in good order. */
  complete: boolean;
  /** Code of the error that the connection ended with. */
  error?: string;
}

export interface RawOptions {
  headers?: { [name: string]: string };
  path?: string;
  method?: string;
  /** Called with everything that has come so far, whenever something comes. */
  onText?: (text: string, abort: () => void) => void;
}

const version = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };

/** Posts a body; never rejects. */
export function post(url: string, body: unknown, options: RawOptions = {}): Promise<RawAnswer> {
  const { path = '/v1/messages', method = 'POST', onText } = options;
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return new Promise((resolve) => {
    const answer: RawAnswer = { headers: {}, text: '', complete: false };
    const chunks: Buffer[] = [];
    const done = (error?: NodeJS.ErrnoException) => {
      resolve({
        ...answer,
        text: Buffer.concat(chunks).toString(),
        ...(error ? { error: error.code ?? error.message } : {}),
      });
    };
    const sent = request(url + path, { method, agent: false, headers: { ...version, ...options.headers } });
    sent.on('error', done);
    sent.on('response', (response) => {
      answer.status = response.statusCode ?? 0;
      answer.headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      );
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onText?.(Buffer.concat(chunks).toString(), () => sent.destroy());
      });
      response.on('error', done);
      response.on('end', () => {
        answer.complete = response.complete;
        done();
      });
    });
    sent.end(bytes);
  });
}

export interface SentEvent {
  name: string;
  data: { [key: string]: unknown };
}

/** The events of a stream as they were framed; whatever is left unfinished at the end isn't one. */
export function eventsIn(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => {
      const name = /^event: (.*)$/m.exec(frame)?.[1] ?? '';
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '{}';
      return { name, data: JSON.parse(data) as SentEvent['data'] };
    });
}

/** The joined text of all text deltas. */
export function textIn(text: string): string {
  const deltas = eventsIn(text).map(({ data }) => data['delta'] as { type?: string; text?: string } | undefined);
  return deltas.map((delta) => (delta?.type === 'text_delta' ? (delta.text ?? '') : '')).join('');
}

/** A legal request that says one thing. */
export const saying = (content: unknown, more: object = {}) => ({
  model: 'model-a',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content }],
  ...more,
});
