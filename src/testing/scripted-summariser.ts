/** Summaries, scripted: what stands in place of older turns is written down. */
import type { Summarised, Summariser, SummaryOrder } from '../core/index.ts';

/** A summary, or why there is none. */
export type ScriptedSummary = string | { problem: string };

export interface ScriptedSummariser extends Summariser {
  /** What was asked for, in order. */
  readonly orders: SummaryOrder[];
}

/** Gives these summaries in their order, the last again and again. An earlier one stays where none is made. */
export function scriptedSummariser(summaries: readonly ScriptedSummary[] = ['The summary.']): ScriptedSummariser {
  const orders: SummaryOrder[] = [];
  return {
    orders,
    summarise(order, signal): Promise<Summarised> {
      const scripted = summaries[Math.min(orders.length, summaries.length - 1)] ?? { problem: 'nothing is scripted' };
      const next = signal.aborted ? { problem: 'it was cancelled' } : scripted;
      orders.push(order);
      const earlier = order.view.transcript.gist?.summary;
      const summary = typeof next === 'string' ? { text: next, asides: [] } : earlier;
      return Promise.resolve({
        shown: `[Older turns were taken out. ${summary?.text ?? 'There is no summary.'}]`,
        ...(summary !== undefined && { summary }),
        files: { read: [], changed: [] },
        ...(typeof next !== 'string' && next),
      });
    },
  };
}
