/** The joint between the questions of a run and whoever may answer: the approver here, or anybody through the inbox. */
import type { Approver, EventId, Recorder } from '../core/index.ts';

/** Nobody is there: an ask is a denial that the model is told about. */
export const nobody: Approver = {
  ask: () => {
    const reason = 'nobody is there to be asked; without a terminal an ask is a no';
    return Promise.resolve({ by: 'nobody', decision: 'no', scope: 'once', reason });
  },
};

/** Asks the approver; when the question is answered elsewhere first, it is withdrawn and that answer counts. */
export function answeredAnywhere(approver: Approver, recorder: Recorder): Approver {
  return {
    async ask(question, signal) {
      const id = openAsk(recorder, question.call);
      if (id === undefined) return approver.ask(question, signal);
      const said = await unlessAnswered(recorder, id, signal, (inner) => approver.ask(question, inner));
      return said ?? 'later';
    },
    ...(approver.choose !== undefined && { choose: choosing(approver.choose.bind(approver), recorder) }),
  };
}

/** A question of the model is in the log while it is open: then the time of waiting isn't running time, and it can be answered from anywhere. */
function choosing(choose: NonNullable<Approver['choose']>, recorder: Recorder): NonNullable<Approver['choose']> {
  return async (question, signal) => {
    const { call, options } = question;
    const data = { call, tool: 'ask', question: question.question, options };
    const { id } = await recorder.record({ kind: 'ask', data });
    const said = await unlessAnswered(recorder, id, signal, (inner) => choose(question, inner));
    if (said !== undefined) {
      const answer = { ask: id, by: said.by, decision: 'yes', scope: 'once', reason: said.choice } as const;
      await recorder.record({ kind: 'answer', data: answer });
      return said;
    }
    const answer = recorder.view.ledger.answers.get(id);
    if (answer === undefined) return undefined;
    const choice =
      answer.decision === 'yes' ? (answer.reason ?? question.fallback) : `(no answer) ${answer.reason ?? ''}`.trim();
    return { by: answer.by, choice };
  };
}

/** What `put` gives, unless the question is answered elsewhere first: then undefined, and what was put is withdrawn. */
async function unlessAnswered<T>(
  recorder: Recorder,
  id: EventId,
  signal: AbortSignal,
  put: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const withdrawn = new AbortController();
  const elsewhere = new Promise<undefined>((resolve) => {
    withdrawn.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const unlisten = recorder.listen(() => {
    if (!recorder.view.ledger.openAsks.has(id)) withdrawn.abort();
  });
  try {
    return await Promise.race([put(AbortSignal.any([signal, withdrawn.signal])), elsewhere]);
  } finally {
    unlisten();
  }
}

function openAsk(recorder: Recorder, call: string): EventId | undefined {
  for (const [id, ask] of recorder.view.ledger.openAsks) if (ask.call === call) return id;
  return undefined;
}
