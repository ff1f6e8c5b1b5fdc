/** Pull: `step` hands out one work item, `settle` takes its outcome. The driver may be a server, an editor, a test. */
import { answerCalls, act, baseline, recordEvidence, recordOutcome, recordRequest, snapshot } from './act.ts';
import { decide, type Action } from './decide.ts';
import { ReinsError } from './errors.ts';
import type { CallKey, EventData, EventId } from './events.ts';
import type { Check } from './setup.ts';
import type { CallOutcome, CheckOutcome, ModelOutcome, PreparedCall, PreparedRequest } from './ports.ts';
import type { Loop } from './loop.ts';
import { isOver } from './questions.ts';
import { recordStop } from './run.ts';
import { openCalls } from './transcript.ts';

/** The work items by kind; `id` names one as long as its head stands. */
export interface Items {
  'ask-model': { item: 'ask-model'; id: EventId; request: PreparedRequest };
  'run-call': { item: 'run-call'; id: CallKey; call: PreparedCall };
  approve: { item: 'approve'; id: EventId; question: EventData['ask'] };
  /** `early`: the model still works. */
  check: { item: 'check'; id: string; check: Check; covers: EventId; early?: true };
  wait: { item: 'wait'; for: string; until?: number };
  stopped: { item: 'stopped'; stop: EventData['stop'] };
}

export type WorkItem = Items[keyof Items];

export interface Outcomes {
  'ask-model': ModelOutcome;
  'run-call': CallOutcome & { elapsed?: number };
  approve: Omit<EventData['answer'], 'ask'>;
  check: CheckOutcome;
}

type Settleable = Items[keyof Outcomes];

export class Stepper {
  readonly #loop: Loop;
  readonly #settled = new Set<string>();
  readonly #signal = new AbortController().signal;
  #out: Settleable | undefined;

  constructor(loop: Loop) {
    this.#loop = loop;
    loop.recorder.listen((event) => {
      const withdrawn = event.kind === 'answer' && event.data.ask === this.#out?.id;
      if (withdrawn || event.kind === 'head' || event.kind === 'cancel') this.#out = undefined;
    });
  }

  /**
   * The next item. While one is out it is handed out again; `wait` and `stopped` need no settling. A request's bytes and a call's
   * verdict and start are durable before they are handed out. Rejects with `session-stopped` as `run` does.
   */
  async step(): Promise<WorkItem> {
    const { recorder, rules, ports } = this.#loop;
    // A question whose time is over is answered by that.
    if (this.#out?.item === 'approve' && isOver(recorder.view.ledger, this.#out.id, ports.clock.now())) {
      this.#out = undefined;
    }
    if (this.#out !== undefined) return this.#out;
    if (recorder.view.stop !== undefined) {
      throw new ReinsError('session-stopped', `The session has stopped (${recorder.view.stop.reason}).`);
    }
    for (;;) {
      const action = decide(recorder.view, rules, ports.clock.now());
      const item = await this.#perform(action);
      if (item === undefined) continue;
      if (item.item !== 'wait' && item.item !== 'stopped') this.#out = item;
      return item;
    }
  }

  /** Takes an item's outcome, once: a second time is a no-op. Rejects with `item-unknown` for what is not out or whose head has moved. */
  async settle<K extends keyof Outcomes>(item: Items[K], outcome: Outcomes[K]): Promise<void> {
    const name = `${item.item} ${item.id}`;
    if (this.#settled.has(name)) return;
    if (this.#out === undefined || `${this.#out.item} ${this.#out.id}` !== name) {
      throw new ReinsError('item-unknown', `The item "${name}" is not out.`);
    }
    const out = this.#out;
    this.#settled.add(name);
    this.#out = undefined;
    await this.#record(out, outcome);
  }

  async #record(item: Settleable, outcome: unknown): Promise<void> {
    const { recorder, ports } = this.#loop;
    switch (item.item) {
      case 'ask-model':
        return recordOutcome(this.#loop, item.id, outcome as ModelOutcome);
      case 'run-call': {
        const { elapsed = 0, ...done } = outcome as Outcomes['run-call'];
        return ports.calls.finish(item.call, done, elapsed, recorder.record);
      }
      case 'approve':
        await recorder.record({ kind: 'answer', data: { ask: item.id, ...(outcome as Outcomes['approve']) } });
        return;
      case 'check':
        await recordEvidence(this.#loop, item.check, placeOf(item), outcome as CheckOutcome);
        return snapshot(this.#loop, true);
    }
  }

  /** Performs what needs no outside hands; gives an item for what does. */
  async #perform(action: Action): Promise<WorkItem | undefined> {
    switch (action.do) {
      case 'stop': {
        const stop = await recordStop(this.#loop, action);
        return stop && { item: 'stopped', stop };
      }
      case 'wait':
        return this.#wait(action);
      case 'ask-model': {
        const recorded = await recordRequest(this.#loop, action);
        if (recorded === undefined) return undefined;
        await Promise.all([this.#loop.recorder.sync(), baseline(this.#loop)]);
        return { item: 'ask-model', ...recorded };
      }
      case 'run-calls':
        return this.#prepareCall(action.calls);
      case 'check': {
        const [check] = action.checks;
        const covers = this.#loop.recorder.view.head;
        if (check === undefined || covers === null) return undefined;
        const early = action.early === true ? { early: true as const } : {};
        return { item: 'check', id: `${covers}/${check.command}`, check, covers, ...early };
      }
      case 'answer-calls':
        await answerCalls(this.#loop, action);
        return undefined;
      default:
        await act(this.#loop, action, this.#signal);
        return undefined;
    }
  }

  #wait(action: Extract<Action, { do: 'wait' }>): WorkItem {
    const id = action.asks?.[0];
    const question = id === undefined ? undefined : this.#loop.recorder.view.ledger.openAsks.get(id);
    if (id !== undefined && question !== undefined) return { item: 'approve', id, question };
    return { item: 'wait', for: action.for, ...(action.until === undefined ? {} : { until: action.until }) };
  }

  async #prepareCall(keys: CallKey[]): Promise<WorkItem | undefined> {
    const { recorder, ports } = this.#loop;
    const call = openCalls(recorder.view.transcript).find((open) => keys.includes(open.key));
    if (call === undefined) return undefined;
    const prepared = await ports.calls.prepare(call, recorder.record, this.#signal);
    if (prepared === undefined) return undefined;
    await recorder.sync();
    return { item: 'run-call', id: prepared.key, call: prepared };
  }
}

function placeOf({ covers, early }: Items['check']): Pick<EventData['evidence'], 'covers' | 'early'> {
  return { covers, ...(early && { early }) };
}
