/** The joint that holds the limit of minutes also in the middle of a request, a batch of calls or a check. */
import { runningTime, type Clock, type Ports, type View } from '../core/index.ts';

/** The longest time that a timer can take, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

type Held = Pick<Ports, 'model' | 'calls' | 'verifier' | 'summariser' | 'judge'>;

/** The same ports; what they do is aborted when the time of the session is used up. */
export function withinMinutes({ model, calls, verifier, summariser, judge }: Held, view: View, clock: Clock): Held {
  const bounded = (signal: AbortSignal): AbortSignal => {
    const minutes = view.setup?.limits.minutes ?? null;
    if (minutes === null) return signal;
    const left = minutes * 60_000 - runningTime(view.ledger, clock.now());
    return AbortSignal.any([signal, AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(left)), longestTimer))]);
  };
  return {
    model: {
      prepare: (from, ask) => model.prepare(from, ask),
      send: (request, id, signal, notify) => model.send(request, id, bounded(signal), notify),
    },
    calls: {
      prepare: (call, record, signal) => calls.prepare(call, record, signal),
      execute: (call, signal, notify) => calls.execute(call, bounded(signal), notify),
      finish: (call, outcome, elapsed, record) => calls.finish(call, outcome, elapsed, record),
      run: (open, record, signal, notify) => calls.run(open, record, bounded(signal), notify),
    },
    verifier: {
      check: (check, signal, notify) => verifier.check(check, bounded(signal), notify),
      snapshot: (from) => verifier.snapshot(from),
      definersChanged: (checks, from) => verifier.definersChanged(checks, from),
      ownChecks: (from) => verifier.ownChecks(from),
    },
    ...(judge !== undefined && {
      judge: { judge: (from: View, goal: string, signal: AbortSignal) => judge.judge(from, goal, bounded(signal)) },
    }),
    summariser: { summarise: (order, signal) => summariser.summarise(order, bounded(signal)) },
  };
}
