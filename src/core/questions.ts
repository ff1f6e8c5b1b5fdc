/** Questions that wait for an answer, and what counts when none comes in time. */
import type { Draft, EventId } from './events.ts';
import type { Ledger } from './ledger.ts';

/** Who answers, in the log, when nobody did. */
export const byTimeout = 'timeout';

/** Those of the open questions whose time is over at `now`. */
export function expired(ledger: Ledger, asks: readonly EventId[], now: number): EventId[] {
  return asks.filter((ask) => isOver(ledger, ask, now));
}

/** When the first of these questions is over; undefined where none ever is. */
export function firstUntil(ledger: Ledger, asks: readonly EventId[]): number | undefined {
  const times = asks.flatMap((ask) => ledger.openAsks.get(ask)?.until ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether an answer would come too late. */
export function isOver(ledger: Ledger, ask: EventId, now: number): boolean {
  const { until } = ledger.openAsks.get(ask) ?? {};
  return until !== undefined && now >= until;
}

/** The answer that counts when none came: no. Undefined where one has come meanwhile. */
export function timeoutOf(ledger: Ledger, ask: EventId): Draft | undefined {
  if (!ledger.openAsks.has(ask)) return undefined;
  const reason = 'nobody answered in the time that was set for it';
  return { kind: 'answer', data: { ask, by: byTimeout, decision: 'no', scope: 'once', reason } };
}
