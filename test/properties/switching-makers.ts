/** Makers of models, one for each wire, and how what they gave looks in the bytes that they are sent. */
import type { EventData, Json, ReplyPart, Target } from '../../src/core/index.ts';
import { able } from '../support/abilities.ts';

export type Reply = EventData['reply'];

function maker(provider: string, model: string, more: Partial<Target> = {}): Target {
  return { ...able, provider, wire: provider, model, settings: {}, window: 200_000, ...more };
}

/** One of each wire; providers are called like their wire. */
export const makers: readonly Target[] = [
  maker('anthropic', 'claude-test-1'),
  maker('openai-responses', 'gpt-test-1'),
  maker('openai-chat', 'open-test-1', { profile: 'plain' }),
  maker('gemini', 'gemini-3-test-1'),
];

/** Another model of the same provider. */
export function sibling(target: Target): Target {
  return { ...target, model: `${target.model}-sibling` };
}

export interface Pair {
  name: string;
  from: Target;
  to: Target;
}

/** Each wire with each other, in both directions. */
export const pairs: readonly Pair[] = makers.flatMap((from) =>
  makers.filter((to) => to !== from).map((to) => ({ name: `${from.wire} to ${to.wire}`, from, to })),
);

/** Each wire with itself, but with another model. */
export const siblings: readonly Pair[] = makers.map((from) => ({
  name: `${from.wire} to another model of it`,
  from,
  to: sibling(from),
}));

/** The keys under which providers keep what they alone can read, and what they alone name. */
const secretKeys = ['signature', 'data', 'encrypted_content', 'thoughtSignature', 'id'];

/** What nobody but its maker may be sent: seals, ids of items, and what was thought. */
export function secretsIn({ parts }: Reply): string[] {
  return parts.flatMap((part) => {
    // The id of a call is no secret: a result needs it.
    const keys = secretKeys.filter((key) => part.type !== 'call' || key !== 'id');
    const thoughts = part.type === 'thinking' && part.text !== '' ? [part.text] : [];
    return [...thoughts, ...keys.flatMap((key) => textsUnder(part.opaque, key))];
  });
}

/** How a part must stand in the bytes that its maker gets back; nothing for parts that hold no more than everybody may know. */
const wording: { [wire: string]: (part: ReplyPart) => string[] } = {
  anthropic: (part) => (part.type === 'thinking' || part.type === 'opaque' ? [JSON.stringify(part.opaque)] : []),
  'openai-responses': ({ opaque }) => keyed(opaque, 'encrypted_content'),
  'openai-chat': (part) => {
    const details = keyed(part.type === 'thinking' ? part.opaque : undefined, 'data');
    if (details.length > 0 || part.type !== 'thinking') return details;
    return [`"reasoning_content":${JSON.stringify(part.text)}`];
  },
  gemini: ({ opaque }) => [opaque ?? []].flat().map((given) => JSON.stringify(given)),
};

export function wordingOf({ parts, source }: Reply): string[] {
  return parts.flatMap((part) => wording[source.wire]?.(part) ?? []);
}

/** `"key":"value"` for each text under the key. */
function keyed(value: Json | undefined, wanted: string): string[] {
  return textsUnder(value, wanted).map((text) => `${JSON.stringify(wanted)}:${JSON.stringify(text)}`);
}

/** The texts under a key, however deep. */
function textsUnder(value: Json | undefined, wanted: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'string') return textsUnder(inner, wanted);
    return key === wanted && inner !== '' ? [inner] : [];
  });
}
