/** Gemini generateContent: the wire. */
import { classify, complaintOf } from '../../failures/index.ts';
import type { Wire } from '../../wire.ts';
import { canonical, encode } from './request.ts';
import { method, version, wireName } from './schema.ts';
import { createDecoder } from './stream.ts';

export const gemini: Wire = {
  name: wireName,
  path: ({ model }) => `${version}/${resourceOf(model)}:${method}`,
  headers: () => ({ 'content-type': 'application/json', accept: 'text/event-stream' }),
  keyHeaders: (key) => ({ 'x-goog-api-key': key }),
  encode,
  canonical,
  decoder: createDecoder,
  classify: ({ body, ...answer }) => classify({ ...answer, ...complaintOf(body) }),
};

/** A tuned model is named with its collection; any other belongs to `models`. */
function resourceOf(model: string): string {
  const named = /^(models|tunedModels)\/(.+)$/s.exec(model);
  const [collection, name] = named === null ? ['models', model] : [named[1], named[2] ?? ''];
  return `${collection}/${encodeURIComponent(name.toWellFormed())}`;
}
