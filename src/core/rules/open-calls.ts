import { answering, type Action, type Rule } from '../decide.ts';
import { runningTime, useOfTree } from '../ledger.ts';
import type { CallState } from '../segment.ts';
import { interruptedText, lastSegment, leftBehind, openCalls, recordLost } from '../transcript.ts';
import type { View } from '../view.ts';

const limitBound = 'Not run: limit. No further calls are run in this run.';

/** Calls of the last reply: those that must not run are answered, the others run. */
export const openCallsRule: Rule = (view, now) => {
  const open = openCalls(view.transcript);
  if (open.length === 0) return undefined;
  const refused = mustNotRun(view, open);
  if (refused !== undefined) return refused;
  // A call that waits for an answer holds back those after it: they could conflict with it and must not overtake.
  const waits = open.findIndex((call) => call.ask !== undefined && call.answer === undefined);
  const runnable = waits < 0 ? open : open.slice(0, waits);
  if (runnable.length === 0) return undefined;
  const { calls = null, minutes = null } = view.setup?.limits ?? {};
  const left = calls === null ? Infinity : calls - useOfTree(view.ledger).calls;
  const timeIsUp = minutes !== null && runningTime(view.ledger, now) >= minutes * 60_000;
  if (left <= 0 || timeIsUp) return answering(runnable, 'not-run', limitBound);
  return { do: 'run-calls', calls: runnable.slice(0, left).map((call) => call.key) };
};

function mustNotRun(view: View, open: CallState[]): Action | undefined {
  // On whatever branch it was started: its effects are there.
  const started = open.filter((call) => view.ledger.started.has(call.key));
  if (started.length > 0) return answering(started, 'interrupted', interruptedText);
  const left = open.filter((call) => call.left);
  if (left.length > 0) return answering(left, 'not-run', leftBehind);
  const lost = open.filter((call) => call.lost);
  if (lost.length > 0) return answering(lost, 'interrupted', recordLost);
  return lastSegment(view.transcript).closing ? answering(open, 'not-run', limitBound) : undefined;
}
