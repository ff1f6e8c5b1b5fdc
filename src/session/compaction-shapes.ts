/** What a compaction must hold to be used. */
import type { CompactionData, Gist } from '../core/index.ts';
import { fields, list, number, oneOf, optional, text, type Shape, type Words } from './shape.ts';

type Compaction = CompactionData['compaction'];

const gist = fields({
  tail: text,
  kept: list(text),
  last: optional(text),
  shown: text,
  summary: optional(fields({ text, asides: list(text) } satisfies Shape<NonNullable<Gist['summary']>>)),
  files: fields({ read: list(text), changed: list(text), more: optional(number) } satisfies Shape<Gist['files']>),
} satisfies Shape<Gist>);

export const compactionShapes = {
  compaction: fields({
    why: oneOf({ overflow: true, window: true, manual: true } satisfies Words<Compaction['why']>),
    elided: list(text),
    gist: optional(gist),
    problem: optional(text),
    focus: optional(text),
    before: number,
    after: number,
  } satisfies Shape<Compaction>),
};
