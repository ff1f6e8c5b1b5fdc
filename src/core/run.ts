/** The loop: decide, act, record. `run` drives everything; step.ts lets another driver do the work item by item. */
import { act } from './act.ts';
import { decide, type Action } from './decide.ts';
import { ReinsError } from './errors.ts';
import type { EventData } from './events.ts';
import type { Loop } from './loop.ts';

/** How a drive ended: with a typed stop, or waiting for a person or another driver. */
export type RunEnd = { stop: EventData['stop'] } | { waiting: Extract<Action, { do: 'wait' }> };

/**
 * Drives a session from what is in its log to a stop or to a wait for somebody. A cancel that is recorded meanwhile ends what
 * runs at once. Rejects with `session-stopped` when nothing came in since the last stop, and with `log-append-failed` when the
 * record can't be kept; every other defect becomes a recorded stop.
 */
export async function run(loop: Loop): Promise<RunEnd> {
  const { recorder } = loop;
  if (recorder.view.stop !== undefined) {
    throw new ReinsError('session-stopped', `The session has stopped (${recorder.view.stop.reason}).`);
  }
  const controller = new AbortController();
  const unlisten = recorder.listen((event) => {
    if (event.kind === 'cancel') controller.abort();
  });
  try {
    return await drive(loop, controller.signal);
  } catch (error) {
    return { stop: await recordDefect(loop, error) };
  } finally {
    unlisten();
  }
}

async function drive(loop: Loop, signal: AbortSignal): Promise<RunEnd> {
  const { ports, recorder, rules, notify } = loop;
  for (;;) {
    const action = decide(recorder.view, rules, ports.clock.now());
    if (action.do === 'stop') {
      const stop = await recordStop(loop, action);
      if (stop === undefined) continue;
      return { stop };
    }
    if (action.do === 'wait') {
      // An answer may take longer than a process lives, also one that has a time-out.
      if (action.until === undefined || action.asks !== undefined) return { waiting: action };
      const { wake } = recorder; // Taken before anything else can come in.
      notify({ type: 'waiting', until: action.until, why: action.for });
      await recorder.sync();
      await ports.clock.sleep(action.until, wake);
      continue;
    }
    const before = recorder.view.head;
    await act(loop, action, signal);
    if (recorder.view.head === before) {
      throw new ReinsError('defect', `The action ${action.do} recorded nothing; the loop would spin.`);
    }
  }
}

type Stop = EventData['stop'];

/** Undefined, and nothing is recorded, when something came in since the stop was decided. */
export async function recordStop(loop: Loop, action: Extract<Action, { do: 'stop' }>): Promise<Stop | undefined> {
  const { do: _, ...stop } = action;
  const { recorder } = loop;
  const event = await recorder.recordAfter(recorder.view.head, { kind: 'stop', data: stop });
  if (event === undefined) return undefined;
  await recorder.sync();
  return stop;
}

/** A defect is a stop like others, as long as it can be recorded. */
async function recordDefect(loop: Loop, error: unknown): Promise<Stop> {
  const known = error instanceof ReinsError;
  if (known && error.code === 'log-append-failed') throw error;
  const detail = error instanceof Error ? error.message : String(error);
  const stop: Stop = { reason: 'error', code: known ? error.code : 'defect', detail };
  await loop.recorder.record({ kind: 'stop', data: stop });
  await loop.recorder.sync();
  return stop;
}
