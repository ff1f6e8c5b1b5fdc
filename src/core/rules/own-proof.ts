/** Where no check is due that could prove what changed: what the model's own commands prove of it. */
import { isAsItWas, uncoveredPaths } from '../check-scope.ts';
import type { Action } from '../decide.ts';
import type { Check } from '../setup.ts';
import type { View } from '../view.ts';
import { completed, redefined, unverified } from './ending.ts';

export function ownProof(view: View, checks: readonly Check[]): Action {
  const { lastChange, ownChecks, task } = view.ledger;
  if (lastChange === undefined) return completed(view, 'No files changed.');
  if (isAsItWas(view.ledger)) return completed(view, 'No files changed: what did is again as it was.');
  if (ownChecks === undefined && task.commands.length > 0) return { do: 'weigh' };
  if (ownChecks?.proves === true) {
    const passed = ownChecks.commands.map(({ command }) => `\`${command}\``).join(' and ');
    const detail = `Files changed; no check is set up for them, and the model’s own ${passed} passed after the last change.`;
    return redefined(view, ownChecks.redefined ?? []) ?? completed(view, detail);
  }
  const why = ownChecks === undefined ? '' : ` ${ownChecks.why}`;
  return unverified(view, 'checks-missing', `${missing(view, checks)}${why}`);
}

function missing({ ledger }: View, checks: readonly Check[]): string {
  const required = checks.filter(({ advisory }) => advisory !== true);
  if (required.length === 0) return 'Files changed and there is no check that proves them.';
  return `Files changed that no check covers: ${uncoveredPaths(ledger, required).join(', ')}.`;
}
