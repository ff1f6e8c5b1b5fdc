/** Step 6: a verdict of ask needs the yes of a person or of whoever stands in for one. */
import { isDeepStrictEqual } from 'node:util';
import {
  byTimeout,
  type Approver,
  type Clock,
  type EventData,
  type JsonObject,
  type OpenCall,
  type Record as RecordEvent,
} from '../../core/index.ts';
import type { RefusedCall } from '../known.ts';
import { messageOf } from '../outcome.ts';
import { visible, withoutMiddle } from '../text/index.ts';

type Verdict = EventData['verdict'];
type Answer = EventData['answer'];

const questionLength = 4_000;
/** Characters of a command line that a client may offer to edit; a longer one isn't retyped. */
const commandLength = 4_000;

/** Whoever is asked, and how long. */
export interface Asking {
  approver: Approver;
  clock: Clock;
  /** Milliseconds after which no answer is a no. */
  within?: number;
}

/** What a question says besides its verdict. */
export interface Shown {
  summary: string;
  command?: string;
  diff?: string;
}

function questionOf(verdict: Verdict, { summary, command, diff }: Shown, until?: number): EventData['ask'] {
  const { call, tool, effects, by, part, reason, shape } = verdict;
  return {
    call,
    tool,
    question: withoutMiddle(visible(summary), questionLength),
    ...(command !== undefined && command.length <= commandLength && { command }),
    ...(effects !== undefined && { effects }),
    by,
    ...(part !== undefined && { part: visible(part) }),
    because: reason,
    ...(diff !== undefined && { diff }),
    ...(shape !== undefined && { shape }),
    ...(until !== undefined && { until }),
  };
}

/** The answer to a call's question, asked now if need be; `later` when it stays open. */
export async function approve(
  call: OpenCall,
  verdict: Verdict,
  shown: Shown,
  { approver, clock, within }: Asking,
  record: RecordEvent,
  signal: AbortSignal,
): Promise<Answer | 'later'> {
  if (call.answer !== undefined) return call.answer;
  const question = questionOf(verdict, shown, within === undefined ? undefined : clock.now() + within);
  const ask = call.ask ?? (await record({ kind: 'ask', data: question })).id;
  const said = await askInTime(approver, question, clock, signal);
  // Aborted: it was answered elsewhere, or the run was cancelled; the log says which.
  if (said === 'later' || signal.aborted) return 'later';
  const answer = { ...said, ask };
  await record({ kind: 'answer', data: answer });
  // Of two answers at the same moment the one that was recorded first counts; the fold has it.
  return call.answer ?? answer;
}

type Said = Omit<Answer, 'ask'> | 'later';

async function askInTime(
  approver: Approver,
  question: EventData['ask'],
  clock: Clock,
  signal: AbortSignal,
): Promise<Said> {
  const done = new AbortController();
  const aborted = new Promise<Said>((resolve) => {
    if (signal.aborted) resolve('later');
    else signal.addEventListener('abort', () => resolve('later'), { once: true, signal: done.signal });
  });
  const asked = approver.ask(question, AbortSignal.any([signal, done.signal]));
  const answers = question.until === undefined ? [asked, aborted] : [asked, aborted, over(question.until, clock, done)];
  try {
    return await Promise.race(answers);
  } catch (error) {
    const reason = `the question could not be put: ${messageOf(error)}`;
    return { by: 'approver', decision: 'no', scope: 'once', reason };
  } finally {
    done.abort();
  }
}

async function over(until: number, clock: Clock, done: AbortController): Promise<Said> {
  await clock.sleep(until, done.signal);
  const reason = 'nobody answered in the time that was set for it';
  return { by: byTimeout, decision: 'no', scope: 'once', reason };
}

/**
 * The arguments of a call that was allowed in another form, and who gave it that form; undefined where there is no other form, and where
 * it has been judged in that one already.
 */
export function editOf({ verdict, answer }: OpenCall): { arguments: JsonObject; by: string } | undefined {
  if (verdict === undefined || answer?.decision !== 'yes' || answer.arguments === undefined) return undefined;
  const by = `answer:${answer.by}`;
  const edited = { ...verdict.arguments, ...answer.arguments };
  if (verdict.changedBy?.includes(by) === true || isDeepStrictEqual(edited, verdict.arguments)) return undefined;
  return { arguments: edited, by };
}

/** A call that was refused in this run isn't asked about again: the verdict is the answer that was given. */
export function unlessRefused(verdict: Verdict, refused: readonly RefusedCall[]): Verdict {
  if (verdict.decision !== 'ask') return verdict;
  const before = refused.find(({ tool, arguments: args }) => {
    return tool === verdict.tool && isDeepStrictEqual(args, verdict.arguments);
  });
  if (before === undefined) return verdict;
  const why = before.reason === undefined ? '' : ` (${before.reason.trim().replace(/\.$/, '')})`;
  const reason = visible(
    `The same call was refused already in this run by ${before.by}${why}; asking again changes nothing.`,
  );
  return { ...verdict, decision: 'deny', by: 'refused-before', reason };
}

export function refusedText({ by, reason }: Answer, verdict: Verdict): string {
  const why = reason === undefined || reason.trim() === '' ? 'No reason was given.' : `Reason: ${reason.trim()}`;
  const who = by === 'nobody' || by === byTimeout ? 'Not allowed.' : `Not allowed: ${by} said no.`;
  return `${who} ${why}\nIt was asked because ${verdict.reason} Nothing was run.`;
}
