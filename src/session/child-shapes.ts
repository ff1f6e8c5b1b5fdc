/** What events about sessions that work for another must hold to be used. */
import type { ChildData } from '../core/index.ts';
import { usage } from './message-shapes.ts';
import { fields, flag, number, optional, text, type Shape } from './shape.ts';

export const childShapes = {
  child: fields({ session: text, call: optional(text), task: optional(text) } satisfies Shape<ChildData['child']>),
  'child-end': fields({
    session: text,
    outcome: optional(text),
    summary: optional(text),
    turns: optional(number),
    calls: optional(number),
    usage: optional(usage),
    cost: optional(number),
    estimated: optional(flag),
  } satisfies Shape<ChildData['child-end']>),
};
