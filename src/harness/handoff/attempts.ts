/** What was tried and came to nothing: calls that failed, and changes that were taken back. */
import type { DoneCall } from '../run-report/index.ts';
import type { Attempt } from './types.ts';

const mostTurns = 20;

/** The most repeated first. */
export function attemptsIn(calls: Iterable<DoneCall>): Attempt[] {
  const groups = new Map<string, { calls: DoneCall[]; failed: DoneCall[] }>();
  for (const call of calls) {
    const name = `${call.tool} ${call.what}`;
    const group = groups.get(name) ?? { calls: [], failed: [] };
    group.calls.push(call);
    if (hasFailed(call)) group.failed.push(call);
    groups.set(name, group);
  }
  return [...groups.values()].flatMap(attemptsOf).toSorted((a, b) => b.times - a.times);
}

function attemptsOf({ calls, failed }: { calls: DoneCall[]; failed: DoneCall[] }): Attempt[] {
  const last = failed.at(-1);
  const undone = calls.filter(({ undoneBy, isUndoable }) => undoneBy !== undefined && isUndoable);
  const hasPassed = last !== undefined && calls.indexOf(last) < calls.findLastIndex(({ outcome }) => outcome === 'ok');
  return [
    ...(last === undefined ? [] : [attempt(hasPassed ? 'passed-later' : 'failed', failed, last.said)]),
    ...(undone.length === 0 ? [] : [attempt('taken-back', undone, '')]),
  ];
}

function attempt(kind: Attempt['kind'], calls: readonly DoneCall[], said: string): Attempt {
  const turns = [...new Set(calls.map(({ turn }) => turn))].slice(0, mostTurns);
  const { tool = '', what = '' } = calls[0] ?? {};
  return { kind, tool, what, times: calls.length, turns, said };
}

/** A command that says no with its exit code has failed too. */
function hasFailed({ outcome, exit }: DoneCall): boolean {
  return outcome === 'error' || (outcome === 'ok' && typeof exit === 'number' && exit !== 0);
}
