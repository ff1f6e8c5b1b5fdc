/** What events about requests beside the conversation must hold to be used. */
import type { AsideData, AsidePurpose } from '../core/index.ts';
import { source, usage } from './message-shapes.ts';
import { fields, flag, number, oneOf, optional, text, type Shape, type Words } from './shape.ts';

export const asideShapes = {
  aside: fields({
    purpose: oneOf({ summary: true, judge: true } satisfies Words<AsidePurpose>),
    source,
    blob: text,
    bytes: number,
    reserved: fields({ input: number, output: number, cost: optional(number) }),
  } satisfies Shape<AsideData['aside']>),
  'aside-end': fields({
    aside: text,
    text: optional(text),
    failed: optional(text),
    usage: optional(usage),
    cost: optional(number),
    estimated: optional(flag),
    elapsed: number,
  } satisfies Shape<AsideData['aside-end']>),
};
