/** What the way of calls is made of. */
import type { Approver, Clock } from '../../core/index.ts';
import type { Known } from '../known.ts';
import type { Blobs, Checkpoints, Diagnostics, Effects, Files, Policy, Secrets, Suspicion } from '../needs.ts';
import type { Registry } from '../registry.ts';
import type { CallHook } from './hooks.ts';

export interface CallsOptions {
  registry: Registry;
  policy: Policy;
  approver: Approver;
  files: Files;
  blobs: Blobs;
  clock: Clock;
  /**
   * Called right before a call that does more than read is executed; resolves when everything recorded so far survives the end of the
   * machine.
   */
  beforeEffect(effects: Effects): Promise<void>;
  /** What the session knows from its results: the fold of `foldKnown` over the log. */
  known: Known;
  /** Real path of the workspace. */
  workspace: string;
  /** Without it secrets are shown as they are. */
  secrets?: Secrets;
  /** Without it nothing can be brought back. */
  checkpoints?: Checkpoints;
  diagnostics?: Diagnostics;
  /** Milliseconds after which a question without an answer is a no; never when left out. */
  answerWithin?: number;
  hooks?: readonly CallHook[];
  /** Finds what looks like orders to the model in a result; without it nobody is told. */
  inspect?: (text: string) => Promise<Suspicion[]>;
  /** From 0 up to 1, for the pauses between tries; `Math.random` when left out. */
  random?: () => number;
}
