/** The joint between the questions of a run and whoever may answer: the approver here, or anybody through the inbox. */
import type { Approver, EventId, Recorder } from '../core/index.ts';

type Said = Awaited<ReturnType<Approver['ask']>>;

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
      const withdrawn = new AbortController();
      const elsewhere = new Promise<Said>((resolve) => {
        withdrawn.signal.addEventListener('abort', () => resolve('later'), { once: true });
      });
      const unlisten = recorder.listen(() => {
        if (!recorder.view.ledger.openAsks.has(id)) withdrawn.abort();
      });
      try {
        return await Promise.race([approver.ask(question, AbortSignal.any([signal, withdrawn.signal])), elsewhere]);
      } finally {
        unlisten();
      }
    },
  };
}

function openAsk(recorder: Recorder, call: string): EventId | undefined {
  for (const [id, ask] of recorder.view.ledger.openAsks) if (ask.call === call) return id;
  return undefined;
}
