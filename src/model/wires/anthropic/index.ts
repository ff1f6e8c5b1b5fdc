/** Anthropic Messages: the wire. */
import { classify, complaintOf } from '../../failures.ts';
import type { Wire } from '../../wire.ts';
import { canonical, encode } from './request.ts';
import { messagesPath, protocolVersion, wireName } from './schema.ts';
import { createDecoder } from './stream.ts';

export const anthropic: Wire = {
  name: wireName,
  path: () => messagesPath,
  headers: () => ({
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'anthropic-version': protocolVersion,
  }),
  keyHeaders: (key) => ({ 'x-api-key': key }),
  encode,
  canonical,
  decoder: createDecoder,
  classify: ({ body, ...answer }) => classify({ ...answer, ...complaintOf(body) }),
};
