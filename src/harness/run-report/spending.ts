/** What was spent on which model and for what: the same sums as the ledger of the core keeps, taken apart. */
import { targetName, type Event, type EventData, type EventId, type Source, type Usage } from '../../core/index.ts';
import type { SpendingRow } from '../report-types.ts';

interface Sum {
  row: Pick<SpendingRow, 'model' | 'purpose' | 'requests' | 'usage'>;
  cost: number;
  estimated: number;
  /** Requests of which nobody knows the cost. */
  unpriced: Set<EventId>;
}

type Settled = Pick<EventData['failure'], 'usage' | 'cost' | 'estimated'>;

export class Spending {
  readonly #sums = new Map<string, Sum>();
  readonly #asked = new Map<EventId, { sum: Sum; reserved?: number }>();

  take(event: Event): void {
    switch (event.kind) {
      case 'request':
        return this.#ask(event.id, event.data, 'conversation');
      case 'review':
        return this.#ask(event.id, event.data, 'reviewer');
      case 'aside':
        return this.#ask(event.id, event.data, event.data.purpose);
      case 'reply':
      case 'failure':
        if (event.data.request === null) return;
        return this.#settle(event.data.request, event.data, 'conversation');
      case 'review-end':
        return this.#settle(event.data.review, event.data, 'reviewer');
      case 'aside-end':
        return this.#settle(event.data.aside, event.data, 'summary');
      default:
    }
  }

  /** The conversation first, then what was asked beside it. What is still out counts at its worst case. */
  rows(): SpendingRow[] {
    const open = new Map<Sum, number>();
    for (const { sum, reserved = 0 } of this.#asked.values()) open.set(sum, (open.get(sum) ?? 0) + reserved);
    const sums = [...this.#sums.values()];
    const isBeside = ({ row }: Sum): number => (row.purpose === 'conversation' ? 0 : 1);
    return sums
      .toSorted((a, b) => isBeside(a) - isBeside(b))
      .map((sum) => {
        const estimated = sum.estimated + (open.get(sum) ?? 0);
        if (sum.unpriced.size > 0) return sum.row;
        return { ...sum.row, cost: sum.cost + (open.get(sum) ?? 0), ...(estimated > 0 && { estimated }) };
      });
  }

  #sumOf(model: string, purpose: SpendingRow['purpose']): Sum {
    const name = `${purpose} ${model}`;
    const sum = this.#sums.get(name) ?? newSum(model, purpose);
    this.#sums.set(name, sum);
    return sum;
  }

  #ask(
    id: EventId,
    { source, reserved }: { source: Source; reserved: { cost?: number } },
    purpose: SpendingRow['purpose'],
  ): void {
    const sum = this.#sumOf(targetName(source), purpose);
    sum.row.requests += 1;
    if (reserved.cost === undefined) sum.unpriced.add(id);
    this.#asked.set(id, { sum, ...(reserved.cost !== undefined && { reserved: reserved.cost }) });
  }

  /** The line of a request may be lost: what its outcome says still counts. */
  #settle(id: EventId, { usage = {}, cost: said, estimated = false }: Settled, purpose: SpendingRow['purpose']): void {
    const { sum, reserved } = this.#asked.get(id) ?? { sum: this.#sumOf('unknown', purpose) };
    this.#asked.set(id, { sum });
    const { usage: total } = sum.row;
    for (const [kind, tokens = 0] of Object.entries(usage)) {
      total[kind as keyof Usage] = (total[kind as keyof Usage] ?? 0) + tokens;
    }
    const cost = said ?? reserved;
    if (cost === undefined) {
      sum.unpriced.add(id);
      return;
    }
    sum.unpriced.delete(id);
    sum.cost += cost;
    if (said === undefined || estimated) sum.estimated += cost;
  }
}

function newSum(model: string, purpose: SpendingRow['purpose']): Sum {
  return { row: { model, purpose, requests: 0, usage: {} }, cost: 0, estimated: 0, unpriced: new Set() };
}
