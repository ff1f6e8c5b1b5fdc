/** A reviewing model: asked about one call at a time, within limits, each request and reply in the log. Whatever goes wrong is no yes. */
import type { ReviewerSettings } from '../../config/index.ts';
import { loadReview } from '../../context/index.ts';
import {
  fold,
  spent,
  targetName,
  View,
  type EventData,
  type EventId,
  type Model,
  type ModelOutcome,
  type PreparedRequest,
  type Target,
} from '../../core/index.ts';
import { systemClock } from '../clock.ts';
import type { Beside } from '../models/index.ts';
import type { OpenRecord } from '../record.ts';

/** Seconds for one question, and questions in one turn, unless the settings say otherwise. */
const defaultTimeout = 60;
const defaultPerTurn = 10;
/** Refusals in one turn, after which the rest of its questions is refused unseen. */
const denialsAtMost = 3;
/** Tokens of an answer, with whatever the model thinks before it. */
const mostOutput = 4_000;
/** Characters of what it said that the log keeps. */
const longestText = 4_000;

/** `ask`: a person is to decide; the reason says why. */
export interface Ruling {
  decision: 'allow' | 'deny' | 'ask';
  reason: string;
}

export interface Reviewer {
  /** `reviewer:provider/model`, as it stands in answers. */
  name: string;
  /** Never rejects for anything that the model or its provider does. An aborted signal gives `ask`, soon. */
  review(ask: EventId, question: EventData['ask'], signal: AbortSignal): Promise<Ruling>;
}

export function findReviewer(settings: ReviewerSettings, beside: Beside, record: OpenRecord): Reviewer {
  const { session, recorder } = record;
  const model = beside.connect({
    clock: systemClock,
    cacheKey: `${session.id}-review`,
    notice: (data) => void recorder.record({ kind: 'notice', data }).catch(() => undefined),
    putBlob: (bytes) => session.blobs.put(bytes),
    getBlob: () => Promise.resolve(undefined),
    previousBody: () => Promise.resolve(undefined),
  });
  return new ModelReviewer(settings, beside.target, model, record);
}

class ModelReviewer implements Reviewer {
  readonly name: string;
  readonly #settings: ReviewerSettings;
  readonly #target: Target;
  readonly #model: Model;
  readonly #record: OpenRecord;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ReviewerSettings, target: Target, model: Model, record: OpenRecord) {
    this.name = `reviewer:${targetName(target)}`;
    this.#settings = settings;
    this.#target = target;
    this.#model = model;
    this.#record = record;
  }

  /** One at a time: what the turn has left is counted by what is in the log. */
  review(ask: EventId, question: EventData['ask'], signal: AbortSignal): Promise<Ruling> {
    const ruling = this.#last.then(() => this.#review(ask, question, signal));
    this.#last = ruling.catch(() => undefined); // Whoever asked has the rejection; here only the turn matters.
    return ruling;
  }

  async #review(ask: EventId, question: EventData['ask'], signal: AbortSignal): Promise<Ruling> {
    const { ledger } = this.#record.view;
    if (signal.aborted) return open('the question is not open any more');
    if (ledger.reviewDenialsInTurn >= denialsAtMost) {
      const reason = `it has refused ${denialsAtMost} calls of this turn already, so the others of this turn are refused unseen`;
      return { decision: 'deny', reason };
    }
    const { perTurn = defaultPerTurn } = this.#settings;
    if (ledger.reviewsInTurn >= perTurn) return open(`it was asked ${perTurn} times in this turn already`);
    const { parseRuling } = await loadReview();
    const request = await this.#prepare(question);
    if (!this.#isAffordable(request)) return open('the money limit has no room for it');
    const { outcome, review, elapsed } = await this.#send(ask, request, signal);
    const said = textIn(outcome);
    const ruling = 'problem' in said ? said : parseRuling(said.text);
    await this.#end(review, outcome, ruling, elapsed);
    return 'problem' in ruling ? open(ruling.problem) : ruling;
  }

  async #prepare(question: EventData['ask']): Promise<PreparedRequest> {
    const { caseText, reviewPrompt } = await loadReview();
    const { view } = this.#record;
    const maxOutput = Math.min(mostOutput, this.#target.maxOutput);
    const own = new View();
    if (view.setup !== undefined) {
      const { routes: _, profile: __, rates: ___, switched: ____, ...setup } = view.setup;
      const { cost } = setup.limits;
      const limits = { ...setup.limits, cost: cost === null ? null : Math.max(0, cost - spent(view.ledger)) };
      own.setup = { ...setup, ...this.#target, limits, system: [reviewPrompt.text], tools: [] };
    }
    const data = { from: 'user', text: caseText(view, question) } as const;
    fold(own, { id: 'review', parent: null, at: systemClock.now(), kind: 'input', data });
    return this.#model.prepare(own, { closing: false, turn: 1, attempt: 1, maxOutput });
  }

  #isAffordable({ data }: PreparedRequest): boolean {
    const { setup, ledger } = this.#record.view;
    const limit = setup?.limits.cost ?? null;
    return limit === null || spent(ledger) + (data.reserved.cost ?? 0) <= limit;
  }

  /** What is sent is durable before it leaves. */
  async #send(ask: EventId, request: PreparedRequest, signal: AbortSignal) {
    const { recorder, session } = this.#record;
    const { source, bytes, reserved } = request.data;
    const blob = await session.blobs.put(Buffer.from(request.body));
    const { id } = await recorder.record({ kind: 'review', data: { ask, source, blob, bytes, reserved } });
    await recorder.sync();
    const startedAt = systemClock.now();
    const { timeout = defaultTimeout } = this.#settings;
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeout * 1000)]);
    const outcome = await this.#model.send(request, id, within, () => undefined);
    return { outcome, review: id, elapsed: systemClock.now() - startedAt };
  }

  async #end(
    review: EventId,
    outcome: ModelOutcome,
    ruling: Ruling | { problem: string },
    elapsed: number,
  ): Promise<void> {
    const { usage, cost } = outcome.data;
    const estimated = outcome.kind === 'failure' && outcome.data.estimated === true;
    const said = textIn(outcome);
    const data: EventData['review-end'] = {
      review,
      ...('problem' in ruling ? { failed: ruling.problem } : ruling),
      ...('text' in said && { text: said.text.slice(0, longestText) }),
      ...(usage !== undefined && { usage }),
      ...(cost !== undefined && { cost }),
      ...(estimated && { estimated }),
      elapsed,
    };
    await this.#record.recorder.record({ kind: 'review-end', data });
  }
}

function open(reason: string): Ruling {
  return { decision: 'ask', reason };
}

/** What the model said, where it said all of it and nothing else. */
function textIn(outcome: ModelOutcome): { text: string } | { problem: string } {
  if (outcome.kind === 'failure') {
    const { class: kind, message } = outcome.data;
    return { problem: kind === 'cancelled' ? 'it did not answer in time' : `it could not be asked: ${message}` };
  }
  const { parts, stop } = outcome.data;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  if (stop !== 'end') return { problem: `its answer is no whole one (${stop})` };
  return { text };
}
