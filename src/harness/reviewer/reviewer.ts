/** A reviewing model: asked about one call at a time, within limits, each request and reply in the log. Whatever goes wrong is no yes. */
import type { ReviewerSettings } from '../../config/index.ts';
import { loadReview } from '../../context/index.ts';
import { targetName, type EventData, type EventId, type ModelOutcome, type PreparedRequest } from '../../core/index.ts';
import { SideModel, spendingOf, textIn } from '../asides/index.ts';
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
  return new ModelReviewer(settings, new SideModel(beside, record, 'review'), record);
}

class ModelReviewer implements Reviewer {
  readonly name: string;
  readonly #settings: ReviewerSettings;
  readonly #model: SideModel;
  readonly #record: OpenRecord;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ReviewerSettings, model: SideModel, record: OpenRecord) {
    this.name = `reviewer:${targetName(model.target)}`;
    this.#settings = settings;
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
    const { caseText, parseRuling, reviewPrompt } = await loadReview();
    const text = caseText(this.#record.view, question);
    const request = await this.#model.prepare({ system: reviewPrompt.text, text, maxOutput: mostOutput });
    if (!this.#model.isAffordable(request)) return open('the money limit has no room for it');
    const { outcome, review, elapsed } = await this.#send(ask, request, signal);
    const said = textIn(outcome);
    const ruling = 'problem' in said ? said : parseRuling(said.text);
    await this.#end(review, outcome, ruling, elapsed);
    return 'problem' in ruling ? open(ruling.problem) : ruling;
  }

  /** What is sent is durable before it leaves. */
  async #send(ask: EventId, request: PreparedRequest, signal: AbortSignal) {
    const { recorder, session } = this.#record;
    const { source, bytes, reserved } = request.data;
    const blob = await session.blobs.put(Buffer.from(request.body));
    const { id } = await recorder.record({ kind: 'review', data: { ask, source, blob, bytes, reserved } });
    await recorder.sync();
    const { timeout = defaultTimeout } = this.#settings;
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeout * 1000)]);
    return { ...(await this.#model.send(id, request, within)), review: id };
  }

  async #end(
    review: EventId,
    outcome: ModelOutcome,
    ruling: Ruling | { problem: string },
    elapsed: number,
  ): Promise<void> {
    const said = textIn(outcome);
    const data: EventData['review-end'] = {
      review,
      ...('problem' in ruling ? { failed: ruling.problem } : ruling),
      ...('text' in said && { text: said.text.slice(0, longestText) }),
      ...spendingOf(outcome),
      elapsed,
    };
    await this.#record.recorder.record({ kind: 'review-end', data });
  }
}

function open(reason: string): Ruling {
  return { decision: 'ask', reason };
}
