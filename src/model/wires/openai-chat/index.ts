/** OpenAI Chat Completions: the wire. */
import type { Target } from '../../../core/index.ts';
import { classify, complaintOf, type ProviderFailure } from '../../failures/index.ts';
import { profileOf } from '../../profiles/index.ts';
import type { Wire } from '../../wire.ts';
import { canonical, encode } from './request.ts';
import { chatPath, wireName } from './schema.ts';
import { createDecoder } from './stream.ts';

export const openaiChat: Wire = {
  name: wireName,
  path: () => chatPath,
  headers: () => ({ 'content-type': 'application/json', accept: 'text/event-stream' }),
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  encode,
  canonical,
  decoder: createDecoder,
  classify: ({ body, ...answer }) => classify({ ...answer, ...complaintOf(body) }),
  mend,
};

/** Some servers refuse to be asked for usage; then it stays unknown. */
function mend(target: Target, { class: kind, message }: ProviderFailure): Target | undefined {
  const { body } = target.settings;
  const isSent = profileOf(target).usageOption === 'send' && body?.['stream_options'] !== null;
  if (!isSent || kind !== 'content' || !/stream_options|include_usage/.test(message)) return undefined;
  return { ...target, settings: { ...target.settings, body: { ...body, stream_options: null } } };
}
