/** The end of a run under a scope contract: all that changed lies within it, whoever let it pass. */
import type { Action } from '../decide.ts';
import { isInScope } from '../check-scope.ts';
import type { View } from '../view.ts';
import { unverified } from './ending.ts';

export function withinScope(view: View, end: Action): Action {
  const { setup, ledger } = view;
  if (setup?.scope === undefined || end.do !== 'stop') return end;
  const { scope } = setup;
  const outside = [...ledger.changedPaths].filter((path) => !isInScope(scope, path)).toSorted();
  if (outside.length === 0) return end;
  const detail = `Files changed that the scope of this run does not let it change: ${outside.join(', ')}.`;
  return unverified(view, 'scope-violated', detail);
}
