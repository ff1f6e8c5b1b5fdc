/** Which calls may be at work at the same time: in their order, by declared resources. */
import { conflict, type Resources } from './overlap.ts';

/** Calls at work at once. */
const callsAtOnce = 10;

/** What a call needs in order to run. */
export interface Claim {
  tool: string;
  /** Calls of this tool that may be at work at once. */
  atOnce: number;
  resources: Resources;
  /** It wants all calls before it to be over, whatever they touch. */
  waits: boolean;
}

/**
 * `clear`: it may go on. `drained`: it had to wait for earlier calls, and what it touches must be told anew, since they may have
 * changed where its paths lead. `blocked`: an earlier call that it must not overtake waits for an answer.
 */
export type Clearance = 'clear' | 'drained' | 'blocked';
export type Clear = (claim: Claim) => Promise<Clearance>;

/** How a call came out of its preparation: over, waiting for an answer, or ready to be started. */
export type Readiness =
  | { state: 'settled' }
  | { state: 'waiting'; claim: Claim }
  | { state: 'ready'; claim: Claim; start: () => Promise<void> };

/**
 * Takes calls in order through `prepare`, which must ask for clearance before its verdict, and starts what is ready. A call waits for
 * those at work that it conflicts with, and the calls after it wait with it, so that questions are put and verdicts fall in order; one
 * that conflicts with a waiting call is left for later. After a failure nothing new is started, `stop` is called, and the failure is
 * thrown when everything has ended.
 */
export async function runInOrder<Call>(
  calls: readonly Call[],
  prepare: (call: Call, clear: Clear) => Promise<Readiness>,
  signal: AbortSignal,
  stop: () => void,
): Promise<void> {
  const working = new Map<Promise<void>, Claim>();
  const waiting: Claim[] = [];
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop();
  };
  const next = async (call: Call): Promise<void> => {
    const readiness = await prepare(call, (claim) => clearance(claim, working, waiting));
    if (readiness.state === 'settled') return;
    if (readiness.state === 'waiting') {
      waiting.push(readiness.claim);
      return;
    }
    const work = readiness
      .start()
      .catch(fail)
      .finally(() => working.delete(work));
    working.set(work, readiness.claim);
  };
  for (const call of calls) {
    if (signal.aborted || failures.length > 0) break;
    await next(call).catch(fail);
  }
  await Promise.all(working.keys());
  if (failures.length > 0) throw failures[0];
}

/** Waits for the calls at work that come first, and for room. */
async function clearance(
  claim: Claim,
  working: ReadonlyMap<Promise<void>, Claim>,
  waiting: readonly Claim[],
): Promise<Clearance> {
  if (waiting.some((other) => comesFirst(other, claim))) return 'blocked';
  const before = [...working].filter(([, other]) => comesFirst(other, claim)).map(([work]) => work);
  if (before.length > 0) {
    await Promise.all(before);
    return 'drained';
  }
  for (let crowd = crowdOf(claim, working); crowd.length > 0; crowd = crowdOf(claim, working))
    await Promise.race(crowd);
  return 'clear';
}

function comesFirst(earlier: Claim, claim: Claim): boolean {
  return claim.waits || conflict(earlier.resources, claim.resources);
}

/** The calls of which one must end before there is room for another; none where there is. */
function crowdOf({ tool, atOnce }: Claim, working: ReadonlyMap<Promise<void>, Claim>): Promise<void>[] {
  if (working.size >= callsAtOnce) return [...working.keys()];
  const alike = [...working].filter(([, other]) => other.tool === tool).map(([work]) => work);
  return alike.length >= atOnce ? alike : [];
}
