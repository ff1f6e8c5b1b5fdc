import {
  budgetThrough,
  fold,
  rootBudget,
  type Event,
  type EventData,
  type Kind,
  type View,
} from '../../src/core/index.ts';
import { testBudgetContract } from './budget.ts';
import { open } from '../core/drive.ts';

async function rootOf(limits: { turns: number | null; calls: number | null; cost: number | null }): Promise<View> {
  const all = { minutes: null, outputTokens: 1000, ...limits };
  const { view } = await open({ setup: { limits: all } });
  return view;
}

/** The root's log says that the child works for it. */
function withChild(view: View, session: string): void {
  const event = <K extends Kind>(kind: K, data: EventData[K]): Event =>
    ({ id: `e-${session}`, parent: view.head, at: 1_000_000, kind, data }) as Event;
  fold(view, event('child', { session }));
}

testBudgetContract('the budget of the root', async (limits) => {
  const root = await rootOf(limits);
  withChild(root, 'c');
  return { budget: rootBudget(root), child: 'c', root };
});

testBudgetContract('the budget that a child hands on', async (limits) => {
  const root = await rootOf(limits);
  withChild(root, 'c');
  return { budget: budgetThrough(rootBudget(root), 'c'), child: 'grandchild', root };
});
