/** What could be wrong although nobody has seen it: in the log's own words. */
import { plural, type DefinerChange, type View } from '../../core/index.ts';
import type { RunReport } from '../types.ts';
import type { Risk } from './types.ts';

interface Seen {
  report: RunReport;
  view: View;
  damaged: number;
  redefined: readonly DefinerChange[];
}

/** The gravest first. */
export function risksIn({ report, view, damaged, redefined }: Seen): Risk[] {
  const { changed, unchecked = [], checksWaived, evidence, skipped, outcome } = report;
  const risks: Risk[] = [];
  const add = (kind: Risk['kind'], text: string): void => void risks.push({ kind, text });
  for (const { path, how } of redefined) add('check-changed', how === undefined ? path : `${path}: ${how}`);
  for (const check of evidence) {
    const named = check.redefined === undefined ? (check.definersChanged ?? []) : [];
    if (named.length > 0) add('check-changed', `${named.join(', ')} (of ${check.command})`);
  }
  if (changed.length > 0 && checksWaived) add('unproven', 'checks were waived: what changed is not proven');
  if (changed.length > 0 && outcome === 'unverified') add('unproven', report.detail);
  for (const path of unchecked) add('unproven', path);
  for (const { tool, what, outcome: how } of skipped) {
    if (how === 'interrupted') add('interrupted', `${tool} ${what}: what it did is not known`);
  }
  if (view.ledger.unseenChange !== undefined) add('unseen-change', 'something changed that no scan could name');
  for (const { path, alsoBefore } of changed) {
    if (alsoBefore === true) add('not-alone', `${path} had changes of somebody else before`);
  }
  for (const [what, times] of refusals(report)) add('denied', times === 1 ? what : `${what} (${times} times)`);
  if (damaged > 0) add('damaged-log', `${plural(damaged, 'line')} of the log can’t be read`);
  return risks;
}

function refusals({ denials }: RunReport): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tool, what, by, reason } of denials) {
    const text = `${tool} ${what}: ${reason} (${by})`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
