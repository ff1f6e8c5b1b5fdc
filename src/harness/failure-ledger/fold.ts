/** From the lines of a ledger to failures: the same symptom is the same failure, and one seen after its fix has come back. */
import {
  rungs,
  type Failure,
  type LedgerLine,
  type LedgerReport,
  type Rung,
  type RungRow,
  type Sighting,
} from './types.ts';

/** Letter case, blanks and a full stop make no other symptom. */
export function keyOf(symptom: string): string {
  return symptom
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
}

/** In the order in which they were first seen. Merges may have put the lines into another order than that of their times. */
export function failuresIn(lines: readonly LedgerLine[]): Failure[] {
  const byKey = new Map<string, Failure>();
  const byId = new Map<string, Failure>();
  for (const line of lines.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    if (line.type === 'failure') {
      const same = line.recurs === undefined ? undefined : byId.get(line.recurs);
      const failure = same ?? byKey.get(keyOf(line.symptom)) ?? newFailure(line);
      byKey.set(keyOf(line.symptom), failure);
      byId.set(line.id, failure);
      see(failure, line);
      continue;
    }
    const failure = byId.get(line.of);
    if (failure === undefined) continue; // A fix of what nobody has noted.
    failure.fixes.push({ ...line, recurrences: 0 });
    failure.state = 'fixed';
  }
  return [...new Set(byId.values())];
}

function newFailure({ id, symptom }: Sighting): Failure {
  return { id, symptom, state: 'open', seen: [], fixes: [] };
}

function see(failure: Failure, line: Sighting): void {
  failure.seen.push(line);
  failure.state = 'open';
  const last = failure.fixes.at(-1);
  if (last !== undefined) last.recurrences += 1;
}

/** A rung without a fix is left out. */
export function rungRows(failures: readonly Failure[]): RungRow[] {
  const all = failures.flatMap(({ fixes }) => fixes);
  return rungs.flatMap((rung) => {
    const fixes = all.filter((fix) => fix.rung === rung);
    const failed = fixes.filter(({ recurrences }) => recurrences > 0);
    const recurrences = fixes.reduce((sum, fix) => sum + fix.recurrences, 0);
    return fixes.length === 0 ? [] : [{ rung, fixes: fixes.length, failed: failed.length, recurrences }];
  });
}

export function recurredIn(failures: readonly Failure[]): LedgerReport['recurred'] {
  return failures.flatMap(({ id, symptom, state, fixes }) => {
    const failed = fixes.findLast(({ recurrences }) => recurrences > 0);
    if (failed === undefined) return [];
    const last = fixes.at(-1);
    const isHigher = state === 'fixed' && last !== undefined && height(last.rung) > height(failed.rung);
    const next = rungs[height(failed.rung) + 1];
    return [{ id, symptom, rung: failed.rung, ...(!isHigher && next !== undefined && { next }) }];
  });
}

const height = (rung: Rung): number => rungs.indexOf(rung);
