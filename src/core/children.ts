/** Sessions that work for a session: agents of its own. What they use counts as its own. */
import type { CallKey } from './identifiers.ts';
import type { Usage } from './messages.ts';

/** What a session and those that work for it have used. */
export interface Use {
  turns: number;
  calls: number;
  /** Dollars, with the worst case of what is still out. */
  cost: number;
}

export interface ChildData {
  /** A session begins to work for this one; recorded before it asks anything. */
  child: { session: string; call?: CallKey; task?: string };
  /** It has ended, and will use no more. What is left out counts as it was known. */
  'child-end': {
    session: string;
    /** How it stopped, in the words of a stop, and what it says of its work. */
    outcome?: string;
    summary?: string;
    turns?: number;
    calls?: number;
    usage?: Usage;
    /** Dollars, its own children included; absent where something had no price. */
    cost?: number;
    /** The cost is, in part, an estimate. */
    estimated?: boolean;
  };
}
