/** How a run ends that has nothing left to do. */
import type { Action } from '../decide.ts';
import type { DefinerChange } from '../evidence.ts';
import { asksFor } from '../task-words.ts';
import { lastSegment } from '../transcript.ts';
import type { View } from '../view.ts';

export function completed(view: View, detail: string): Action {
  return { do: 'stop', reason: 'completed', detail, ...answerOf(view) };
}

export function unverified(view: View, code: string, detail: string): Action {
  return { do: 'stop', reason: 'unverified', code, detail, ...answerOf(view) };
}

/** Proven by what the run itself has changed; undefined where the task or the person allows that. */
export function redefined(view: View, changes: readonly DefinerChange[]): Action | undefined {
  if (view.setup?.allowTestChanges === true) return undefined;
  const open = changes.filter((change) => !asksFor(view.ledger.task.said, change));
  if (open.length === 0) return undefined;
  const detail = `The checks pass, but what defines them was changed in this run: ${changesText(open)}.`;
  return unverified(view, 'checks-changed', detail);
}

const deeds = {
  deleted: 'deleted',
  skipped: 'tests are skipped',
  narrowed: 'only some tests run',
  'fewer-tests': 'fewer tests',
  'fewer-assertions': 'fewer assertions',
  'forced-exit': 'an exit code is forced',
  loosened: 'a threshold or a time limit differs',
} as const;

function changesText(changes: readonly DefinerChange[]): string {
  const texts = changes.map(({ path, how }) => (how === undefined ? path : `${path} (${deeds[how]})`));
  return [...new Set(texts)].join(', ');
}

function answerOf(view: View): { answer?: string } {
  const parts = lastSegment(view.transcript).reply?.parts ?? [];
  const answer = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return answer === '' ? {} : { answer };
}
