/** Which calls may be at work at the same time: order-preserving batches by declared resources. */
import type { Resource } from '../core/index.ts';

export type Resources = Resource[] | 'unknown';

/** Calls at work at once. */
const callsAtOnce = 10;

/** Whether the order of two calls could matter. A folder conflicts with everything below it. */
function conflict(a: Resources, b: Resources): boolean {
  if (a === 'unknown' || b === 'unknown') return true;
  return a.some((one) => b.some((other) => touches(one, other)));
}

function touches(a: Resource, b: Resource): boolean {
  if (a.access === 'read' && b.access === 'read') return false;
  return a.path === b.path || isBelow(a.path, b.path) || isBelow(b.path, a.path);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/**
 * `clear`: it may go on. `drained`: it had to wait for earlier calls, and what it touches must be told anew, since they may have
 * changed where its paths lead. `blocked`: an earlier call that it conflicts with waits for an answer.
 */
export type Clearance = 'clear' | 'drained' | 'blocked';
export type Clear = (resources: Resources) => Promise<Clearance>;

/** How a call came out of its preparation: over, waiting for an answer, or ready to be started. */
export type Readiness =
  | { state: 'settled' }
  | { state: 'waiting'; resources: Resources }
  | { state: 'ready'; resources: Resources; start: () => Promise<void> };

/**
 * Takes calls in order through `prepare`, which must ask for clearance before its verdict, and starts what is ready. A call that
 * conflicts with one at work waits until all of them are over; one that conflicts with a waiting call is left for later. After a
 * failure nothing new is started, `stop` is called, and the failure is thrown when everything has ended.
 */
export async function runInOrder<Call>(
  calls: readonly Call[],
  prepare: (call: Call, clear: Clear) => Promise<Readiness>,
  signal: AbortSignal,
  stop: () => void,
): Promise<void> {
  const working = new Map<Promise<void>, Resources>();
  const waiting: Resources[] = [];
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop();
  };
  const clear: Clear = async (resources) => {
    if (waiting.some((other) => conflict(other, resources))) return 'blocked';
    if (![...working.values()].some((other) => conflict(other, resources))) return 'clear';
    await Promise.all(working.keys());
    return 'drained';
  };
  const next = async (call: Call): Promise<void> => {
    const readiness = await prepare(call, clear);
    if (readiness.state === 'settled') return;
    if (readiness.state === 'waiting') {
      waiting.push(readiness.resources);
      return;
    }
    const work = readiness
      .start()
      .catch(fail)
      .finally(() => working.delete(work));
    working.set(work, readiness.resources);
    if (working.size >= callsAtOnce) await Promise.race(working.keys());
  };
  for (const call of calls) {
    if (signal.aborted || failures.length > 0) break;
    await next(call).catch(fail);
  }
  await Promise.all(working.keys());
  if (failures.length > 0) throw failures[0];
}
