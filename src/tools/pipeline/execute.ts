/** Step 8: the tool does it, within its time limit. Nothing that a tool does ends the process. */
import type { CallOutcome, Clock, JsonObject } from '../../core/index.ts';
import { messageOf } from '../outcome.ts';
import { count } from '../text/index.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { kindOf } from './fault.ts';
import { lend } from './lease.ts';
import { withRetries } from './retry.ts';

/** Milliseconds that a tool has to end by itself once its signal is aborted. */
const grace = 2_000;

export interface Execution {
  clock: Clock;
  cancel: AbortSignal;
  /** Milliseconds, where the call asks for less than the tool allows. */
  limit?: number;
  random: () => number;
  /** Told of work that goes on although its call is over. */
  leave(work: Promise<unknown>): void;
}

export async function execute(
  tool: Tool,
  args: JsonObject,
  context: Omit<ToolContext, 'signal'>,
  execution: Execution,
): Promise<CallOutcome> {
  const { clock, cancel, random } = execution;
  const over = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([cancel, over.signal]);
  try {
    const own = tool.timeout(args);
    if (!Number.isFinite(own) || own <= 0) {
      const text = `${tool.name} can’t have a time limit of ${own} milliseconds; nothing was run.`;
      return { outcome: 'error', text, changes: [], failed: 'internal' };
    }
    const limit = Math.min(own, execution.limit ?? own);
    void clock.sleep(clock.now() + limit, done.signal).then(() => done.signal.aborted || over.abort('time limit'));
    const late = whenAborted(signal, done.signal)
      .then(() => clock.sleep(clock.now() + grace, done.signal))
      .then(() => undefined);
    const attempt = async (): Promise<CallOutcome> => {
      const lease = lend(context);
      const work = outcomeOf(tool, args, { ...lease.context, signal });
      const outcome = await Promise.race([work, late]);
      lease.end();
      if (outcome === undefined) execution.leave(work);
      return outcome ?? leftBehind(tool);
    };
    const { outcome, tries } = await withRetries(attempt, { idempotent: tool.idempotent, clock, signal, random });
    const last = signal.aborted ? ended(tool, outcome, limit, cancel.aborted) : outcome;
    return tries === 1 ? last : { ...last, ...(last.outcome === 'error' && { text: tried(last.text, tries) }), tries };
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
  return { outcome: 'error', text: `${tool.name} failed: ${messageOf(error)}`, failed: kindOf(error) };
}

const outcomes: readonly string[] = ['ok', 'error', 'cancelled', 'interrupted'];

/** A tool that isn't checked by a compiler can return anything. */
function usable(tool: Tool, returned: unknown): CallOutcome {
  if (typeof returned === 'string') return { outcome: 'ok', text: returned };
  const { outcome, text } = (returned ?? {}) as Partial<CallOutcome>;
  if (typeof text === 'string' && outcome !== undefined && outcomes.includes(outcome)) return returned as CallOutcome;
  const said = `${tool.name} returned neither a text nor an outcome; what it did isn’t known.`;
  return { outcome: 'error', text: said, failed: 'internal' };
}

function leftBehind(tool: Tool): CallOutcome {
  const text = `${tool.name} doesn’t stop; it may still be at work.`;
  return { outcome: 'error', text, mayHaveChanged: true, failed: 'timeout' };
}

function tried(text: string, tries: number): string {
  return `${text}\n(It was tried ${count(tries, 'time')}.)`;
}

/** What came of a call whose signal was aborted. One that got done all the same keeps its outcome. */
function ended(tool: Tool, outcome: CallOutcome, limit: number, cancelled: boolean): CallOutcome {
  if (outcome.outcome === 'ok') return outcome;
  if (cancelled) {
    const { failed: _, ...rest } = outcome;
    return { ...rest, outcome: 'cancelled', text: `Cancelled. ${outcome.text}` };
  }
  const seconds = Math.ceil(limit / 100) / 10;
  const text = `${tool.name} timed out after ${count(seconds, 'second')}. ${outcome.text}`;
  return { ...outcome, outcome: 'error', text, failed: 'timeout' };
}
