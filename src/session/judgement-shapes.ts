/** What a judgement must hold to be used. */
import type { JudgementData, Ruling } from '../core/index.ts';
import { fields, oneOf, optional, text, type Shape, type Words } from './shape.ts';

export const judgementShapes = {
  judgement: fields({
    goal: text,
    covers: text,
    ruling: optional(oneOf({ met: true, 'not-yet': true, impossible: true } satisfies Words<Ruling>)),
    reason: text,
    aside: optional(text),
    shown: optional(text),
  } satisfies Shape<JudgementData['judgement']>),
};
