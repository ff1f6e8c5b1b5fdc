/** How a run ended, in one object and one exit code. */
import {
  errorCatalogue,
  isAsItWas,
  isFresh,
  spent,
  uncoveredPaths,
  type EventData,
  type StopReason,
  type View,
  acceptedPlan,
  planDecision,
} from '../core/index.ts';
import type { CheckResult, RunOutcome } from './types.ts';

const exitCodes: { [reason in StopReason]: number } = {
  completed: 0,
  error: 1,
  unverified: 3,
  limit: 4,
  denied: 5,
  stuck: 6,
  provider: 7,
  refused: 8,
  waiting: 9,
  cancelled: 130,
};

/** The exit code of arguments or a configuration that can't be used; no session is made for those. */
export const usageExitCode = 2;

export function exitCodeOf(reason: StopReason, signal?: 'SIGINT' | 'SIGTERM'): number {
  return reason === 'cancelled' && signal === 'SIGTERM' ? 143 : exitCodes[reason];
}

export function outcomeOf(view: View, place: { session: string; log: string; head: string }): RunOutcome {
  const stop = view.stop ?? waitingStop(view);
  const { ledger } = view;
  // Also where no reply came: attempts that failed may have cost something.
  const priced = !ledger.costUnknown && (ledger.turns > 0 || spent(ledger) > 0);
  const estimated = spent(ledger) - ledger.settled + ledger.estimated;
  return {
    outcome: stop.reason,
    exit: exitCodeOf(stop.reason, stop.signal),
    ...(stop.code === undefined ? {} : { code: stop.code }),
    detail: stop.detail,
    ...wayOutOf(stop),
    ...answerOf(view, stop),
    ...planOf(view, stop),
    ...place,
    turns: ledger.turns,
    calls: ledger.calls,
    usage: { ...ledger.usage },
    ...(priced ? { cost: spent(ledger) } : {}),
    ...(priced && estimated > 0 ? { estimated } : {}),
    changed: [...ledger.changedPaths].toSorted(),
    evidence: [...ledger.evidence.values()].map(({ data }) => resultOf(data, view)),
    ...uncheckedIn(view),
    ...ownChecksIn(view),
    ...judgementIn(view),
    checksWaived: view.setup?.checks === 'waived',
    denials: ledger.denials.map(({ tool, by, reason }) => ({ tool, by, reason })),
    ...(ledger.openAsks.size > 0 && { questions: [...ledger.openAsks].map(([id, data]) => ({ id, ...data })) }),
    resumable: true,
  };
}

function resultOf(data: EventData['evidence'], { ledger }: View): CheckResult {
  const {
    command,
    passed,
    outcome,
    exit,
    elapsed,
    covers,
    paths,
    advisory,
    output,
    findings,
    definersChanged,
    redefined,
  } = data;
  return {
    command,
    passed,
    outcome,
    exit,
    elapsed,
    covers,
    fresh: isFresh(ledger, data),
    ...(paths !== undefined && { paths }),
    ...(advisory !== undefined && { advisory }),
    ...(output.blob !== undefined && { blob: output.blob }),
    ...(findings !== undefined && { findings }),
    ...(definersChanged !== undefined && { definersChanged }),
    ...(redefined !== undefined && { redefined }),
  };
}

function uncheckedIn({ setup, ledger }: View): Pick<RunOutcome, 'unchecked'> {
  if (setup === undefined || setup.checks === 'waived') return {};
  const required = setup.checks.filter(({ advisory }) => advisory !== true);
  const unchecked = isAsItWas(ledger) ? [] : uncoveredPaths(ledger, required);
  return unchecked.length === 0 ? {} : { unchecked };
}

/** A plan that waits for its review is what there is to say. */
function answerOf({ planning }: View, { reason, answer }: EventData['stop']): { answer?: string } {
  const said = answer ?? (reason === 'waiting' ? planning?.review?.plan.text : undefined);
  return said === undefined ? {} : { answer: said };
}

function planOf({ planning }: View, { reason }: EventData['stop']): Pick<RunOutcome, 'plan'> {
  const { review } = planning ?? {};
  if (review === undefined || (reason !== 'waiting' && reason !== 'completed')) return {};
  const decision = planDecision({ review });
  const mode = acceptedPlan({ review })?.mode;
  return {
    plan: { file: review.plan.file, ...(decision !== undefined && { decision }), ...(mode !== undefined && { mode }) },
  };
}

function judgementIn({ ledger: { judgement } }: View): Pick<RunOutcome, 'judgement'> {
  if (judgement === undefined) return {};
  const { goal, ruling, reason } = judgement;
  return { judgement: { goal, ...(ruling !== undefined && { ruling }), reason } };
}

function ownChecksIn({ ledger: { ownChecks } }: View): Pick<RunOutcome, 'ownChecks'> {
  if (ownChecks === undefined) return {};
  const { covers: _, ...said } = ownChecks;
  return { ownChecks: said };
}

/** Limits and checks say in their detail what binds; of providers and errors the catalogue knows more. */
function wayOutOf({ reason, code }: EventData['stop']): { wayOut?: string } {
  if ((reason !== 'provider' && reason !== 'error') || code === undefined) return {};
  const entry = Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as keyof typeof errorCatalogue] : undefined;
  return entry === undefined ? {} : { wayOut: entry.wayOut };
}

function waitingStop(view: View): EventData['stop'] {
  const ask = [...view.ledger.openAsks].at(0);
  if (ask === undefined) return { reason: 'waiting', detail: 'The session waits for an input.' };
  return { reason: 'waiting', detail: `The session waits for an answer to question ${ask[0]}: ${ask[1].question}` };
}
