/** Requests beside the conversation: the harness asks a model a question of its own. */
import type { EventId } from './identifiers.ts';
import type { Source, Usage } from './messages.ts';

/** What is asked beside the conversation: a summary of what came before, or whether a goal is met. */
export type AsidePurpose = 'summary' | 'judge';

export interface AsideData {
  /** What is sent, recorded before it leaves. */
  aside: {
    purpose: AsidePurpose;
    source: Source;
    /** SHA-256 of the exact bytes, and the blob that holds them. */
    blob: string;
    bytes: number;
    /** Worst case: tokens of input (estimated) and output (offered), and dollars where priced. */
    reserved: { input: number; output: number; cost?: number };
  };
  /** What came of it: what the model said, in full, or why that can't be used. */
  'aside-end': {
    aside: EventId;
    text?: string;
    failed?: string;
    usage?: Usage;
    /** Dollars; absent without a rate or without usage. */
    cost?: number;
    estimated?: boolean;
    /** Milliseconds. */
    elapsed: number;
  };
}
