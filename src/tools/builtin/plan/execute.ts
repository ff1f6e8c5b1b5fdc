import { planText, type CallOutcome, type PlanItem } from '../../../core/index.ts';
import { failed } from '../../outcome.ts';
import { count } from '../../text/index.ts';

const mostItems = 50;
/** Characters of an item. */
const longestText = 200;

const states: { [mark: string]: PlanItem['state'] | undefined } = { ' ': 'open', '>': 'doing', x: 'done', X: 'done' };

/** `before`: the list as it was, if there was one. */
export function setPlan(lines: readonly string[], before: readonly PlanItem[] | undefined): CallOutcome {
  if (lines.length > mostItems) {
    return refused(
      `A plan has at most ${mostItems} items, and this has ${lines.length}: join some, drop what is done.`,
    );
  }
  const items: PlanItem[] = [];
  for (const [index, line] of lines.entries()) {
    const item = itemIn(line);
    if (typeof item === 'string') return refused(`items[${index}] ${item}.`);
    items.push(item);
  }
  const doing = items.filter(({ state }) => state === 'doing').length;
  if (doing > 1) return refused(`${doing} items are marked [>]; only one thing is done at a time.`);
  return { outcome: 'ok', text: textOf(items, before), facts: { plan: items.map((item) => ({ ...item })) } };
}

function refused(why: string): CallOutcome {
  return failed(`${why} The plan is as it was.`);
}

/** The item of a line, or what is wrong with it. Without a mark it is open. */
function itemIn(line: string): PlanItem | string {
  const [, mark, rest = ''] = /^(?:[-*] )?\[(.?)\](.*)$/s.exec(line.trim()) ?? [undefined, ' ', line];
  const state = Object.hasOwn(states, mark ?? '') ? states[mark ?? ''] : undefined;
  const text = rest.trim();
  if (state === undefined) return `begins with [${mark}]; it is [ ] open, [>] doing or [x] done`;
  if (text === '') return 'has no text';
  if (/[\n\v\f\r\u0085\u2028\u2029]/.test(text)) return 'has a line break; an item is one line';
  if (text.length > longestText) return `has ${count(text.length, 'character')}, and ${longestText} are allowed`;
  return { text, state };
}

function textOf(items: readonly PlanItem[], before: readonly PlanItem[] | undefined): string {
  if (items.length === 0) return 'The plan is empty.';
  return before !== undefined && planText(before) === planText(items) ? 'The plan is unchanged.' : planText(items);
}
