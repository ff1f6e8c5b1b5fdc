/** A judge: a model that rules on a goal which no command can check. It sees evidence, and no claims. */
import type { EventId } from './identifiers.ts';

export type Ruling = 'met' | 'not-yet' | 'impossible';

export interface JudgementData {
  judgement: {
    goal: string;
    /** Everything up to and including this event was before the judge. */
    covers: EventId;
    /** Absent where it gave none that can be used: then nothing is proven. */
    ruling?: Ruling;
    /** Its reason, or why there is no ruling. */
    reason: string;
    /** The question to the model; absent where it could not be asked. */
    aside?: EventId;
    /** What the model is told of it; absent where the run ends with it. */
    shown?: string;
  };
}

export type Judged = Omit<JudgementData['judgement'], 'goal' | 'covers' | 'shown'>;

/** How often a run goes on because the judge wants more. */
export const judgeRefusalsAtMost = 3;
