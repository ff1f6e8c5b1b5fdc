/** A model asked beside the conversation: one question with a prompt of its own, within what the session's money limit leaves. */
import {
  fold,
  spent,
  View,
  type EventId,
  type Model,
  type ModelOutcome,
  type PreparedRequest,
  type Target,
} from '../../core/index.ts';
import { systemClock } from '../clock.ts';
import type { Beside } from '../models/index.ts';
import type { OpenRecord } from '../record.ts';

export interface SideQuestion {
  system: string;
  text: string;
  /** Tokens of the answer, with whatever the model thinks before it; the model's own limit holds besides. */
  maxOutput: number;
}

export class SideModel {
  readonly target: Target;
  readonly #model: Model;
  readonly #record: OpenRecord;

  /** `name` keeps its cache apart from that of the conversation. */
  constructor(beside: Beside, record: OpenRecord, name: string) {
    const { session, recorder } = record;
    this.target = beside.target;
    this.#record = record;
    this.#model = beside.connect({
      clock: systemClock,
      cacheKey: `${session.id}/${name}`,
      session: session.id,
      notice: (data) => void recorder.record({ kind: 'notice', data }).catch(() => undefined),
      putBlob: (bytes) => session.blobs.put(bytes),
      getBlob: () => Promise.resolve(undefined),
      previousBody: () => Promise.resolve(undefined),
    });
  }

  /** The exact bytes of a question. Nothing is recorded yet. */
  prepare({ system, text, maxOutput }: SideQuestion): Promise<PreparedRequest> {
    const { view } = this.#record;
    const own = new View();
    if (view.setup !== undefined) {
      const { routes: _, profile: __, rates: ___, switched: ____, ...setup } = view.setup;
      const { cost } = setup.limits;
      const limits = { ...setup.limits, cost: cost === null ? null : Math.max(0, cost - spent(view.ledger)) };
      own.setup = { ...setup, ...this.target, limits, system: [system], tools: [] };
    }
    fold(own, { id: 'aside', parent: null, at: systemClock.now(), kind: 'input', data: { from: 'user', text } });
    const most = Math.min(maxOutput, this.target.maxOutput);
    return this.#model.prepare(own, { closing: false, turn: 1, attempt: 1, maxOutput: most });
  }

  /** Whether the money limit has room for its worst case. */
  isAffordable({ data }: PreparedRequest): boolean {
    const { setup, ledger } = this.#record.view;
    const limit = setup?.limits.cost ?? null;
    return limit === null || spent(ledger) + (data.reserved.cost ?? 0) <= limit;
  }

  /** Sends what the event `id` has recorded. Never rejects for what a provider or a network does. */
  async send(
    id: EventId,
    request: PreparedRequest,
    within: AbortSignal,
  ): Promise<{ outcome: ModelOutcome; elapsed: number }> {
    const startedAt = systemClock.now();
    const outcome = await this.#model.send(request, id, within, () => undefined);
    return { outcome, elapsed: systemClock.now() - startedAt };
  }
}

/** What the model said, where it said all of it and nothing else. */
export function textIn(outcome: ModelOutcome): { text: string } | { problem: string } {
  if (outcome.kind === 'failure') {
    const { class: kind, message } = outcome.data;
    return { problem: kind === 'cancelled' ? 'it did not answer in time' : `it could not be asked: ${message}` };
  }
  const { parts, stop } = outcome.data;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  if (stop !== 'end')
    return { problem: `its answer ${stop === 'calls' ? 'calls tools, which it has none of' : `broke off (${stop})`}` };
  return { text };
}

/** Usage and cost of an outcome, as far as they are known, in the words of the log. */
export function spendingOf({ kind, data }: ModelOutcome): Pick<typeof data, 'usage' | 'cost'> & { estimated?: true } {
  const { usage, cost } = data;
  const estimated = kind === 'failure' && data.estimated === true;
  return {
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
    ...(estimated && { estimated }),
  };
}
