/** What the parts of messages must hold, as they stand in events. */
import type { CallPart, ImagePart, Source, TextPart, ThinkingPart, Usage } from '../core/index.ts';
import { anything, fields, isObject, list, number, object, optional, text, type Check, type Shape } from './shape.ts';

export const source = fields({ provider: optional(text), wire: text, model: text } satisfies Shape<Source>);
export const usage = fields({
  input: optional(number),
  cacheRead: optional(number),
  cacheWrite: optional(number),
  cacheWriteHour: optional(number),
  output: optional(number),
  reasoning: optional(number),
} satisfies Shape<Usage>);

const opaque = optional(anything);
const partChecks: { [type: string]: Check } = {
  text: fields({ type: text, text, opaque, voice: optional(text) } satisfies Shape<TextPart>),
  thinking: fields({ type: text, text, opaque } satisfies Shape<ThinkingPart>),
  call: fields({
    type: text,
    id: text,
    name: text,
    arguments: object,
    malformed: optional(text),
    opaque,
  } satisfies Shape<CallPart>),
  opaque: fields({ opaque: anything }),
};
export const part: Check = (value, path) => {
  const type = isObject(value) ? value['type'] : undefined;
  const check = typeof type === 'string' && Object.hasOwn(partChecks, type) ? partChecks[type] : undefined;
  return check === undefined ? `${path} is no part of a reply` : check(value, path);
};

export const images = optional(
  list(fields({ type: text, mediaType: text, blob: text, bytes: number } satisfies Shape<ImagePart>)),
);
