/** What a compaction records: what the model doesn’t see any more, and what stands in its place. */
import type { CallKey, EventId } from './identifiers.ts';

/** What stands in place of older turns. Bytes are never taken out of the log: a path before the compaction shows all of them. */
export interface Gist {
  /** The first reply that stays as it is, with everything after it. */
  tail: EventId;
  /** Texts that stay word for word, in their order: the task first. */
  kept: EventId[];
  /** What was said last from outside, where it is older than the tail: it follows `shown`. */
  last?: EventId;
  /** Exactly what the model sees in place of the rest. */
  shown: string;
  /** What a model made of the rest, and the questions that it was asked for that. */
  summary?: { text: string; asides: EventId[] };
  /** Files of the calls that were replaced, now and before; how many more there were. */
  files: { read: string[]; changed: string[]; more?: number };
}

export interface CompactionData {
  compaction: {
    /** It didn’t fit; the window was nearly full; a person asked for it. */
    why: 'overflow' | 'window' | 'manual';
    /** Calls whose results are shown as a note of their size from here on. */
    elided: CallKey[];
    /** What older turns gave way to; absent where results alone were elided. */
    gist?: Gist;
    /** Why there is no summary, or why it is an earlier one. */
    problem?: string;
    /** What the summary was to look at above all. */
    focus?: string;
    /** Tokens of the next request before and after, estimated. */
    before: number;
    after: number;
  };
}
