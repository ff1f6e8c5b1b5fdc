/** The task list of the model: it belongs to the session, and the log has it in the results that set it. */
import type { Json } from './messages.ts';

export interface PlanItem {
  text: string;
  state: 'open' | 'doing' | 'done';
}

/** The code under which it is shown again. */
export const planCode = 'plan';

const marks = { open: '[ ]', doing: '[>]', done: '[x]' };

/** The list as the model sees it, a line an item. */
export function planText(items: readonly PlanItem[]): string {
  return items.map(({ text, state }) => `${marks[state]} ${text}`).join('\n');
}

/** The list in a result's facts; a log of another version can hold anything. */
export function planIn(fact: Json | undefined): PlanItem[] | undefined {
  return Array.isArray(fact) && fact.every(isItem) ? (fact as unknown as PlanItem[]) : undefined;
}

function isItem(item: Json): boolean {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  const { text, state } = item;
  return typeof text === 'string' && typeof state === 'string' && Object.hasOwn(marks, state);
}
