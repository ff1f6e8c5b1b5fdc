/** Anthropic Messages: the wire. */
import type { Abilities, Target } from '../../../core/index.ts';
import { classify, complaintOf, type ProviderFailure } from '../../failures/index.ts';
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
  mend,
};

/** What only some models take, the words by which the others refuse it, and what is believed of them then. */
const refusals: readonly { words: RegExp; has: (able: Abilities) => boolean; without: Partial<Abilities> }[] = [
  {
    words: /\brole\b.{0,60}(?:system|'user' or 'assistant')/i,
    has: (able) => able.systemMessages,
    without: { systemMessages: false },
  },
  {
    words: /defer_loading|tool_reference/i,
    has: (able) => able.toolSearch === true,
    without: { toolSearch: false },
  },
  { words: /\beffort\b/i, has: (able) => able.efforts.length > 0, without: { efforts: [] } },
  { words: /\btemperature\b|\btop_p\b/i, has: (able) => able.sampling, without: { sampling: false } },
];

function mend(target: Target, { class: kind, message }: ProviderFailure): Target | undefined {
  if (kind !== 'content') return undefined;
  const { abilities } = target;
  const refused = refusals.find(({ words, has }) => has(abilities) && words.test(message));
  return refused === undefined ? undefined : { ...target, abilities: { ...abilities, ...refused.without } };
}
