/** Step 6: a verdict of ask needs the yes of a person or of whoever stands in for one. */
import type { Approver, EventData, OpenCall, Record as RecordEvent } from '../../core/index.ts';
import { messageOf } from '../outcome.ts';
import { visible, withoutMiddle } from '../text/index.ts';

type Verdict = EventData['verdict'];
type Answer = EventData['answer'];

const questionLength = 4_000;

/** The answer to a call's question, asked now if need be; `later` when it stays open. */
export async function approve(
  call: OpenCall,
  verdict: Verdict,
  summary: string,
  approver: Approver,
  record: RecordEvent,
  signal: AbortSignal,
): Promise<Answer | 'later'> {
  if (call.answer !== undefined) return call.answer;
  const question: EventData['ask'] = {
    call: call.key,
    tool: verdict.tool,
    question: withoutMiddle(visible(summary), questionLength),
    ...(verdict.shape === undefined ? {} : { shape: verdict.shape }),
  };
  const ask = call.ask ?? (await record({ kind: 'ask', data: question })).id;
  const said = await askUntilAborted(approver, question, signal);
  // Aborted: it was answered elsewhere, or the run was cancelled; the log says which.
  if (said === 'later' || signal.aborted) return 'later';
  const answer = { ...said, ask };
  await record({ kind: 'answer', data: answer });
  // Of two answers at the same moment the one that was recorded first counts; the fold has it.
  return call.answer ?? answer;
}

type Said = Omit<Answer, 'ask'> | 'later';

async function askUntilAborted(approver: Approver, question: EventData['ask'], signal: AbortSignal): Promise<Said> {
  const done = new AbortController();
  const aborted = new Promise<Said>((resolve) => {
    if (signal.aborted) resolve('later');
    else signal.addEventListener('abort', () => resolve('later'), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([approver.ask(question, signal), aborted]);
  } catch (error) {
    const reason = `the question could not be put: ${messageOf(error)}`;
    return { by: 'approver', decision: 'no', scope: 'once', reason };
  } finally {
    done.abort();
  }
}

export function refusedText({ by, reason }: Answer, verdict: Verdict): string {
  const why = reason === undefined || reason.trim() === '' ? 'No reason was given.' : `Reason: ${reason.trim()}`;
  const who = by === 'nobody' ? 'Not allowed.' : `Not allowed: ${by} said no.`;
  return `${who} ${why}\nIt was asked because ${verdict.reason} Nothing was run.`;
}
