/** Step 8: the tool does it, within its time limit. Nothing that a tool does ends the process. */
import type { CallOutcome, Clock, JsonObject } from '../../core/index.ts';
import { messageOf } from '../outcome.ts';
import { count } from '../text/index.ts';
import type { Tool, ToolContext } from '../tool.ts';

/** Milliseconds that a tool has to end by itself once its signal is aborted. */
const grace = 2_000;

export async function execute(
  tool: Tool,
  args: JsonObject,
  context: Omit<ToolContext, 'signal'>,
  clock: Clock,
  cancel: AbortSignal,
): Promise<CallOutcome> {
  const over = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([cancel, over.signal]);
  try {
    const limit = tool.timeout(args);
    const work = outcomeOf(tool, args, { ...context, signal });
    void clock.sleep(clock.now() + limit, done.signal).then(() => done.signal.aborted || over.abort('time limit'));
    const left = whenAborted(signal, done.signal)
      .then(() => clock.sleep(clock.now() + grace, done.signal))
      .then(() => leftBehind(tool));
    const outcome = await Promise.race([work, left]);
    return signal.aborted ? ended(tool, outcome, limit, cancel.aborted) : outcome;
  } catch (error) {
    return failure(tool, error);
  } finally {
    done.abort('done'); // With a reason: without one each call pays for an error object that nobody reads.
  }
}

function whenAborted(signal: AbortSignal, done: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: done });
  });
}

async function outcomeOf(tool: Tool, args: JsonObject, context: ToolContext): Promise<CallOutcome> {
  try {
    return usable(tool, await tool.execute(args, context));
  } catch (error) {
    return failure(tool, error);
  }
}

function failure(tool: Tool, error: unknown): CallOutcome {
  return { outcome: 'error', text: `${tool.name} failed: ${messageOf(error)}` };
}

const outcomes: readonly string[] = ['ok', 'error', 'cancelled', 'interrupted'];

/** A tool that isn't checked by a compiler can return anything. */
function usable(tool: Tool, returned: unknown): CallOutcome {
  if (typeof returned === 'string') return { outcome: 'ok', text: returned };
  const { outcome, text } = (returned ?? {}) as Partial<CallOutcome>;
  if (typeof text === 'string' && outcome !== undefined && outcomes.includes(outcome)) return returned as CallOutcome;
  return { outcome: 'error', text: `${tool.name} returned neither a text nor an outcome; what it did isn’t known.` };
}

function leftBehind(tool: Tool): CallOutcome {
  const text = `${tool.name} doesn’t stop; it may still be at work.`;
  return { outcome: 'error', text, mayHaveChanged: true };
}

/** What came of a call whose signal was aborted. One that got done all the same keeps its outcome. */
function ended(tool: Tool, outcome: CallOutcome, limit: number, cancelled: boolean): CallOutcome {
  if (outcome.outcome === 'ok') return outcome;
  if (cancelled) return { ...outcome, outcome: 'cancelled', text: `Cancelled. ${outcome.text}` };
  const text = `${tool.name} timed out after ${count(limit / 1000, 'second')}. ${outcome.text}`;
  return { ...outcome, outcome: 'error', text };
}
