/** OpenAI Responses, stateless: the wire. */
import type { Target } from '../../../core/index.ts';
import { classify, complaintOf, type ProviderFailure } from '../../failures/index.ts';
import { isObject } from '../../reply.ts';
import type { Wire } from '../../wire.ts';
import { canonical, encode } from './request.ts';
import { plainProfile, responsesPath, takesText, wireName } from './schema.ts';
import { createDecoder } from './stream.ts';

export const openaiResponses: Wire = {
  name: wireName,
  path: () => responsesPath,
  headers: () => ({ 'content-type': 'application/json', accept: 'text/event-stream' }),
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  encode,
  canonical,
  decoder: createDecoder,
  classify: ({ body, ...answer }) => classify({ ...answer, ...complaintOf(body) }),
  mend,
};

/** Summaries of reasoning are refused to accounts that aren't verified, and tools that take text by servers that know functions only. */
function mend(target: Target, { class: kind, message }: ProviderFailure): Target | undefined {
  if (kind !== 'content') return undefined;
  const { settings } = target;
  const { body = {} } = settings;
  const reasoning = isObject(body['reasoning']) ? body['reasoning'] : {};
  if (/summar(?:y|ies)/i.test(message) && reasoning['summary'] !== null)
    return { ...target, settings: { ...settings, body: { ...body, reasoning: { ...reasoning, summary: null } } } };
  const isCustom = /tool/i.test(message) && /\bcustom\b/i.test(message);
  return isCustom && takesText(target) ? { ...target, profile: plainProfile } : undefined;
}
