import { plural } from '../amounts.ts';
import { isFresh, lastChangeFor } from '../check-scope.ts';
import type { DefinerChange, EvidenceData } from '../evidence.ts';
import type { Check, SetupData } from '../setup.ts';
import type { Action, Rule } from '../decide.ts';
import { lastSegment, wantsModel } from '../transcript.ts';
import type { View } from '../view.ts';
import { completed, redefined, unverified } from './ending.ts';
import { withGoal } from './goal.ts';
import { ownProof } from './own-proof.ts';
import { withinScope } from './scope.ts';

/** How often failing evidence goes back to the model before the run ends unverified. */
const failuresAtMost = 3;

/**
 * The model has nothing left to do: what it changed must be proven, then the run ends. Evidence counts when it passed and covers
 * the last change; evidence that failed goes back to the model (its text is in the transcript), or ends the run. A check that was
 * asked for with the task is due in any case: a model that only says that all is well has proven nothing.
 */
export const checks: Rule = (view) => {
  const last = lastSegment(view.transcript);
  if (last.reply === undefined || view.setup === undefined) return undefined;
  if (wantsModel(view.transcript)) return failedTooOften(view) ?? afterEdit(view);
  if (view.ledger.unresolved) return { do: 'snapshot' };
  const { lastChange = '' } = view.ledger;
  const what = lastChange === '' ? 'No files changed' : 'Files changed';
  if (view.setup.checks === 'waived') return finished(view, completed(view, `${what}; checks were waived.`));
  const due = dueChecks(view);
  const next = nextRound(view, due);
  if (next.length > 0) return { do: 'check', checks: next };
  const required = due.filter(({ advisory }) => advisory !== true);
  if (required.length === 0) return finished(view, ownProof(view, view.setup.checks));
  const changes = required.flatMap(({ command }) => definersIn(view.ledger.evidence.get(command)?.data));
  const proven = `${what}; every check passed${lastChange === '' ? '' : ' after the last change'}.`;
  return finished(view, redefined(view, changes) ?? completed(view, proven));
};

/** What changed lies within the scope, and then the goal has its judge. */
function finished(view: View, end: Action): Action {
  return withGoal(view, withinScope(view, end));
}

/** While the model works: the checks that are due after each edit, once after each. What fails then is news for the model and no verdict. */
function afterEdit({ setup, ledger }: View): Action | undefined {
  if (setup === undefined || setup.checks === 'waived') return undefined;
  const each = setup.checks.filter(({ when }) => when === 'each-edit');
  if (each.length === 0) return undefined;
  if (ledger.unresolved) return { do: 'snapshot' };
  const stale = each.filter((check) => lastChangeFor(ledger, check) !== undefined && !isFresh(ledger, check));
  return stale.length === 0 ? undefined : { do: 'check', checks: stale, early: true };
}

/** The checks of what changed; where nothing did, those that came with the task. */
function dueChecks({ setup, ledger }: View): Check[] {
  if (setup === undefined || setup.checks === 'waived') return [];
  if (ledger.lastChange === undefined) return askedFor(setup);
  return setup.checks.filter((check) => lastChangeFor(ledger, check) !== undefined);
}

function askedFor({ checks, mode }: SetupData): Check[] {
  return checks === 'waived' || mode === 'plan' ? [] : checks.filter(({ from }) => from === 'command-line');
}

/** What runs next: what is required, what is kept for the end only once that has passed, and then what is only advice, once. */
function nextRound(view: View, due: readonly Check[]): Check[] {
  const open = due.filter((check) => check.advisory !== true && !isProven(view, check));
  const soon = open.filter(({ when }) => when !== 'end');
  if (soon.length > 0) return soon;
  if (open.length > 0) return open;
  return due.filter((check) => check.advisory === true && !isFresh(view.ledger, check));
}

function isProven({ ledger }: View, check: Check): boolean {
  return isFresh(ledger, check) && ledger.evidence.get(check.command)?.data.passed === true;
}

/** Logs of the first formats name them only. */
function definersIn(evidence: EvidenceData['evidence'] | undefined): DefinerChange[] {
  return evidence?.redefined ?? evidence?.definersChanged?.map((path) => ({ path })) ?? [];
}

/** The newest thing said is failing evidence, and there has been enough of it. */
function failedTooOften(view: View): Action | undefined {
  if (!view.ledger.failedSinceReply || view.ledger.checkFailures <= failuresAtMost) return undefined;
  const detail = `The checks failed ${plural(view.ledger.checkFailures, 'time')}.`;
  return unverified(view, 'checks-failed', detail);
}
