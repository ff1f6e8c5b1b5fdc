/** The joint between the questions of a run and whoever may answer: the approver here, or anybody through the inbox. */
import type { LoadedSettings } from '../config/index.ts';
import { byTimeout, type Approver, type EventId, type Recorder } from '../core/index.ts';
import { systemClock } from './clock.ts';
import type { Provider } from './models/index.ts';
import type { OpenRecord } from './record.ts';

/** Nobody is there: an ask is a denial that the model is told about. */
export const nobody: Approver = {
  ask: () => {
    const reason = 'nobody is there to be asked; without a terminal an ask is a no';
    return Promise.resolve({ by: 'nobody', decision: 'no', scope: 'once', reason });
  },
};

/** Nobody is there now: a question stays open until somebody answers it. */
const absent: Approver = { ask: () => Promise.resolve('later') };

/** Who answers the questions of a run. */
export interface Approval {
  approver: Approver;
  /** Somebody, or something in place of a person, may also be asked what was left open before. */
  isThere: boolean;
  /** The person or program that the caller brought. */
  person?: Approver;
  /** Milliseconds after which no answer is a no. */
  within?: number;
}

/** Rejects with `model-unknown`, `key-missing` and `rate-missing` for a reviewer that can't be asked. */
export async function approvalFor(
  person: Approver | undefined,
  { settings }: LoadedSettings,
  provider: Provider,
  record: OpenRecord,
): Promise<Approval> {
  const { onAsk, timeout, reviewer } = settings.approvals;
  const common = {
    ...(timeout !== null && { within: timeout * 1000 }),
    ...(person !== undefined && { person }),
  };
  const someone = person ?? (onAsk === 'wait' ? absent : nobody);
  if (reviewer === undefined || provider.beside === undefined) {
    return { approver: someone, isThere: person !== undefined, ...common };
  }
  const [{ findReviewer, withReviewer }, beside] = await Promise.all([
    import('./reviewer/index.ts'),
    provider.beside(reviewer.model),
  ]);
  const asked = withReviewer(findReviewer(reviewer, beside, record), someone, (call) => openAsk(record.recorder, call));
  return { approver: asked, isThere: true, ...common };
}

/** Asks the approver; when the question is answered elsewhere first, it is withdrawn and that answer counts. */
export function answeredAnywhere({ approver, within }: Omit<Approval, 'isThere'>, recorder: Recorder): Approver {
  return {
    async ask(question, signal) {
      const id = openAsk(recorder, question.call);
      if (id === undefined) return approver.ask(question, signal);
      const said = await unlessAnswered(recorder, id, signal, (inner) => approver.ask(question, inner));
      return said ?? 'later';
    },
    ...(approver.choose !== undefined && { choose: choosing(approver.choose.bind(approver), recorder, within) }),
  };
}

/** A question of the model is in the log while it is open: then the time of waiting isn't running time, and it can be answered from anywhere. */
function choosing(
  choose: NonNullable<Approver['choose']>,
  recorder: Recorder,
  within?: number,
): NonNullable<Approver['choose']> {
  return async (question, signal) => {
    const { call, options, fallback } = question;
    const until = within === undefined ? undefined : systemClock.now() + within;
    const data = { call, tool: 'ask', question: question.question, options, ...(until !== undefined && { until }) };
    const { id } = await recorder.record({ kind: 'ask', data });
    const put = (inner: AbortSignal) =>
      inTime(until, inner, { by: byTimeout, choice: fallback }, (at) => choose(question, at));
    const said = await unlessAnswered(recorder, id, signal, put);
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

/** What `put` gives, or at `until` what counts then; it is withdrawn at that. */
async function inTime<T>(
  until: number | undefined,
  signal: AbortSignal,
  otherwise: T,
  put: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (until === undefined) return put(signal);
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const over = systemClock.sleep(until, either).then(() => otherwise);
  try {
    const asked = put(either);
    return await Promise.race([asked, signal.aborted ? asked : over]);
  } finally {
    done.abort();
  }
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
