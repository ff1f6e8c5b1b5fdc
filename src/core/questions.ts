/** Questions that wait for an answer, and what counts when none comes in time. */
import type { Draft, EventId } from './events.ts';
import type { Ledger } from './ledger.ts';

/** Who answers, in the log, when nobody did. */
export const byTimeout = 'timeout';

/** Whether an answer would come too late. */
export function isOver({ openAsks }: Ledger, ask: EventId, now: number): boolean {
  return now >= (openAsks.get(ask)?.until ?? Infinity);
}

/** The answer that counts when none came: no. Undefined where one has come meanwhile. */
export function timeoutOf({ openAsks }: Ledger, ask: EventId): Draft | undefined {
  if (!openAsks.has(ask)) return undefined;
  const reason = 'nobody answered in the time that was set for it';
  return { kind: 'answer', data: { ask, by: byTimeout, decision: 'no', scope: 'once', reason } };
}
