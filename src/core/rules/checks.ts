import type { Check, SetupData } from '../setup.ts';
import type { Action, Rule } from '../decide.ts';
import { lastSegment, wantsModel } from '../transcript.ts';
import type { View } from '../view.ts';

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
  if (wantsModel(view.transcript)) return failedTooOften(view);
  if (view.ledger.unresolved) return { do: 'snapshot' };
  const { lastChange = '' } = view.ledger;
  const what = lastChange === '' ? 'No files changed' : 'Files changed';
  if (view.setup.checks === 'waived') return completed(view, `${what}; checks were waived.`);
  const due = lastChange === '' ? askedFor(view.setup) : view.setup.checks;
  if (due.length === 0 && lastChange === '') return completed(view, 'No files changed.');
  if (due.length === 0)
    return unverified(view, 'checks-missing', 'Files changed and there is no check that proves them.');
  const stale = due.filter((check) => !isProven(view, check, lastChange));
  if (stale.length > 0) return { do: 'check', checks: stale };
  const redefined = due.flatMap(({ command }) => view.ledger.evidence.get(command)?.data.definersChanged ?? []);
  if (redefined.length > 0) {
    const detail = `The checks pass, but what defines them was changed in this run: ${[...new Set(redefined)].join(', ')}.`;
    return unverified(view, 'checks-changed', detail);
  }
  return completed(view, `${what}; every check passed${lastChange === '' ? '' : ' after the last change'}.`);
};

function askedFor({ checks, mode }: SetupData): Check[] {
  return checks === 'waived' || mode === 'plan' ? [] : checks.filter(({ from }) => from === 'command-line');
}

function isProven(view: View, check: Check, lastChange: string): boolean {
  const evidence = view.ledger.evidence.get(check.command);
  return evidence !== undefined && evidence.data.passed && evidence.data.covers >= lastChange;
}

/** The newest thing said is failing evidence, and there has been enough of it. */
function failedTooOften(view: View): Action | undefined {
  if (!view.ledger.failedSinceReply || view.ledger.checkFailures <= failuresAtMost) return undefined;
  const detail = `The checks failed ${view.ledger.checkFailures} times.`;
  return unverified(view, 'checks-failed', detail);
}

function completed(view: View, detail: string): Action {
  return { do: 'stop', reason: 'completed', detail, ...answerOf(view) };
}

function unverified(view: View, code: string, detail: string): Action {
  return { do: 'stop', reason: 'unverified', code, detail, ...answerOf(view) };
}

function answerOf(view: View): { answer?: string } {
  const parts = lastSegment(view.transcript).reply?.parts ?? [];
  const answer = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return answer === '' ? {} : { answer };
}
