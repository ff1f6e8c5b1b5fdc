/** SIGINT, SIGTERM and a terminal that goes away: the first cancels and is recorded, the second ends the process at once. */
import type { RunOutcome, Session } from '../../harness/index.ts';
import { failedOutcome, type JsonLines } from './json-lines.ts';
import type { Output } from './output.ts';

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface SignalWatch {
  /** The record of a session has begun: a signal that comes before it is attached waits for that. */
  begun(): void;
  /** From now on a signal cancels this session; one that waits does so at once. */
  attach(session: Session): void;
  /** The run has ended by itself: this is its outcome, whatever comes. */
  settle(outcome: RunOutcome): void;
  stop(): void;
}

export function listenForSignals({ err }: Output, json?: JsonLines): SignalWatch {
  let session: Session | undefined;
  let settled: RunOutcome | undefined;
  let hasBegun = false;
  let waiting: Signal | undefined;
  let cancels = 0;

  const endNow = (signal: Signal): void => {
    const exit = signal === 'SIGINT' ? 130 : 143;
    json?.outcome(settled ?? cancelledOutcome(exit, signal, session?.outcome()));
    process.exit(settled?.exit ?? exit);
  };
  const listener = (signal: NodeJS.Signals): void => {
    const name = signals.find((each) => each === signal) ?? 'SIGTERM';
    cancels += 1;
    if (cancels > 1 || (session === undefined && !hasBegun)) return endNow(name);
    if (settled !== undefined) return; // It is ending already.
    if (name === 'SIGINT') err.write('\ncancelling; once more ends at once\n');
    if (session === undefined) waiting = name;
    else cancel(session, name);
  };
  const cancel = (running: Session, name: Signal): void => {
    // A terminal that went away is a request to end, like SIGTERM; the record knows two kinds of them.
    running.cancel('signal', name === 'SIGINT' ? 'SIGINT' : 'SIGTERM').catch((error: unknown) => {
      err.write(`reins: the cancel could not be recorded: ${String(error)}\n`);
      endNow(name);
    });
  };
  for (const signal of signals) process.on(signal, listener);
  return {
    begun: () => {
      hasBegun = true;
    },
    attach: (started) => {
      session = started;
      if (waiting !== undefined) cancel(started, waiting);
    },
    settle: (outcome) => {
      settled = outcome;
    },
    stop: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}

function cancelledOutcome(exit: number, signal: Signal, soFar?: RunOutcome) {
  return failedOutcome({ outcome: 'cancelled', exit, detail: `Ended at once by ${signal}.`, text: '' }, soFar);
}
